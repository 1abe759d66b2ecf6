"""E-mail addresses and phone numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import cues, shapes
from scrubbers.rules.common import digits, finding, holds, lower, runs
from scrubbers.words import word_list

_DOMAIN = re.compile(
    r"(?:[^\W_](?:[\w-]{0,61}[^\W_])?\.)+(?:xn--[\w-]{2,59}|[^\W\d_]{2,24})(?![\w])"
)
_LOCAL = frozenset("._%+-'&~")
_FILES = frozenset(
    word_list("png jpg jpeg gif svg webp bmp ico css js ts tsx py html htm json xml")
)
_SPOKEN = re.compile(
    r"(?<![\w.])([\w.+-]{2,40}) ?(?:\(at\)|\[at\]|\{at\}| @ |\(arroba\)| arroba | chiocciola | arobase )"
    r" ?([\w-]{2,40}(?: ?(?:\(dot\)|\[dot\]|\.| dot | punto | point | punkt | ponto | punt ) ?[\w-]{2,20}){1,3})(?!\w)",
    re.IGNORECASE,
)
_SPOKEN_HINTS = ("(at)", "[at]", "{at}", " @ ", "arroba", "chiocciola", "arobase")

_CANDIDATE = re.compile(
    r"(?<!\d)(?:\(?\+ ?)?(?:\((?=\+?\d{1,5}\)))?\d(?:(?:\) ?[-(]?| ?\(| ?[-/] ?|[. ]| - )?\d){5,16}(?!\d)"
)
_PLUS = "%2B"  # a plus in a URL
_SIGNS = 4  # "(+ (": the longest that stands before the first digit
_EXTENSION = re.compile(
    r"\)?,?\s?(?:ext(?:ension)?|extn|x|poste|durchwahl|dw|int(?:erno)?|ramal|toestel)\.?:?\s?\d{1,5}(?!\d)",
    re.IGNORECASE,
)
_SHORT = re.compile(
    r"(?<!\w)(?:ext(?:ension)?|extn|durchwahl|intern|poste|ramal|toestel|interno)\.?:?\s?"
    r"(-?\d[\d -]{1,7}\d)(?![\w.,]\d)",
    re.IGNORECASE,
)
_SHORT_HINTS = ("ext", "durchwahl", "intern", "poste", "ramal", "toestel")
_GLUED = re.compile(
    r"(?:^|[^A-Za-z])(tel|phone|ph|fax|mob|cell|tlf|cel|telefon|te)$", re.IGNORECASE
)
_LETTER_CUE = re.compile(r"(?:^|[\n|·•;,/(\\]|n\b|  )\s*(?:[TMFHPC]|Tel|Mob|Ph)[:.]?\s*$")
_THOUSANDS = re.compile(
    r"\d{1,4}(?:\.\d{3})+[/-]|.*/(?:19|20)\d\d(?!\d)|"
    r"\d{1,3}(?:\.\d{3})+$|\d+\.\d+$|(?:19|20)\d\d ?[-/] ?(?:19|20)\d\d$"
)
_INSIDE_DATE = re.compile(
    r"(?<!\d)(?:(?:19|20)\d\d[-/.][01]\d[-/.][0-3]\d|\d{1,2}[./]\d{1,2}[./]\d{4}"
    r"|[0-3]?\d-[0-3]?\d-(?:19|20)\d\d)(?!\d)"
)
_NANP = re.compile(r"(?:1[ .-]?)?(?:\(\d{3}\) ?|\d{3}[-. ])\d{3}[-. ]?\d{4}$")
# Countries without a trunk prefix: Spain and Latin America, Italy's mobiles, Portugal and Brazil.
_UNPREFIXED = {
    "es": re.compile(
        r"(?:[6789]\d\d?(?:[ .-]\d{2,3}){3}|[6789]\d\d[ .-]\d{3}[ .-]\d{3}|\d{2,3}[ -]\d{3,4}[ -]\d{4})$"
    ),
    "it": re.compile(r"3\d\d[ ./-]\d{2,7}(?:[ .-]\d{2,4}){0,3}$"),
    "pt": re.compile(r"(?:[29]\d{2}[ .-]\d{3}[ .-]\d{3}|\d{2} 9?[ .]?\d{4}[ .-]\d{4})$"),
}
_MOBILE = {
    "fr": re.compile(r"0[67]\d{8}$"),
    "en": re.compile(r"07\d{9}$"),
    "nl": re.compile(r"06\d{8}$"),
}
_NO_MOBILE = re.compile(r"(?!)")
_TRUNK_FORM = re.compile(r"0[1-9]\d{0,4}(?:(?: ?[/ -] ?\d{2,7}){1,4}|(?:[./]\d{2}){3,4})$")
_IP = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}$")
_MAIL_NEAR = 60

REGIONS: dict[str, tuple[str, ...]] = {
    "en": ("US", "GB", "IE", "CA", "AU", "IN", "ZA", "NZ"),
    "es": ("ES", "MX", "AR", "CO", "CL", "PE"),
    "fr": ("FR", "BE", "CH", "CA", "LU"),
    "de": ("DE", "AT", "CH"),
    "it": ("IT", "CH"),
    "pt": ("PT", "BR"),
    "nl": ("NL", "BE"),
}
_ANY = ("US", "GB", "ES", "FR", "DE", "IT", "PT", "NL", "MX", "BR", "BE", "IN")


def emails(passage: Passage) -> Iterable[Finding]:
    """E-mail addresses with any top-level label (also .internal, .test), IDN included."""
    text = passage.text
    at = text.find("@")
    while at >= 0:
        start = _local_start(text, at)
        match = _DOMAIN.match(text, at + 1)
        if match and start < at and _is_address(text, start, match.end()):
            yield finding((start, match.end()), "EMAIL_ADDRESS", 0.98)
        at = text.find("@", match.end() if match else at + 1)
    if holds(lower(text), _SPOKEN_HINTS):
        for spoken in _SPOKEN.finditer(text):
            yield finding(spoken.span(), "EMAIL_ADDRESS", 0.7)


def _local_start(text: str, at: int) -> int:
    start = at
    while (
        start > 0
        and at - start < 64
        and (text[start - 1].isalnum() or text[start - 1] in _LOCAL or text[start - 1] == "_")
    ):
        start -= 1
    while start < at and not (text[start].isalnum() or text[start] == "_"):
        start += 1
    if start > 1 and text[start - 1] == "\\" and text[start] in "nrt" and at - start > 2:
        start += 1  # an escaped line break in front
    return start


def _is_address(text: str, start: int, end: int) -> bool:
    if text[max(0, start - 1) : start] in {"/", ":"} and "://" in text[max(0, start - 40) : start]:
        return False  # user and password of a URL
    if text.startswith("git@", start) and text[end : end + 1] == ":":
        return False
    return text[start:end].rpartition(".")[2].lower() not in _FILES


def phones(passage: Passage) -> Iterable[Finding]:
    """Phone numbers: international form; national form, valid and written as one; or by cue."""
    text = passage.text
    for match in _candidates(text):
        start, end = match.span()
        score = _phone_score(text, start, end, passage.language)
        if score:
            extension = _EXTENSION.match(text, end)
            if text[start] == "(" and ")" not in match.group():
                start += 1
            start -= len(_PLUS) if _escaped_plus(text, start) else 0
            yield finding((start, extension.end() if extension else end), "PHONE_NUMBER", score)
    for short in _SHORT.finditer(text) if holds(lower(text), _SHORT_HINTS) else ():
        yield finding(short.span(1), "PHONE_NUMBER", 0.6)


def _candidates(text: str) -> Iterable[re.Match[str]]:
    """What may be a phone number: begins with a run of digits or the signs before one."""
    done = 0
    for start, _ in runs(text):
        if start < done:
            continue
        signs = text[max(done, start - _SIGNS) : start]
        first = start - len(signs) if "+" in signs or "(" in signs else start
        tries = (_CANDIDATE.match(text, at) for at in range(first, start + 1))
        if match := next(filter(None, tries), None):
            done = match.end()
            yield match


def _phone_score(text: str, start: int, end: int, language: str) -> float:
    """How sure a candidate is a phone number; 0 if it is none."""
    value = text[start:end].strip()
    number = digits(value)
    if not 7 <= len(number) <= 15 or len(set(number)) < 2 or _not_a_phone(text, start, end):
        return 0.0
    plus = value.startswith("+") or text[max(0, start - 1) : start + 1] == "(+"
    if plus or _escaped_plus(text, start) or value.startswith("(+"):
        return _international(number)
    cue = cues.before(text, start)
    if _called(text, start, cue) and not shapes.looks_like_date(text, start):
        return 0.88
    if cue is not None and cue.unknown == 0 and "(" not in value:
        return 0.0
    if re.match(r"00[1-9]{2}", value) and len(number) >= 11:
        return _international(number[2:]) if _international(number[2:]) > 0.9 else 0.0
    return _national(text, start, end, value, language)


def _called(text: str, start: int, cue: cues.Cue | None) -> bool:
    """Whether a phone word stands before the number, apart or glued to it ("tel212-...")."""
    before = text[max(0, start - 12) : start]
    told = cue is not None and cue.kind == "PHONE_NUMBER"
    return told or bool(_GLUED.search(before) or _LETTER_CUE.search(before))


def _not_a_phone(text: str, start: int, end: int) -> bool:
    """Dates, addresses of machines, amounts, and digits inside a longer word."""
    value = text[start:end].strip()
    escaped = _escaped_plus(text, start)
    ahead = start - len(_PLUS) if escaped else start
    before = text[max(0, ahead - 1) : ahead]
    if ((before.isascii() and before.isalnum()) or before in {"_", "@"}) and not _GLUED.search(
        text[max(0, start - 12) : start]
    ):
        return True
    if text[end : end + 1].isalpha() and not _EXTENSION.match(text, end):
        return True
    if _INSIDE_DATE.search(value) or _IP.match(value) or _THOUSANDS.match(value):
        return True
    return not escaped and before in {"$", "€", "£", ".", "#", "/", "="}


def _escaped_plus(text: str, start: int) -> bool:
    """Whether %2B stands before a number."""
    return text[max(0, start - len(_PLUS)) : start].upper() == _PLUS


def _international(number: str) -> float:
    import phonenumbers  # noqa: PLC0415 -- dear to import

    try:
        parsed = phonenumbers.parse("+" + number, None)
    except phonenumbers.NumberParseException:
        return 0.0
    if phonenumbers.is_valid_number(parsed):
        return 0.95
    return 0.8 if len(number) >= 9 else 0.0


def _national(text: str, start: int, end: int, value: str, language: str) -> float:
    number = digits(value)
    separated = number != value
    near = text[max(0, start - _MAIL_NEAR) : end + _MAIL_NEAR]
    in_contact = "@" in near or "tel:" in near
    trunk = number.startswith("0") and len(number) >= 10
    if not separated and not in_contact and not (trunk and len(number) <= 12):
        return 0.0
    if separated and not (trunk or value[0] == "(" or _phone_like(value, language) or in_contact):
        return 0.0
    if _valid_somewhere(value, language):
        return 0.88 if "(" in value else 0.75
    if not separated and _MOBILE.get(language, _NO_MOBILE).match(value):
        return 0.6
    # Fictional and newly opened ranges: the form of the trunk prefix and groups has to do.
    return 0.6 if separated and trunk and _TRUNK_FORM.match(value) else 0.0


def _phone_like(value: str, language: str) -> bool:
    """A form without trunk prefix, as the language's countries write it."""
    form = _UNPREFIXED.get(language)
    return bool(_NANP.match(value) or (form and form.match(value)))


def _valid_somewhere(value: str, language: str) -> bool:
    import phonenumbers  # noqa: PLC0415 -- dear to import

    for region in REGIONS.get(language, _ANY):
        try:
            parsed = phonenumbers.parse(value, region)
        except phonenumbers.NumberParseException:
            continue
        if phonenumbers.is_valid_number(parsed):
            return True
    return False
