"""Full names that are confirmed anywhere in the set, looked for again in every record.

A name is plain in one record ("My name is ...") and bare in another, where no detector is sure of
it. The set's confirmed full names are known by keyed hash; every run of capitalised words is
hashed likewise, and what is known is replaced there too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from pipeline.replace import Located
from pipeline.scan import Plan, value_digest
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


def confirmed_again(
    old: Sequence[Leaf], found: Sequence[Located], names: Collection[str], plan: Plan
) -> list[Located]:
    """Findings of known full names that no finding touches yet."""
    if not names or plan.actions["PERSON"] != "replace":
        return []
    taken: dict[int, list[tuple[int, int]]] = {}
    for index, finding in found:
        taken.setdefault(index, []).append((finding.start, finding.end))
    more: list[Located] = []
    for index, leaf in enumerate(old):
        if leaf.kind != "number":
            spans = taken.get(index, [])
            more += [(index, f) for f in _in_leaf(leaf, spans, names, plan)]
    return more


def _in_leaf(
    leaf: Leaf, taken: Sequence[tuple[int, int]], names: Collection[str], plan: Plan
) -> Iterator[Finding]:
    for first, last in leaf.prose:
        for run in _RUN.finditer(leaf.text, first, last):
            done = run.start()
            for start, end in _windows(leaf.text, *run.span()):
                free = not any(a < end and start < b for a, b in taken)
                if start >= done and free and _known(leaf.text[start:end], names, plan):
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


def _known(text: str, names: Collection[str], plan: Plan) -> bool:
    try:
        parts = units("PERSON", text, None)
    except Unwritable:
        return False
    return len(parts) > 1 and value_digest(plan.value_key, "PERSON", parts) in names
