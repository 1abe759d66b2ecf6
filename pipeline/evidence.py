"""What the surrogates of a written folder are held against, from keyed hashes alone.

Every check of docs/surrogates.md ("The evidence"): record by record, then one to one over the whole
set. Memory: 48 bytes for each distinct value and unit, so that a set of a million can be judged
before it is published.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pipeline import proofs
from pipeline.answer_proof import answers
from pipeline.owners import OWNED
from pipeline.pair_books import broken_pairs
from pipeline.readback import UNIT, Bench, Read, Shipped, read_back, records
from pipeline.scan_plan import Plan
from pipeline.terms import keeps_area
from pipeline.violations import Tally, Violation
from scrubbers.jsontext import Leaf, NotJson, leaves
from scrubbers.keys import DIGEST_BYTES

GATHERED = 1 << 26  # bytes of pairs that are held before repeated ones are dropped
Hashes = frozenset[bytes]


def prove(root: Path, plan: Plan, tally: Tally) -> Iterator[Violation]:
    """Everything that a folder is held against before it is published."""
    bench = Bench(
        plan.value_key,
        plan.surrogate_key,
        plan.scope,
        plan.dates,
        valid=plan.valid_checksums,
        keep_area=keeps_area(plan.actions),
    )
    yield from evidence(root, bench, tally)
    yield from answers(root, plan.contract, plan.format, tally)


def evidence(root: Path, bench: Bench, tally: Tally) -> Iterator[Violation]:
    """Every violation as (name, sentence, place), in the order of the shipped records.

    `tally` books what was judged; the caller books the violations.
    """
    known = proofs.originals(root / "keep" / "values.idx")
    values, parts = _Pairs(DIGEST_BYTES), _Pairs(UNIT)
    for record in records(root):
        found = _leaves(record)
        if found is None:
            yield "structure", "is not strict JSON.", record.place()
            continue
        yield from proofs.structure(record, found, bench, tally)
        for edit, read in read_back(record, found, bench):
            tally.judged["edit"] += 1
            if read is None:
                yield (
                    "edit",
                    "names a place that the record lacks.",
                    record.place(path=edit["path"]),
                )
                continue
            yield from proofs.surrogate(read, record, known, bench, tally)
            _gather(read, record, bench, values, parts)
    _book(values, parts, tally)
    torn = (*values.twice(), *parts.twice())
    if any(torn):
        yield from _located(root, bench, *torn)
    yield from broken_pairs(root, tally)


def _leaves(record: Shipped) -> list[Leaf] | None:
    try:
        return leaves(record.text)
    except NotJson:
        return None


class _Pairs:
    """Distinct pairs of hashes, of an original and of what stands in its place."""

    def __init__(self, width: int) -> None:
        self._width, self._new = width, bytearray()
        self._rows: Any = np.empty(0, dtype=f"V{2 * width}")

    def add(self, old: bytes, new: bytes) -> None:
        """One pair more."""
        self._new += old + new
        if len(self._new) >= GATHERED:
            self._merge()

    def _merge(self) -> None:
        fresh = np.frombuffer(bytes(self._new), dtype=f"V{2 * self._width}")
        self._new.clear()
        self._rows = np.unique(np.concatenate((self._rows, fresh)))

    def __len__(self) -> int:
        self._merge()
        return len(self._rows)

    def twice(self) -> tuple[Hashes, Hashes]:
        """Originals with two surrogates, and surrogates of two originals."""
        self._merge()
        columns = np.frombuffer(self._rows.tobytes(), dtype=f"V{self._width}").reshape(-1, 2)
        return _twice(columns[:, 0]), _twice(columns[:, 1])


def _twice(column: Any) -> Hashes:
    found, counts = np.unique(column, return_counts=True)
    return frozenset(one.tobytes() for one in found[counts > 1])


def _gather(read: Read, record: Shipped, bench: Bench, values: _Pairs, parts: _Pairs) -> None:
    value = _value_pair(read, record, bench)
    if value:
        values.add(*value)
    for old, new in _unit_pairs(read):
        parts.add(old, new)


def _value_pair(read: Read, record: Shipped, bench: Bench) -> tuple[bytes, bytes] | None:
    """Hashes of a value and its surrogate; none for dates that move with their record.

    None either for a mailbox or user name by the names of its owner: two of one person (`pneumann`,
    `paul.neumann`) are read as the same units, and those of two may be the same letters. Their
    units are judged.
    """
    if read.apart or not read.parts or not all(unit.is_drawn for unit in read.parts):
        return None
    if read.edit.get("alias") and read.value.entity in OWNED:
        return None
    old, new = bytes.fromhex(read.edit["value"]), read.digest
    if bench.scope == "dataset":
        return old, new
    joined = f"{record.split} {record.number}".encode()  # nothing has to agree between records
    return _joined(old, joined), _joined(new, joined)


def _joined(hashed: bytes, joined: bytes) -> bytes:
    return hashlib.sha256(hashed + joined).digest()[:DIGEST_BYTES]


def _unit_pairs(read: Read) -> list[tuple[bytes, bytes]]:
    """Hashes of the drawn units and their surrogates. They hold the record under `scope: record`."""
    if read.apart or not read.parts or read.pairs is None:
        return []
    return [pair for unit, pair in zip(read.parts, read.pairs, strict=True) if unit.is_drawn]


def _book(values: _Pairs, parts: _Pairs, tally: Tally) -> None:
    for name in ("agreement", "collision"):
        tally.judged[name] += len(values) + len(parts)


def _located(
    root: Path, bench: Bench, values: Hashes, surrogates: Hashes, units: Hashes, drawn: Hashes
) -> Iterator[Violation]:
    """The places of what is not one to one, in a second reading."""
    for record in records(root):
        for edit, read in read_back(record, _leaves(record) or [], bench):
            if read is None:
                continue
            place = record.place(path=edit["path"])
            value = _value_pair(read, record, bench) or (b"", b"")
            pairs = _unit_pairs(read)
            if value[0] in values or any(old in units for old, _ in pairs):
                yield "agreement", "one value has two surrogates.", place
            if value[1] in surrogates or any(new in drawn for _, new in pairs):
                yield "collision", "two values share a surrogate.", place
