"""The full names of a record inside identifiers, handles, paths and file names, and with initials.

`mariakeller`, `lena_fischer_2024`, `getMariaKellerReport`, `pneumann`, `neumann.p`: the given name
or its initial and the surname are one span, so that no half of a name stays. Also what a record's
full names say about mentions in its texts: `P. van der Meer`, `the Bakers`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scrubbers.entities import BALANCED
from scrubbers.finding import Finding
from scrubbers.known_names import FullName, full_names, lowered
from scrubbers.propagate import DETECTOR
from scrubbers.rules.common import plain
from scrubbers.words import COMMON, word_list

_SCORE = 0.8
_SHORTEST = 4  # letters of a surname beside which an initial says something
_LONG = 5  # letters of a surname that makes no ordinary word with a letter before it
_SURE = 10  # letters of a whole name that is none by chance inside a word
_SEPARATOR = r"(?:[._+-]|%2[ed]|%5f|%20)"
_ENDINGS = frozenset(word_list("s n e a r i y es er en"))  # what a word may end on
_LEFT = re.compile(rf"{_SEPARATOR}?$")
_RIGHT = re.compile(rf"{_SEPARATOR}?")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}$")
_LOGIN = re.compile(
    r"\b(?:log-?in|log(?:ged)? (?:on|in) as|user(?:[ _-]?(?:name|id))?|account|handle|nick(?:name)?|u|id|alias"
    r"|benutzer(?:name)?|kennung|usuario|usuário|utilisateur|identifiant|utente|gebruiker(?:snaam)?|konto"
    r"|ssh|sudo|su|chown|twitter|github|insta(?:gram)?)\W{1,4}(?:(?:is|ist|es|est|è|é)\W{1,2})?$",
    re.IGNORECASE,
)
_INITIALS = re.compile(r"(?<![^\W_])(?<![.'’])((?:[^\W\d_]\.(?:[ -]|-)?){1,3} ?|[^\W\d_] )$")
_BEHIND = re.compile(r",? ([A-ZÀ-Þ]\.(?:[ -]?[A-ZÀ-Þ]\.){0,2})(?!\w)")
# A letter with a dot behind one of these ends a sentence: "Plan B. Reyes agreed."
_LETTERED = frozenset(
    word_list(
        "plan vitamin option type section class group block level grade hepatitis team version"
        " appendix part phase"
    )
)
_NO_BARE = frozenset("aieoyuAIEOYU")  # words of one letter
_FAMILY = re.compile(
    r"\b(?:the|die|den|der|de|les|i|gli|os|as|familie|family|famille|famiglia|família|familia)\s$",
    re.IGNORECASE,
)
_FILE = re.compile(r"[^\W\d]*(?:[\W_]+|[^\W\d_]+|(?<!\d)\d{1,4}(?!\d))*")

Span = tuple[int, int]


def with_glued(
    texts: Sequence[str], findings: Sequence[Sequence[Finding]], languages: Sequence[str] = ()
) -> list[list[Finding]]:
    """The findings of each text with those that the record's full names add or make longer.

    `languages`: ISO 639-1 of each text; in French a single M. is Monsieur.
    """
    names = full_names(texts, findings)
    if not names:
        return [list(group) for group in findings]
    titles = ["M." if one == "fr" else "" for one in languages or ("",) * len(texts)]
    return [
        _with_names(text, group, names, title)
        for text, group, title in zip(texts, findings, titles, strict=True)
    ]


def _with_names(
    text: str, group: Sequence[Finding], names: Sequence[FullName], title: str
) -> list[Finding]:
    low = lowered(text)
    here = [name for name in names if any(one in low for one in name.surnames)]
    found = list(group)
    if not here:
        return found
    marked = {(one.start, one.end) for one in group if one.type in {"PERSON", "USERNAME"}}
    for start, end, kind in _leftmost(_glued(text, low, here, marked)):
        found = _added(found, Finding(start, end, kind, _SCORE, DETECTOR), text)
    for start, end in (*_families(text, low, here), *_behind_initials(text, low, here, title)):
        found = _added(found, Finding(start, end, "PERSON", _SCORE, DETECTOR), text)
    return [
        _with_initials(one, text, here, title) if one.type == "PERSON" else one for one in found
    ]


def _added(found: list[Finding], new: Finding, text: str) -> list[Finding]:
    """The findings with a name: it takes the place of its parts, and of a file name around it."""
    kept: list[Finding] = []
    for old in found:
        inside = new.start <= old.start and old.end <= new.end
        around = old.start <= new.start and new.end <= old.end
        if around and old.type == "OTHER_ID" and _is_file(text, old, new):
            continue
        if around and old.type in BALANCED and not (inside and old.type == "PERSON"):
            return found
        if not (inside and old.type in {"PERSON", "USERNAME", "OTHER_ID", "ORGANIZATION"}):
            kept.append(old)
    return [*kept, new]


def _is_file(text: str, code: Finding, name: Finding) -> bool:
    """Whether beside the name a code has only words and a year."""
    rest = f"{text[code.start : name.start]} {text[name.end : code.end]}"
    return bool(_FILE.fullmatch(rest))


# --- written together ---------------------------------------------------------------------------


def _leftmost(spans: Iterator[tuple[int, int, str]]) -> Iterator[tuple[int, int, str]]:
    """Without overlaps; of those that begin alike the longest."""
    done = 0
    for start, end, kind in sorted(set(spans), key=lambda one: (one[0], -one[1], one[2])):
        if start >= done:
            done = end
            yield start, end, kind


def _glued(
    text: str, low: str, names: Sequence[FullName], marked: set[Span]
) -> Iterator[tuple[int, int, str]]:
    """(start, end, type) of all places; `marked`: where a name was found that may be one of these."""
    for name in names:
        for surname, givens in name.surnames.items():
            at = low.find(surname)
            while at >= 0:
                for start, end, whole in _around(low, at, at + len(surname), givens):
                    known = whole or (start, end) in marked
                    if _stands(text, start, end, surname, whole=whole, known=known):
                        yield start, end, _kind(text, start, end, whole=whole)
                at = low.find(surname, at + 1)


def _around(
    low: str, start: int, end: int, givens: frozenset[str]
) -> Iterator[tuple[int, int, bool]]:
    """(start, end, with a whole given name) of a surname with a given name or initial at a side."""
    left, right = _LEFT.search(low, max(0, start - 3), start), _RIGHT.match(low, end)
    for before in {start, left.start() if left else start}:
        for given in givens:
            if low.endswith(given, 0, before):
                yield before - len(given), end, len(given) > 2
    for after in {end, right.end() if right else end}:
        for given in givens:
            if low.startswith(given, after):
                yield start, after + len(given), len(given) > 2


def _stands(text: str, start: int, end: int, surname: str, *, whole: bool, known: bool) -> bool:
    """Whether a name written together is one, and no stretch of an ordinary word."""
    letters = sum(map(str.isalpha, text[start:end]))
    given = letters - len(surname)
    if whole and letters >= _SURE and given >= _SHORTEST and len(surname) >= _SHORTEST:
        return True
    if not (_begins(text, start) and _ends(text, end)):
        return False
    if known:
        return True
    if len(surname) < _SHORTEST:
        return False
    return not _may_be_word(text, start, end, surname) or _is_handle(text, start, end)


def _may_be_word(text: str, start: int, end: int, surname: str) -> bool:
    """Whether a surname and a letter may make an ordinary word: chill, ahead, bakers."""
    written = text[start:end]
    camel = written not in {written.lower(), written.upper(), written.title()}
    if camel or not written.isalpha() or text[end : end + 1].isdigit():
        return False
    beginning, _, ending = written.lower().partition(surname)
    return surname in COMMON or len(surname) < _LONG or (not beginning and ending in _ENDINGS)


def _begins(text: str, at: int) -> bool:
    """Whether a word of an identifier begins here."""
    before = text[at - 1 : at]
    if not before.isalnum() or before.isdigit() or _ESCAPE.search(text, max(0, at - 3), at):
        return True
    if not text[at].isupper():
        return False
    return before.islower() or text[at + 1 : at + 2].islower()


def _ends(text: str, at: int) -> bool:
    """Whether a word of an identifier ends here."""
    after = text[at : at + 1]
    return not after.isalnum() or after.isdigit() or (after.isupper() and text[at - 1].islower())


def _is_handle(text: str, start: int, end: int) -> bool:
    """Whether a word stands where user names do."""
    before, after = text[start - 1 : start], text[end : end + 1]
    if not text[:start].strip() and not text[end:].strip():
        return True
    if before in {"@", "/", "\\", "~"} or after in {"@", ":"}:
        return True
    if before and before in "\"'`" and after and after in "\"'`":
        return True
    return bool(_LOGIN.search(text, max(0, start - 24), start))


def _kind(text: str, start: int, end: int, *, whole: bool) -> str:
    """A user name where it stands alone or with an initial, else a person."""
    before, after = text[max(0, start - 1) : start], text[end : end + 1]
    inside = before.isalnum() or before in {"_", "-"} or after.isalnum() or after in {"_", "-"}
    dotted = after == "." and text[end + 1 : end + 2].isalnum()
    if not whole:
        return "USERNAME"
    handle = _is_handle(text, start, end)
    if inside or (dotted and not handle):
        return "PERSON"
    return "USERNAME" if handle or text[start:end].islower() else "PERSON"


# --- in running text ----------------------------------------------------------------------------


def _families(text: str, low: str, names: Sequence[FullName]) -> Iterator[Span]:
    """The plural of a surname: the Bakers, Bakers' house, the Joneses (without its ending)."""
    for surname in sorted({one for name in names for one in name.lasts if len(one) > 2}):
        at = low.find(f"{surname}s") if not surname.endswith("s") else -1
        other = low.find(f"{surname}es")
        for ending, first in (("s", at), ("es", other)):
            place = first
            while place >= 0:
                end = place + len(surname) + len(ending)
                if _is_family(text, place, end, surname, ending):
                    yield place, end if ending == "s" else end - len(ending)
                place = low.find(surname + ending, place + 1)


