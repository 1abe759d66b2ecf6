"""User names, passwords and secrets."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules.common import finding, holds, lower, words
from scrubbers.rules.shapes import is_placeholder
from scrubbers.words import word_list

_PROVIDERS = re.compile(
    r"(?<![A-Za-z0-9_-])(?:"
    r"A(?:KIA|SIA|GPA|IDA|ROA|NPA)[A-Z0-9]{16}"
    r"|gh[pousr]_[A-Za-z0-9]{20,}|github_pat_\w{22,}|glpat-[\w-]{16,}|gl(?:dt|rt|cbt)-[\w-]{16,}"
    r"|sk-(?:proj-|ant-|live-|or-)?[A-Za-z0-9_-]{16,}|(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}|whsec_\w{16,}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,}|xapp-[A-Za-z0-9-]{20,}|AIza[\w-]{35}|ya29\.[\w-]{20,}"
    r"|npm_[A-Za-z0-9]{30,}|pypi-[\w-]{30,}|hf_[A-Za-z0-9]{20,}|dop_v1_[a-f0-9]{40,}|SG\.[\w-]{16,}\.[\w-]{16,}"
    r"|key-[a-f0-9]{32}|AC[a-f0-9]{32}|SK[a-f0-9]{32}|sq0(?:atp|csp)-[\w-]{22,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"
    r"|eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}"
    r"|EAA[A-Za-z0-9]{60,}|\d{8,10}:AA[\w-]{32,34}|AGE-SECRET-KEY-1[A-Z0-9]{50,}"
    r")(?![A-Za-z0-9])"
)
_PROVIDER_HINTS = (
    "AKIA", "ASIA", "AGPA", "AIDA", "AROA", "ANPA", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat", "glpat", "gldt-",
    "glrt-", "glcbt-", "sk-", "sk_", "rk_", "pk_", "whsec", "xox", "xapp", "AIza", "ya29", "npm_", "pypi-", "hf_", "dop_v1",
    "SG.", "key-", "AC", "SK", "sq0", "shp", "eyJ", "EAA", ":AA", "AGE-SECRET",
)  # fmt: skip
_KEY_HINTS = ("key", "secret", "token", "bearer", "credential", "recovery")
_HOOK = re.compile(
    r"https://hooks\.slack\.com/services/([A-Za-z0-9/_-]{20,})|(?:discord(?:app)?\.com/api/webhooks/)(\d+/[\w-]{30,})"
)
_KEY_BLOCK = re.compile(
    r"-----BEGIN [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,8000}?(?:-----END [A-Z ]{0,30}PRIVATE KEY(?: BLOCK)?-----|$)"
)
_GENERIC = re.compile(
    r"(?:api[ _-]?key|apikey|secret|token|access[ _-]?key|auth[ _-]?key|bearer|private[ _-]?key|credential|passkey"
    r"|encryption[ _-]?key|signing[ _-]?key|license[ _-]?key|recovery[ _-]?(?:code|key))[A-Za-z_]{0,12}[\"'`\\]{0,3}"
    r"(?:\s{0,3}(?:[:=]{1,2}>?|is|es|ist|lautet)\s{0,3}|\s)[\"'`\\]{0,3}([A-Za-z0-9+/_.~-]{16,200}={0,2})",
    re.IGNORECASE,
)
_HASH = re.compile(
    r"(?:sha\d{1,3}|md5|integrity|checksum|digest|commit|hash|etag)\W", re.IGNORECASE
)
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$")

_PASS = re.compile(
    r"(?:pass(?:word|wort|wd|phrase|code)s?|\bpwd|\bpw\b|contraseñas?|\bclave|mots? de passe|\bmdp|kennwort"
    r"|wachtwoord|\bsenha|palavra[ -]passe|\bparola d'ordine)(?![^\W\d_])",
    re.IGNORECASE,
)
_PASS_HINTS = (
    "pass",
    "pwd",
    "pw",
    "contrase",
    "clave",
    "mdp",
    "kennwort",
    "wachtwoord",
    "senha",
    "parola",
    "mot",
)
_QUOTED = re.compile(
    r"(?:[\s:=,-]|(?:is|was|of|as|string|reads|es|era|est|était|ist|war|lautet|revealed|value|and|è|é)\b){0,8}?([\"'`])(?P<v>(?:(?!\1)[^\n]){4,64})\1"
)
_JSON_VALUE = re.compile(
    r"\\{0,3}[\"']?\s{0,2}(?P<sep>[:=])\s{0,2}(?P<q>\\{0,3}[\"'])?(?P<v>(?:(?![\"'\\])\S){3,64})(?(q)\\{0,3}[\"'])"
)
_TOKEN = re.compile(r"\S+")
_AFTER_MAIL = re.compile(r"@[\w.-]+\.[a-z]{2,24}['\"]?\s?(?:/|\||:)\s?(\S{6,40})")
_URL_LOGIN = re.compile(r"[a-z][a-z0-9+]{1,15}://([\w.%+-]{0,64}):([^\s/:\"']{1,64})@")

_USER_CUE = re.compile(
    r"(?<![^\W\d_])(?:user[ _-]?(?:name|id)?|login|logon|account[ _-]?name|screen[ _-]?name|usuari[oa]|utilisateur|identifiant"
    r"|benutzer(?:name|kennung)?|nutzername|anmeldename|utente|gebruikers?(?:naam)?|utilizador|usuário|nick(?:name)?|handle"
    r"|linkedin|github|twitter|instagram|telegram|skype|tiktok|discord|paypal)(?![^\W\d_])"
    r"(?=[\s:=\"'`\\])(?P<gap>[\"'`\\]{0,3}\s{0,2}(?:(?:name|id|is|es|est|ist|è|é|was|were)\b\s?)?(?:[:=]\s{0,2})?)"
    r"(?P<q>[\"'`\\]{0,3})(?P<v>@?[A-Za-z0-9_][\w.\\-]{2,39})",
    re.IGNORECASE,
)  # fmt: skip
# The first words of those cues.
_USER_WORDS = frozenset(
    word_list("""user username userid login logon account accountname screen screenname usuario usuaria usuário utilisateur identifiant benutzer
    benutzername benutzerkennung nutzername anmeldename utente gebruiker gebruikers gebruikernaam gebruikersnaam utilizador
    nick nickname handle linkedin github twitter instagram telegram skype tiktok discord paypal""")
)
_PATH_HINTS = ("/home/", "/Users/", "Users\\", "/u/", "home$")
_CHAT_LINE = re.compile(
    r"(?:^|\n)\[?\d[\d/.: T-]{4,24}(?:[AP]M)?\]?[ ]?<?([a-z][\w.-]{1,24})>?:(?=\s)"
)
_HANDLE = re.compile(r"(?<![\w@/.`])@([A-Za-z_][\w.]{2,29})")
_PATH = re.compile(
    r"(?:/home/|/Users/|[A-Za-z]:\\{1,2}Users\\{1,2}|/u/|home\$\\{1,2})([A-Za-z][\w.-]{1,31})"
)
_DOMAIN_USER = re.compile(r"(?<![\w\\])[A-Z][A-Z0-9-]{1,15}\\{1,2}([A-Za-z][\w.-]{2,31})")
_NOBODY = frozenset(
    word_list("""user users username name shared public default ubuntu root runner app me you admin guest all all_users
    param params return returns throws media import override type see author deprecated property staticmethod
    classmethod dataclass pytest app.route component injectable input output test before after each keyframes
    font-face supports charset here everyone channel gmail hotmail yahoo node vscode jovyan""")
)  # fmt: skip


def secrets(passage: Passage) -> Iterable[Finding]:
    """Keys in a provider's form, private key blocks, and random strings behind a cue."""
    text = passage.text
    if holds(text, _PROVIDER_HINTS):
        for match in _PROVIDERS.finditer(text):
            if any(c.isdigit() for c in match.group()) or match.group().startswith("eyJ"):
                yield finding(match.span(), "SECRET", 0.97)
    if "PRIVATE KEY" in text:
        for match in _KEY_BLOCK.finditer(text):
            yield finding(match.span(), "SECRET", 0.99)
    if "hooks" in text:
        for match in _HOOK.finditer(text):
            yield finding(match.span(match.lastindex or 0), "SECRET", 0.95)
    yield from _told_secrets(text)


