"""Pass two: over the whole set, from keyed hashes alone.

Surrogates are drawn again where they would collide, duplicates counted, and the holdout chosen.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from pipeline.replace import unit_digest
from pipeline.spool import Entry
from scrubbers.surrogates.normal import Unit
from scrubbers.surrogates.settle import settle as settle_units
from validators.holdout import Split, assign


@dataclass(frozen=True, slots=True)
class Settled:
    """What the writing pass needs: redraw counters by unit hash, and the side of each record."""

    redraws: dict[bytes, int]
    split: Split
    duplicates: int
    names: frozenset[bytes]


@dataclass
class _Set:
    """Everything the spool says about the set, in flat arrays: 16 bytes a hash."""

    spaces: list[str] = field(default_factory=list)
    units: bytearray = field(default_factory=bytearray)
    seen: set[bytes] = field(default_factory=set)
    names: set[tuple[bytes, ...]] = field(default_factory=set)
    groups: list[tuple[bytes, ...]] = field(default_factory=list)
    order: list[bytes] = field(default_factory=list)
    contents: Counter[bytes] = field(default_factory=Counter)


def gather(entries: Iterable[Entry]) -> _Set:
    """Collect units, full names and groups of the records that are not quarantined."""
    gathered = _Set()
    interned: dict[str, str] = {}
    for entry in entries:
        hashes = [bytes.fromhex(hashed) for _, hashed in entry.units]
        for (space, _), hashed in zip(entry.units, hashes, strict=True):
            if hashed not in gathered.seen:
                gathered.seen.add(hashed)
                gathered.spaces.append(interned.setdefault(space, space))
                gathered.units += hashed
        gathered.names.update(tuple(hashes[i] for i in name) for name in entry.names)
        if not entry.reasons:
            _add_record(gathered, entry)
    return gathered


def _add_record(gathered: _Set, entry: Entry) -> None:
    content = bytes.fromhex(entry.duplicate)
    tied = [bytes.fromhex(h) for h in (*entry.groups, *entry.identities)]
    gathered.groups.append((content, *tied))
    gathered.order.append(bytes.fromhex(entry.key))
    gathered.contents[content] += 1


def settle(
    entries: Iterable[Entry], key: bytes, *, scope: str, fraction: float
) -> Settled:
    """Settle the set; raises the surrogate package's SettleError when a space is exhausted."""
    gathered = gather(entries)
    redraws: dict[bytes, int] = {}
    if scope == "dataset":
        units = bytes(gathered.units)
        digests = [units[i : i + 16] for i in range(0, len(units), 16)]
        redraws = settle_units(
            gathered.spaces, digests, sorted(gathered.names), lambda unit: unit_digest(key, unit)
        )
    split = assign(gathered.groups, fraction, gathered.order)
    repeated = sum(count - 1 for count in gathered.contents.values())
    return Settled(redraws, split, repeated, frozenset())


def settle_record(entry: Entry, key: bytes) -> dict[bytes, int]:
    """The redraws of one record under `scope: record`, where only its own values can collide."""
    digests = [bytes.fromhex(hashed) for _, hashed in entry.units]
    names = [tuple(digests[i] for i in name) for name in entry.names]

    def hashed(unit: Unit) -> bytes:
        return unit_digest(key, unit, entry.key)

    return settle_units([space for space, _ in entry.units], digests, names, hashed)


__all__ = ["Settled", "array", "settle", "settle_record"]
