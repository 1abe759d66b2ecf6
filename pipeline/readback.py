"""A written folder read back: every record with its books, every surrogate as what it reads as."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipeline.covered import Row, rows, with_edits
from pipeline.folder import SPLITS
from pipeline.marking import value_digest
from pipeline.places import place_of
from pipeline.replace import unit_digest
from scrubbers.jsonplace import own_offset
from scrubbers.jsontext import Leaf
from scrubbers.surrogates.context import ALONE, Context, Value, contexts
from scrubbers.surrogates.normal import Unit, Unwritable, units

UNIT = 8  # bytes of a unit's keyed hash in the books
OWN = ("domain", "label", "digits")  # families of units that stand for nothing else
Place = tuple[str, str, str]
UnitPair = tuple[bytes, bytes]


@dataclass(frozen=True, slots=True)
class Bench:
    """What written surrogates are judged with: two subkeys, and the settings that they obey."""

    value_key: bytes = field(repr=False)
    surrogate_key: bytes = field(repr=False)
    scope: str
    dates: str = ""
    valid: bool = False
    keep_area: bool = False


@dataclass(frozen=True, slots=True)
class Shipped:
    """A shipped record with its edits and its line in lineage.jsonl (empty where it has none)."""

    split: str
    number: int
    text: str
    edits: Sequence[Row]
    line: Row

    def place(self, **more: Any) -> dict[str, Any]:
        """Where the record is, and where it came from."""
        source = {"source": self.line["source"]} if "source" in self.line else {}
        return {"split": self.split, "record": self.number, **more, **source}

    def joined(self, bench: Bench) -> str:
        """What ties the mapping of units to this record, or nothing."""
        return str(self.line.get("key", "")) if bench.scope == "record" else ""


@dataclass(frozen=True, slots=True)
class Read:
    """A surrogate read back.

    `parts` is None where it cannot be taken apart. `pairs` are keyed hashes of the original's units
    and of those that stand in their place, in order; None where they are not as many. `apart`: it
    stands for another value of its record, and is not read as the surrogate of that.
    """

    edit: Row
    value: Value
    context: Context
    parts: tuple[Unit, ...] | None
    digest: bytes
    pairs: tuple[UnitPair, ...] | None
    apart: bool = False


def records(root: Path) -> Iterator[Shipped]:
    """Every shipped record beside its books, in the order of the files."""
    waiting = {split: _lines(root, split) for split in SPLITS}
    line: Row = {}
    for split, number, text, edits in with_edits(root):
        while not line or line["split"] != split or line["record"] < number:
            line = next(waiting[split], {"split": split, "record": number + 1, "end": True})
        fits = line["record"] == number and "end" not in line
        yield Shipped(split, number, text, edits, line if fits else {})


def _lines(root: Path, split: str) -> Iterator[Row]:
    return (row for row in rows(root / "keep" / "lineage.jsonl") if row["split"] == split)


def read_back(
    record: Shipped, found: Sequence[Leaf], bench: Bench
) -> list[tuple[Row, Read | None]]:
    """Each edit with what stands at its place; None where the record lacks the place.

    What stood alone in the original is read alone; what stood for another value, such as an
    initial, is read beside the surrogates of the record.
    """
    placed = _by_place(found)
    values = [_written(edit, placed) for edit in record.edits]
    there = [value for value in values if value is not None]
    language, order = record.line.get("language", ""), record.line.get("order", "")
    told = iter(contexts(there, language, bench.dates, order, keep_area=bench.keep_area))
    seen = [
        (edit, _read(edit, value, next(told), record.joined(bench), bench) if value else None)
        for edit, value in zip(record.edits, values, strict=True)
    ]
    known = dict(
        pair for edit, read in seen if read and not edit.get("alias") for pair in read.pairs or ()
    )
    return [(edit, _told_apart(read, known) if read else None) for edit, read in seen]


def _read(edit: Row, value: Value, context: Context, joined: str, bench: Bench) -> Read:
    if not edit.get("alias"):
        context = replace(context, stands_for=ALONE.stands_for)
    try:
        parts = tuple(units(value.entity, value.text, context, valid=bench.valid))
    except Unwritable:
        return Read(edit, value, context, None, b"", None)
    digest = bytes.fromhex(value_digest(bench.value_key, value.entity, parts))
    hashes = [unit_digest(bench.surrogate_key, unit, joined)[:UNIT] for unit in parts]
    old = [bytes.fromhex(one) for one in edit.get("units", ())]
    pairs = tuple(zip(old, hashes, strict=True)) if len(old) == len(hashes) else None
    return Read(edit, value, context, parts, digest, pairs)


def _told_apart(read: Read, known: dict[bytes, bytes]) -> Read:
    """Whether a short form is read as the surrogate of what it stands for."""
    if not read.edit.get("alias"):
        return read
    told = zip(read.parts or (), read.pairs or (), strict=False)
    lost = [unit for unit, (old, new) in told if known.get(old) != new]
    same = read.pairs is not None and all(unit.family in OWN for unit in lost)
    return read if same else replace(read, apart=True)


def _by_place(found: Sequence[Leaf]) -> dict[Place, list[Leaf]]:
    placed: dict[Place, list[Leaf]] = {}
    for leaf in found:
        place = place_of(leaf)
        placed.setdefault((place["path"], place.get("inner", ""), leaf.kind), []).append(leaf)
    return placed


def _written(edit: Row, placed: dict[Place, list[Leaf]]) -> Value | None:
    leaf = _leaf_of(edit, placed)
    if leaf is None:
        return None
    start, end = own_offset(leaf, edit["start"]), own_offset(leaf, edit["end"])
    return Value(edit["type"], leaf.text[start:end], edit["country"])


def _leaf_of(edit: Row, placed: dict[Place, list[Leaf]]) -> Leaf | None:
    for leaf in placed.get((edit["path"], edit.get("inner", ""), edit["kind"]), ()):
        first, last = leaf.outer_span(0, len(leaf.text))
        if first <= edit["start"] and edit["end"] <= last:
            return leaf
    return None


def edited_keys(record: Shipped, found: Sequence[Leaf]) -> frozenset[int]:
    """Which leaves are keys that hold a surrogate."""
    placed = _by_place(found)
    keys = [_leaf_of(edit, placed) for edit in record.edits if edit["kind"] == "key"]
    return frozenset(i for i, leaf in enumerate(found) if any(leaf is key for key in keys))