def _told_secrets(text: str) -> Iterable[Finding]:
    """Random strings behind a word for key or token; no hashes."""
    if not holds(lower(text), _KEY_HINTS):
        return
    for match in _GENERIC.finditer(text):
        value = match.group(1).rstrip(".")
        before = text[max(0, match.start() - 12) : match.start()]
        if _random(value) and not _HASH.search(before) and not _HASH.match(value):
            yield finding((match.start(1), match.start(1) + len(value)), "SECRET", 0.85)


def _random(value: str) -> bool:
    """At least 3 bits a character, a digit and a letter; not a UUID, path or dotted name."""
    if _UUID.match(value) or value.count("/") > 4 or not any(c.isdigit() for c in value):
        return False
    if not any(c.isalpha() for c in value) or re.fullmatch(r"[a-z_]+(?:[._-][a-z0-9]+)+", value):
        return False
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in Counter(value).values()) >= 3.0


def passwords(passage: Passage) -> Iterable[Finding]:
    """What follows a word for password and looks like one, and the password in a URL."""
    text = passage.text
    if "://" in text:
        for match in _URL_LOGIN.finditer(text):
            yield finding(match.span(2), "PASSWORD", 0.95)
            if match.group(1):
                yield finding(match.span(1), "USERNAME", 0.9)
    if "@" in text:
        for match in _AFTER_MAIL.finditer(text):
            value = match.group(1).rstrip(".,;'\")")
            if _password_like(value):
                yield finding((match.start(1), match.start(1) + len(value)), "PASSWORD", 0.7)
    if holds(lower(text), _PASS_HINTS):
        for cue in _PASS.finditer(text):
            span = _password_after(text, cue.end())
            if span:
                yield finding(span, "PASSWORD", 0.85)


