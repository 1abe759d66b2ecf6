"""Findings carried over pairs: what is replaced in an answer is replaced where it was said, and back.

A detector that is sure of `"dob": "1985-03-14"` may pass over `14 March 1985` in the question. Where
a pair would break because one side of it is replaced and the other is not, the finding is carried to
the other side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pipeline.replace import Located, Replaced
from scrubbers.finding import Finding
from scrubbers.jsontext import Leaf
from scrubbers.overlaps import settle
from validators.pairs import Pair, judged, pairs

DETECTOR = "pairs"
SCORE = 0.8
DATES = ("DATE_OF_BIRTH", "DATE_TIME")
ByLeaf = dict[int, list[Finding]]


def carried(
    old: Sequence[Leaf], found: Sequence[Located], broken: Sequence[Pair]
) -> list[Located] | None:
    """The findings with those that mend broken pairs; None where none can be mended."""
    by_leaf = _by_leaf(found)
    more = [one for pair in broken if (one := _mended(pair, old, by_leaf))]
    for number, finding, instead in more:
        others = [one for one in by_leaf.get(number, []) if one != instead]
        by_leaf[number] = settle([*others, finding], old[number].text)
    if not more:
        return None
    return [(number, one) for number in sorted(by_leaf) for one in by_leaf[number]]


def torn(old: Sequence[Leaf], found: Sequence[Located], replaced: Replaced) -> list[Pair]:
    """The pairs of a record that do not hold in what would be written.

    `found` is what was replaced in `replaced`.
    """
    marks = {n: [(f.start, f.end, f.type) for f in fs] for n, fs in _by_leaf(found).items()}
    every = pairs(old, marks)
    held = judged(every, replaced.leaves)
    return [pair for pair, holds in zip(every, held, strict=True) if not holds]


def _by_leaf(found: Sequence[Located]) -> ByLeaf:
    groups: ByLeaf = {}
    for number, finding in found:
        groups.setdefault(number, []).append(finding)
    return groups


def _mended(
    pair: Pair, old: Sequence[Leaf], by_leaf: ByLeaf
) -> tuple[int, Finding, Finding | None] | None:
    """Leaf and finding that a broken pair lacks, and the finding in whose place it comes.

    One side is not replaced: it gets the other's type. Both are, as different types: what the
    answer's JSON says of its value counts.
    """
    if pair.span is None:
        return None
    text, said = old[pair.inner].text, old[pair.earlier].text
    whole = len(text) - len(text.lstrip()), len(text.rstrip())
    span = pair.span
    if text.endswith(".") and said.startswith(".", span[1]):  # B.TH. is no B.TH
        span = span[0], span[1] + 1
    here = _over(by_leaf.get(pair.inner, ()), text, whole)
    there = _over(by_leaf.get(pair.earlier, ()), said, span)
    known = here or there
    if known is None or (pair.kind == "date" and known.type not in DATES):
        return None
    if here and there:
        if here.type == there.type or not _is_all(there, said, span):
            return None
        return pair.earlier, replace(there, type=here.type, country=here.country), there
    place, where = (pair.earlier, span) if here else (pair.inner, whole)
    return place, Finding(*where, known.type, SCORE, DETECTOR, known.country), None


def _is_all(found: Finding, text: str, span: tuple[int, int]) -> bool:
    """Whether a finding has no letter or digit beyond a span."""
    beyond = text[found.start : span[0]] + text[span[1] : found.end]
    return not any(map(str.isalnum, beyond))


def _over(found: Sequence[Finding], text: str, span: tuple[int, int]) -> Finding | None:
    """The one finding that covers all letters and digits of a span."""
    told = [at for at in range(*span) if text[at].isalnum()]
    return next((f for f in found if told and f.start <= told[0] and told[-1] < f.end), None)
