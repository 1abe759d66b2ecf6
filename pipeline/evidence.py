"""What the surrogates of a written folder are held against, from keyed hashes alone.

No surrogate equals an original of the set (kinds with few values are permutations, where what
stands in for one is another's original); one value has one surrogate; no two values share one.
Memory: 32 bytes an edit, so that a set of a million can be judged before it is published.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.again import Known
from pipeline.covered import Row, with_edits
from pipeline.scan import value_digest
from pipeline.write import place_of
from scrubbers.jsontext import Leaf, leaves
from scrubbers.surrogates.context import Context, Value, contexts
from scrubbers.surrogates.draw import is_small
from scrubbers.surrogates.normal import units

Violation = tuple[str, str, dict[str, Any]]
Place = tuple[str, str, str]
HASH = 16


def evidence(root: Path, key: bytes, scope: str) -> Iterator[Violation]:
    """Every violation as (name, sentence, place), in the order of the shipped records."""
    originals = _originals(root / "keep" / "values.idx")
    pairs = bytearray()
    for where, value, digest, equal in _read_back(root, key, scope, originals):
        if digest is None:
            yield "edit", "names a place that the record lacks.", where
        elif equal:
            yield "surrogate-is-original", "equals an original of the set.", where
        else:
            pairs += value + digest
    torn, shared = _torn(pairs)
    if torn or shared:
        yield from _located(root, key, scope, torn, shared)


def _located(
    root: Path, key: bytes, scope: str, torn: frozenset[bytes], shared: frozenset[bytes]
) -> Iterator[Violation]:
    for where, value, digest, _ in _read_back(root, key, scope, Known()):
        if value in torn:
            yield "agreement", "one value has two surrogates.", where
        if digest in shared:
            yield "collision", "two values share a surrogate.", where


def _torn(pairs: bytearray) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Values with two surrogates, and surrogates of two values."""
    rows = np.unique(np.frombuffer(bytes(pairs), dtype=f"V{2 * HASH}"))
    columns = np.frombuffer(rows.tobytes(), dtype=f"V{HASH}").reshape(-1, 2)
    return _twice(columns[:, 0]), _twice(columns[:, 1])


def _twice(column: Any) -> frozenset[bytes]:
    found, counts = np.unique(column, return_counts=True)
    return frozenset(one.tobytes() for one in found[counts > 1])


def _originals(path: Path) -> Known:
    with path.open(encoding="ascii") as lines:
        next(lines, None)
        return Known([int(line[:HASH], 16) for line in lines])


def _read_back(
    root: Path, key: bytes, scope: str, originals: Known
) -> Iterator[tuple[dict[str, Any], bytes, bytes | None, bool]]:
    """Place, hash of the original, hash of the surrogate there, whether that is an original too.

    Under `scope: record` the record joins both, since nothing has to agree between records.
    """
    for split, number, text, edits in with_edits(root):
        joined = f"{split} {number}" if scope == "record" else ""
        found = _found(edits, _by_place(leaves(text))) if edits else []
        told = iter(contexts([value for value in found if value]))
        for edit, written in zip(edits, found, strict=True):
            where = {"split": split, "record": number, "path": edit["path"]}
            digest, small = _digest(written, next(told), key) if written else (None, False)
            value = _join(bytes.fromhex(edit["value"]), joined)
            equal = digest is not None and not small and digest.hex() in originals
            yield where, value, digest and _join(digest, joined), equal


def _join(digest: bytes, joined: str) -> bytes:
    if not joined:
        return digest
    return hashlib.sha256(digest + joined.encode()).digest()[:HASH]


def _by_place(found: Sequence[Leaf]) -> dict[Place, list[Leaf]]:
    placed: dict[Place, list[Leaf]] = {}
    for leaf in found:
        place = place_of(leaf)
        placed.setdefault((place["path"], place.get("inner", ""), leaf.kind), []).append(leaf)
    return placed


def _found(edits: Sequence[Row], placed: dict[Place, list[Leaf]]) -> list[Value | None]:
    """What stands where each edit says; None where the record lacks the place."""
    return [_written(edit, placed) for edit in edits]


def _digest(value: Value, context: Context, key: bytes) -> tuple[bytes, bool]:
    """Keyed hash of a surrogate, and whether all its spaces are small."""
    parts = units(value.entity, value.text, context)
    small = all(is_small(unit.space) for unit in parts if unit.is_drawn)
    return bytes.fromhex(value_digest(key, value.entity, parts)), small


def _written(edit: Row, placed: dict[Place, list[Leaf]]) -> Value | None:
    for leaf in placed.get((edit["path"], edit.get("inner", ""), edit["kind"]), ()):
        first, last = leaf.outer_span(0, len(leaf.text))
        if first <= edit["start"] and edit["end"] <= last:
            start, end = _inner(leaf, edit["start"]), _inner(leaf, edit["end"])
            return Value(edit["type"], leaf.text[start:end], edit["country"])
    return None


def _inner(leaf: Leaf, outer: int) -> int:
    """The code point of the leaf that stands at `outer` in the decoded outer leaf."""
    return bisect_left(range(len(leaf.text)), outer, key=lambda at: leaf.outer_span(at, at)[0])