def _is_family(text: str, start: int, end: int, surname: str, ending: str) -> bool:
    if text[start - 1 : start].isalnum() or text[end : end + 1].isalnum():
        return False
    if not text[start].isupper() or not text[end - len(ending) : end].islower():
        return False
    if ending == "es" and surname[-1] not in "sxzh":
        return False
    if plain(surname) not in COMMON and ending == "s":
        return True
    owned = text[end : end + 1] in {"'", "’"}
    return owned or bool(_FAMILY.search(text, max(0, start - 10), start))


def _behind_initials(text: str, low: str, names: Sequence[FullName], title: str) -> Iterator[Span]:
    """Surnames, common words too, behind the initial of their given name: A. Reyes."""
    for name in names:
        for surname in name.spaced:
            at = low.find(surname, 3)
            while at >= 0:
                end = at + len(surname)
                match = _INITIALS.search(text, max(0, at - 12), at)
                letters = match[1] if match else ""
                whole = not text[end : end + 1].isalnum() and not text[at:end].islower()
                fits = "." in letters and _fit(letters, name)
                if match and whole and fits and _are_initials(letters, "", name, title):
                    yield match.start(1), end
                at = low.find(surname, at + 1)


def _with_initials(found: Finding, text: str, names: Sequence[FullName], title: str) -> Finding:
    """A surname with the initials before or, where they are the given name's, behind it."""
    value = lowered(text[found.start : found.end])
    name = next((n for n in names if any(_leads(value, one) for one in n.spaced)), None)
    if name is None:
        return found
    before = _INITIALS.search(text, max(0, found.start - 12), found.start)
    if before and _are_initials(before[1], text[: before.start(1)], name, title):
        return replace(found, start=before.start(1))
    behind = _BEHIND.match(text, found.end) if value in name.spaced else None
    if behind and _fit(behind[1], name):
        return replace(found, end=behind.end())
    return found


def _leads(value: str, surname: str) -> bool:
    return value.startswith(surname) and not value[len(surname) : len(surname) + 1].isalnum()


def _fit(initials: str, name: FullName) -> bool:
    return any(given.startswith(initials[0].lower()) for given in name.given)


def _are_initials(initials: str, before: str, name: FullName, title: str) -> bool:
    """Whether letters in front of a surname are those of a name: no title, no end of a sentence."""
    if not initials[0].isupper() or initials.strip() == title:
        return False
    if "." not in initials:
        return _fit(initials, name) and initials[0] not in _NO_BARE
    words = before.split()
    return _fit(initials, name) or not (words and words[-1].lower() in _LETTERED)
