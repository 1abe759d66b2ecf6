"""Values confirmed once in a record are looked for in all its leaves.

Full values are found in any case and, for numbers, with other separators. Names are found by
part too ("Ana Reyes" confirms "Reyes"), e-mails by a local part that is clearly a login.
Only confirmed findings are sources, never propagated ones, so a second run adds nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scrubbers.entities import BALANCED
from scrubbers.finding import Finding
from scrubbers.rules.common import compact, digits, plain
from scrubbers.words import COMMON, PARTICLES, ROLES, TITLES, word_list

DETECTOR = "propagate"
_SCORE = 0.8
_NUMBERS = frozenset(
    word_list(
        "PHONE_NUMBER IBAN_CODE CREDIT_CARD BANK_ACCOUNT NATIONAL_ID PASSPORT LICENCE_PLATE"
        " MEDICAL_ID OTHER_ID"
    )
)
_LITERAL = frozenset(
    word_list("EMAIL_ADDRESS ADDRESS DATE_OF_BIRTH USERNAME PASSWORD SECRET IP_ADDRESS")
)
_EXACT_CASE = frozenset({"PASSWORD", "SECRET"})
_NAME_WORD = re.compile(r"[^\W\d_]+(?:['-][^\W\d_]+)*")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n\"'>*#-]\s*|[-*]\s)$")
_ARTICLE = re.compile(
    r"\b(?:the|a|an|im|am|in|der|die|das|dem|den|ein|eine|el|la|los|las|un|una|le|les|une|il|lo|i|gli"
    r"|o|os|as|um|uma|het|een|de|del|della|do|da)\s$",
    re.IGNORECASE,
)
_MOST_VALUES = 2000  # distinct values searched for in one record


@dataclass(frozen=True, slots=True, order=True)
class _Wanted:
    """`pattern` source, the type it confirms, and how case is treated."""

    kind: str
    pattern: str
    mode: str  # "any" case, "exact" case, "name" (capitals, or lower case if uncommon), "common"


def propagate(
    leaf_texts: Sequence[str], findings: Sequence[Sequence[Finding]]
) -> list[list[Finding]]:
    """Extra findings for each leaf; nothing that an existing finding of an acted type covers."""
    wanted = sorted(set(_wanted(leaf_texts, findings)))[:_MOST_VALUES]
    extra: list[list[Finding]] = [[] for _ in leaf_texts]
    for (kind, mode), pattern in _compiled(wanted).items():
        for at, text in enumerate(leaf_texts):
            for match in pattern.finditer(text):
                if mode in {"name", "common"} and not _stands_as_name(text, match, mode):
                    continue
                new = Finding(match.start(), match.end(), kind, _SCORE, DETECTOR)
                if not _covered(new, [*findings[at], *extra[at]]):
                    extra[at].append(new)
    return extra


def _compiled(wanted: Iterable[_Wanted]) -> dict[tuple[str, str], re.Pattern[str]]:
    """One pattern for each type and mode; longer values first."""
    groups: dict[tuple[str, str], list[str]] = {}
    for item in wanted:
        groups.setdefault((item.kind, item.mode), []).append(item.pattern)
    return {
        key: re.compile(
            r"(?<![^\W_])(?:"
            + "|".join(sorted(set(group), key=lambda p: (-len(p), p)))
            + r")(?![^\W_])",
            0 if key[1] == "exact" else re.IGNORECASE,
        )
        for key, group in groups.items()
    }


def _wanted(texts: Sequence[str], findings: Sequence[Sequence[Finding]]) -> Iterator[_Wanted]:
    values = {
        (found.type, text[found.start : found.end].strip())
        for text, group in zip(texts, findings, strict=True)
        for found in group
        if found.detector != DETECTOR and found.type in BALANCED
    }
    surnames = {plain(w) for kind, v in values if kind == "PERSON" for w in _NAME_WORD.findall(v)}
    for kind, value in values:
        if kind == "PERSON":
            yield from _name_patterns(value)
        elif kind in _NUMBERS:
            yield from _number_patterns(kind, value)
        elif kind in _LITERAL and _distinct(kind, value):
            yield _Wanted(kind, _spaced(value), "exact" if kind in _EXACT_CASE else "any")
        if kind == "EMAIL_ADDRESS":
            yield from _login(value, surnames)


def _spaced(value: str) -> str:
    return r"\s+".join(re.escape(part) for part in value.split())


def _distinct(kind: str, value: str) -> bool:
    """Long or odd enough to be looked for alone."""
    if kind in _EXACT_CASE or kind == "USERNAME":
        odd = any(not c.isalpha() for c in value)
        return len(value) >= 8 or (len(value) >= 5 and odd)
    return len(value) >= 5 if kind != "ADDRESS" else len(compact(value)) >= 6 or not value.isdigit()


def _name_patterns(value: str) -> Iterator[_Wanted]:
    words = [w for w in _NAME_WORD.findall(value) if plain(w) not in TITLES]
    if len(words) >= 2:
        joined = r"\.?,?\s{1,2}".join(re.escape(w) for w in words)
        turned = rf"{re.escape(words[-1])},?\s{{1,2}}" + r"\s{1,2}".join(map(re.escape, words[:-1]))
        yield from (_Wanted("PERSON", joined, "any"), _Wanted("PERSON", turned, "any"))
    for word in words:
        low = plain(word)
        if len(word) >= 3 and low not in PARTICLES:
            yield _Wanted("PERSON", re.escape(word), "common" if low in COMMON else "name")


def _stands_as_name(text: str, match: re.Match[str], mode: str) -> bool:
    """A name part counts capitalised, or in lower case if it is no common word.

    A common word ("Will", "Grace") counts capitalised only, not at the start of a sentence and
    not behind an article.
    """
    value = match.group()
    if mode == "name":
        return value[:1].isupper() or len(value) >= 4
    before = text[max(0, match.start() - 12) : match.start()]
    if not value[:1].isupper() or (value.isupper() and text.isupper()):
        return False
    return not _SENTENCE_START.search(before) and not _ARTICLE.search(before)


def _number_patterns(kind: str, value: str) -> Iterator[_Wanted]:
    packed = compact(value)
    number = digits(packed)
    if len(packed) < (5 if number != packed or kind not in {"OTHER_ID", "BANK_ACCOUNT"} else 6):
        return
    if not number or len(packed) > 40 or not packed.isascii():
        return
    yield _Wanted(kind, r"[\s\-./]{0,2}".join(packed), "any")
    if kind == "PHONE_NUMBER" and number == packed and len(number) >= 9:
        tail = number[-9:] if len(number) >= 11 else number[-8:]
        separated = r"[\s().\-/]{0,3}".join(tail)
        yield _Wanted(
            kind,
            r"(?:(?:00)?\d{1,3}[\s().\-/]{0,3})?(?:\(?0\)?[\s().\-/]{0,3})?" + separated,
            "any",
        )


def _login(value: str, names: set[str]) -> Iterator[_Wanted]:
    """The local part, if it has a digit or separator, or holds a confirmed name."""
    local = value.partition("@")[0]
    low = plain(local)
    if len(local) < 5 or low in ROLES:
        return
    odd = any(not c.isalpha() for c in local)
    if odd or any(len(name) >= 4 and name in low and name != low for name in names):
        yield _Wanted("USERNAME", re.escape(local), "any")


def _covered(new: Finding, existing: Iterable[Finding]) -> bool:
    return any(f.start <= new.start and new.end <= f.end and f.type in BALANCED for f in existing)