def _password_after(text: str, start: int) -> tuple[int, int] | None:
    if text.startswith("@", start):
        return None  # "pw" as the password itself, in front of a host
    if (match := _QUOTED.match(text, start)) and _quotable(match.group("v")):
        return match.span("v")
    if (match := _JSON_VALUE.match(text, start)) and _assigned(match):
        end = match.end("v")
        while end > match.start("v") and text[end - 1] in ".,;)":
            end -= 1
        return match.start("v"), end
    reach = re.compile(r"[;!?]\s|\n\s*\n|\.\s").search(text, start, start + 64)
    for token in _TOKEN.finditer(
        text, start, reach.start() + 1 if reach else min(len(text), start + 64)
    ):
        value = token.group()
        head = len(value) - len(value.lstrip("\"'`(:=<*"))
        value = value.strip("\"'`(),.:;=<>*|")
        if _password_like(value):
            return token.start() + head, token.start() + head + len(value)
    return None


def _quotable(value: str) -> bool:
    return (
        bool(value.strip())
        and not is_placeholder(value)
        and value.count(" ") <= 2
        and (any(not c.isalpha() for c in value.strip()) or value.count(" ") == 0)
        and "(" not in value
        and ":" not in value.strip()[:2]
    )


def _assigned(match: re.Match[str]) -> bool:
    value = match.group("v").rstrip(".,;)")
    if is_placeholder(value) or "(" in value or "[" in value or len(value) < 4:
        return False
    return bool(match.group("q")) or _password_like(value)


def _password_like(value: str) -> bool:
    """4 to 64 characters with a letter and a digit, or a letter and a sign inside."""
    if (
        not 4 <= len(value) <= 64
        or is_placeholder(value)
        or re.search(r"[(\[{}\])<>]|://|\.\w{2,4}$|@\w+\.", value)
    ):
        return False
    letters = any(c.isalpha() for c in value)
    numbers = any(c.isdigit() for c in value)
    signs = any(c in "!@#$%^&*+~?" for c in value)
    if re.fullmatch(r"\d+(?:[-./:]\d+)*[A-Za-z]{0,3}|[A-Za-z]+[-/][A-Za-z]+", value):
        return bool(re.fullmatch(r"\d{5,8}", value))
    return (
        letters and (numbers or signs) and not re.fullmatch(r"[a-z]{0,2}\d{1,3}[a-z]{0,2}", value)
    )


def usernames(passage: Passage) -> Iterable[Finding]:
    r"""Handles, names behind a login cue, and names in paths and `DOMAIN\user`."""
    text = passage.text
    if not words(text).isdisjoint(_USER_WORDS):
        for match in _USER_CUE.finditer(text):
            if _login_like(match, text):
                yield finding(match.span("v"), "USERNAME", 0.8)
    if "@" in text:
        for match in _HANDLE.finditer(text):
            if not _decorator(text, match):
                value = match.group().rstrip("._")
                yield finding((match.start(), match.start() + len(value)), "USERNAME", 0.8)
    if "\n" in text or text[:1] == "[" or text[:1].isdecimal():
        for match in _CHAT_LINE.finditer(text):
            if match.group(1) not in _NOBODY:
                yield finding(match.span(1), "USERNAME", 0.7)
    yield from _in_paths(text)


def _in_paths(text: str) -> Iterable[Finding]:
    r"""Names in home folders and behind a Windows domain."""
    if holds(text, _PATH_HINTS):
        for match in _PATH.finditer(text):
            value = match.group(1).rstrip(".")
            if value.lower() not in _NOBODY:
                yield finding((match.start(1), match.start(1) + len(value)), "USERNAME", 0.8)
    for match in _DOMAIN_USER.finditer(text) if "\\" in text else ():
        value = match.group(1).rstrip(".")
        if re.search(r"[._\d-]", value) and not re.match(r"[nrtu]\W", value):
            yield finding((match.start(1), match.start(1) + len(value)), "USERNAME", 0.75)


def _login_like(match: re.Match[str], text: str) -> bool:
    value = match.group("v").rstrip(".-\\")
    if (
        value.lower() in _NOBODY
        or is_placeholder(value)
        or text[match.end() : match.end() + 1] in {"(", "@"}
    ):
        return False
    told = ":" in match.group("gap") or "=" in match.group("gap")
    quoted = any(q in match.group("q") for q in "\"'`")
    odd = bool(
        re.search(r"[a-z][._-]?\d|\d[._-]?[a-z]|[a-z]_[a-z]|[a-z]\.[a-z]|@", value, re.IGNORECASE)
    )
    hyphened = "-" in value and (told or quoted)
    return (told and quoted) or odd or hyphened


def _decorator(text: str, match: re.Match[str]) -> bool:
    """A decorator, annotation, CSS rule or package scope, not a person's handle."""
    if match.group(1).rstrip(".").lower() in _NOBODY:
        return True
    line = text.rfind("\n", 0, match.start()) + 1
    rest = text[match.end() : match.end() + 2]
    alone = not text[line : match.start()].strip(" \t*/")
    return rest[:1] in {"/", "("} or (
        alone
        and rest[:1] in {"\n", "{"}
        and text[match.end() :].lstrip()[:3] in {"def", "cla", "asy", "pub", "@"}
    )
