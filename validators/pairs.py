"""Pairs: values in the JSON of an answer that stand in an earlier turn, in the same or another form.

A pair says which leaf of an answer agrees with which earlier leaf, and how (`KINDS`). It is found
in the record as it came, and judged anew in the record that was written.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from scrubbers.jsontext import Leaf
from validators.pair_forms import KINDS, ORDER, Finder, Marks, sought
from validators.pair_index import Hit, Index
from validators.pair_turns import SIDES, Spoken, answers, in_order, spoken

__all__ = ["KINDS", "Marks", "Pair", "holds", "judged", "pairs"]

# What a pair must still be: another case or spacing is as good as the one before.
_LOOSE = {"case": "spacing", "chars": "spacing"}
_PLACED = frozenset({"exact", "case", "chars", "spacing", "date", "order"})
_TRIES = 4096  # places that are looked at before a pair is called broken


@dataclass(frozen=True, slots=True)
class Pair:
    """Numbers of two leaves, the answer's and the earlier one, and the kind of their agreement.

    `span` is where the value stands in the earlier leaf's text; None where that is not exact (a
    part, a tail, a number told by its end, a value read without its escapes).
    """

    inner: int
    earlier: int
    kind: str
    span: tuple[int, int] | None = field(default=None, compare=False)


def pairs(leaves: Sequence[Leaf], marks: Marks | None = None) -> list[Pair]:
    """All pairs of a record, at most one for each leaf, in the order of the leaves.

    `marks`: number of a leaf -> (start, end, type) of the identifiers in its text. With
    them, values that say little by themselves (`NS`, `grace`) count where they are identifiers.
    """
    turns = spoken(leaves)
    sides = [side for side in SIDES if any(turn and turn.side == side for turn in turns)]
    found: dict[int, Pair] = {}
    for side in sides or [""]:
        for pair in _of_talk(leaves, turns, side, marks):
            found.setdefault(pair.inner, pair)
    return [found[number] for number in sorted(found)]


def _of_talk(
    leaves: Sequence[Leaf], turns: Sequence[Spoken | None], side: str, marks: Marks | None
) -> Iterator[Pair]:
    groups = [(turns[group[0]], group) for group in in_order(leaves, turns, side)]
    wanted = [_wanted(leaves, turn, group) for turn, group in groups]
    if not any(wanted[1:]):
        return
    last = max(number for number, inner in enumerate(wanted) if inner)
    index, outer = Index(), outer_numbers(leaves)
    finder = Finder(index, marks)
    for (turn, group), inner in list(zip(groups, wanted, strict=True))[: last + 1]:
        for number in inner if index.norms else ():
            hit = finder.best(sought(leaves[number], number, marks))
            if hit is not None:
                yield _pair(number, index, *hit)
        for number in group:
            index.add(number, outer[number], turn.role if turn else "", read(leaves[number]))


def _pair(number: int, index: Index, kind: int, hit: Hit) -> Pair:
    segment = index.segment(hit.first)
    exact = segment.own and KINDS[kind] in _PLACED and (kind != ORDER or hit.first < hit.last)
    span = segment.words.read.original(*index.span(hit)) if exact else None
    return Pair(number, segment.leaf, KINDS[kind], span)


def _wanted(leaves: Sequence[Leaf], turn: Spoken | None, group: Sequence[int]) -> list[int]:
    if turn is None or turn.role != "assistant":
        return []
    return [number for number in group if answers(leaves[number])]


def outer_numbers(leaves: Sequence[Leaf]) -> list[int]:
    """For each leaf the number of the outer leaf that it stands in."""
    found: list[int] = []
    for number, leaf in enumerate(leaves):
        found.append(number if leaf.inner_steps is None else found[-1])
    return found


def read(leaf: Leaf) -> str:
    """The text of a leaf, with JSON inside it, whose leaves come by themselves, blanked out."""
    if leaf.prose == ((0, len(leaf.text)),):
        return leaf.text
    out, at = [], 0
    for start, end in leaf.prose:
        out += ["\n" * (start - at), leaf.text[start:end]]
        at = end
    return "".join(out)


def holds(pair: Pair, leaves: Sequence[Leaf]) -> bool:
    """Whether a pair agrees in these leaves, which are those of the record in the same order."""
    return judged([pair], leaves)[0]


def judged(found: Sequence[Pair], leaves: Sequence[Leaf]) -> list[bool]:
    """For each pair whether it agrees in these leaves; each earlier text is read once."""
    outer = outer_numbers(leaves)
    groups: dict[int, list[int]] = {}
    for number, leaf_outer in enumerate(outer):
        if leaves[number].kind != "key":
            groups.setdefault(leaf_outer, []).append(number)
    finders: dict[int, Finder] = {}
    verdicts = []
    for pair in found:
        place = outer[pair.earlier]
        if place not in finders:
            index = Index(_TRIES)
            for number in groups.get(place, ()):
                index.add(number, place, "", read(leaves[number]))
            finders[place] = Finder(index, None)
        limit = KINDS.index(_LOOSE.get(pair.kind, pair.kind))
        value = sought(leaves[pair.inner], pair.inner, None)
        verdicts.append(finders[place].stands(value, limit))
    return verdicts
