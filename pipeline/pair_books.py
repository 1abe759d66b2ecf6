"""`pairs.jsonl`: values that an answer shares with an earlier turn, as places; judged when written."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from pipeline.covered import Row, rows, shipped
from pipeline.folder import SPLITS
from pipeline.replace import Located
from pipeline.violations import Tally, Violation
from scrubbers.jsontext import Leaf, NotJson, leaves
from validators.pairs import KINDS, Pair, judged, pairs

NAME = "pair-broken"
FILE = "pairs.jsonl"
PlaceOf = Callable[[Leaf], dict[str, str]]


def pair_rows(
    old: Sequence[Leaf], new: Sequence[Leaf], found: Sequence[Located], place_of: PlaceOf
) -> Iterator[Row]:
    """What is kept of each pair of a record, without its split and number.

    `old` and `new`: the leaves before and after, in the same order; `found`: what is replaced. A
    row has the places in the new record, the leaves' numbers, the kind, and whether the answer's
    value is a surrogate.
    """
    marks: dict[int, list[tuple[int, int, str]]] = {}
    for number, finding in found:
        marks.setdefault(number, []).append((finding.start, finding.end, finding.type))
    for pair in pairs(old, marks):
        yield {
            **place_of(new[pair.inner]), "earlier": place_of(new[pair.earlier]),
            "leaves": [pair.inner, pair.earlier], "kind": pair.kind,
            "replaced": pair.inner in marks,
        }  # fmt: skip


def broken_pairs(root: Path, tally: Tally) -> Iterator[Violation]:
    """The pairs of a written folder that no longer agree, in the order of the shipped records."""
    told = {split: _by_record(root / "keep" / FILE, split) for split in SPLITS}
    sources = {split: _by_record(root / "keep" / "lineage.jsonl", split) for split in SPLITS}
    waiting = {split: next(groups, None) for split, groups in told.items()}
    for split, number, text in shipped(root):
        group = waiting[split]
        if group is None or group[0] != number:
            continue
        waiting[split] = next(told[split], None)
        tally.judged[NAME] += len(group[1])
        broken = _broken(text, group[1])
        place = {"split": split, "record": number}
        source = _source(sources[split], number) if broken else {}
        for row in broken:
            yield NAME, "agreed with an earlier turn and does not now.", {
                **place, **_place(row), **source,
            }  # fmt: skip
    for split, group in waiting.items():
        if group is not None:
            place = {"split": split, "record": group[0]}
            yield NAME, "is a pair of a record that is not there.", place


def _by_record(path: Path, split: str) -> Iterator[tuple[int, list[Row]]]:
    of_split = (row for row in rows(path) if row["split"] == split)
    for number, group in groupby(of_split, key=lambda row: int(row["record"])):
        yield number, list(group)


def _broken(text: str, told: Sequence[Row]) -> list[Row]:
    """The rows whose pair does not hold in a record, or is none of it."""
    try:
        found = leaves(text)
    except NotJson:
        return list(told)
    lost = [row for row in told if not _fits(row, len(found))]
    whole = [row for row in told if _fits(row, len(found))]
    verdicts = judged([_pair(row) for row in whole], found)
    return lost + [row for row, holds in zip(whole, verdicts, strict=True) if not holds]


def _pair(row: Row) -> Pair:
    inner, earlier = row["leaves"]
    return Pair(inner, earlier, row["kind"])


def _fits(row: Row, count: int) -> bool:
    return row["kind"] in KINDS and all(0 <= number < count for number in row["leaves"])


def _place(row: Row) -> dict[str, Any]:
    return {name: row[name] for name in ("path", "inner") if name in row}


def _source(lines: Iterator[tuple[int, list[Row]]], number: int) -> dict[str, Any]:
    """Where a record came from; `lines` are those of lineage.jsonl that were not read yet."""
    for at, group in lines:
        if at >= number:
            return {"source": group[0]["source"]} if at == number else {}
    return {}
