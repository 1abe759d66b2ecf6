"""Findings carried over pairs: what is replaced in an answer is replaced where it was said, and back.

A detector that is sure of `"dob": "1985-03-14"` may pass over `14 March 1985` in the question. Where
one side of a pair is replaced and the other is not, the finding is carried to the other side.
"""

from __future__ import annotations

from collections.abc import Sequence

from pipeline.replace import Located, Replaced
from scrubbers.finding import Finding
from scrubbers.jsontext import Leaf
from scrubbers.overlaps import settle
from validators.pairs import Pair, judged, pairs

DETECTOR = "pairs"
SCORE = 0.8
ROUNDS = 2  # an answer may be carried to a question, and from there to another answer
ByLeaf = dict[int, list[Finding]]


def carried(old: Sequence[Leaf], found: Sequence[Located]) -> list[Located]:
    """The findings with those that pairs add; `found` are the ones that are replaced."""
    by_leaf = _by_leaf(found)
    for _ in range(ROUNDS if by_leaf else 0):
        more = [one for pair in _pairs(old, by_leaf) if (one := _missing(pair, old, by_leaf))]
        if not more:
            break
        for number, finding in more:
            by_leaf[number] = settle([*by_leaf.get(number, []), finding], old[number].text)
    return [(number, one) for number in sorted(by_leaf) for one in by_leaf[number]]


def torn(old: Sequence[Leaf], found: Sequence[Located], replaced: Replaced) -> bool:
    """Whether a pair of the record does not hold in what would be written."""
    return not all(judged(_pairs(old, _by_leaf(found)), replaced.leaves))


def _by_leaf(found: Sequence[Located]) -> ByLeaf:
    groups: ByLeaf = {}
    for number, finding in found:
        groups.setdefault(number, []).append(finding)
    return groups


def _pairs(old: Sequence[Leaf], by_leaf: ByLeaf) -> list[Pair]:
    return pairs(old, {n: [(f.start, f.end, f.type) for f in fs] for n, fs in by_leaf.items()})


def _missing(pair: Pair, old: Sequence[Leaf], by_leaf: ByLeaf) -> Located | None:
    """The finding that the side of a pair lacks whose other side is replaced."""
    if pair.span is None:
        return None
    text = old[pair.inner].text
    whole = len(text) - len(text.lstrip()), len(text.rstrip())
    here = _over(by_leaf.get(pair.inner, ()), text, whole)
    there = _over(by_leaf.get(pair.earlier, ()), old[pair.earlier].text, pair.span)
    if here and not there:
        return pair.earlier, Finding(*pair.span, here.type, SCORE, DETECTOR, here.country)
    if there and not here:
        return pair.inner, Finding(*whole, there.type, SCORE, DETECTOR, there.country)
    return None


def _over(found: Sequence[Finding], text: str, span: tuple[int, int]) -> Finding | None:
    """The one finding that covers all letters and digits of a span."""
    told = [at for at in range(*span) if text[at].isalnum()]
    return next((f for f in found if told and f.start <= told[0] and told[-1] < f.end), None)
