"""Values that are confirmed anywhere in the set, looked for again in every record.

A name is plain in one record ("My name is ...") and bare in another, where no detector is sure of
it; so is a number behind its cue. The set's confirmed full names and numbers are known by keyed
hash; every run of capitalised words and every longer number is hashed likewise, and what is known
is replaced there too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pipeline.known import Known
from pipeline.marking import value_digest
from pipeline.replace import Located
from pipeline.scan_plan import Plan
from scrubbers.finding import Finding
from scrubbers.jsontext import Leaf
from scrubbers.surrogates.normal import units
from scrubbers.surrogates.unit import Unwritable

DETECTOR = "set"
SCORE = 0.8
LONGEST = 4  # words of a name
_WORD = r"[^\W\d_][^\W\d_'’.-]*(?:['’-][^\W\d_]+)*"
_RUN = re.compile(
    rf"(?<!\w){_WORD}(?:,? (?:(?:d[aeiou]s?|van|von|der|den|del|la|el|bin|y|e) )*{_WORD})+"
)
_PART = re.compile(_WORD)
# Groups of letters and digits that each hold a digit, with one or two separators between.
_GROUP = r"(?=[A-Za-z]*[0-9])[A-Za-z0-9]{1,34}"
_NUMBER = re.compile(rf"(?<![\w.,-])[+(]?{_GROUP}(?:[ ./()-]{{1,2}}{_GROUP}){{0,12}}(?![\w-])")
NUMBERS = (
    "PHONE_NUMBER", "IBAN_CODE", "CREDIT_CARD", "BANK_ACCOUNT", "NATIONAL_ID", "PASSPORT",
    "MEDICAL_ID", "OTHER_ID",
)  # fmt: skip
FEWEST_DIGITS = 7


def confirmed_again(
    old: Sequence[Leaf], found: Sequence[Located], known: Known, plan: Plan
) -> list[Located]:
    """Findings of known full names and numbers that no finding touches yet."""
    if not len(known):
        return []
    taken: dict[int, list[tuple[int, int]]] = {}
    for index, finding in found:
        taken.setdefault(index, []).append((finding.start, finding.end))
    more: list[Located] = []
    for index, leaf in enumerate(old):
        spans = taken.get(index, [])
        more += [(index, f) for f in _numbers(leaf, spans, known, plan)]
        if leaf.kind != "number" and plan.actions["PERSON"] == "replace":
            more += [(index, f) for f in _names(leaf, spans, known, plan)]
    return more


def _numbers(
    leaf: Leaf, taken: Sequence[tuple[int, int]], known: Known, plan: Plan
) -> Iterator[Finding]:
    for first, last in leaf.prose:
        for match in _NUMBER.finditer(leaf.text, first, last):
            start, end = match.span()
            digits = sum(map(str.isdecimal, match.group()))
            free = not any(a < end and start < b for a, b in taken)
            if digits >= FEWEST_DIGITS and free:
                kind = _kind_of(match.group(), known, plan)
                if kind is not None:
                    yield Finding(start, end, kind, SCORE, DETECTOR)


def _kind_of(text: str, known: Known, plan: Plan) -> str | None:
    """The type as which this very value was confirmed somewhere."""
    for kind in NUMBERS:
        if plan.actions[kind] == "replace":
            try:
                parts = units(kind, text)
            except Unwritable:
                continue
            if value_digest(plan.value_key, kind, parts) in known:
                return kind
    return None


def _names(
    leaf: Leaf, taken: Sequence[tuple[int, int]], known: Known, plan: Plan
) -> Iterator[Finding]:
    for first, last in leaf.prose:
        for run in _RUN.finditer(leaf.text, first, last):
            done = run.start()
            for start, end in _windows(leaf.text, *run.span()):
                free = not any(a < end and start < b for a, b in taken)
                if start >= done and free and _is_known(leaf.text[start:end], known, plan):
                    done = end
                    yield Finding(start, end, "PERSON", SCORE, DETECTOR)


def _windows(text: str, first: int, last: int) -> Iterator[tuple[int, int]]:
    """Two to four words that begin and end with a capital, longest first from each start."""
    words = [m.span() for m in _PART.finditer(text, first, last)]
    for at, (start, _) in enumerate(words):
        if text[start].isupper():
            for beyond in range(min(at + LONGEST, len(words)), at + 1, -1):
                if text[words[beyond - 1][0]].isupper():
                    yield start, words[beyond - 1][1]


def _is_known(text: str, known: Known, plan: Plan) -> bool:
    try:
        parts = units("PERSON", text)
    except Unwritable:
        return False
    return len(parts) > 1 and value_digest(plan.value_key, "PERSON", parts) in known
