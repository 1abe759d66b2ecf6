"""Pass two: over the whole set, from keyed hashes alone.

Surrogates are drawn again where they would collide, duplicates counted, and the holdout chosen.
Memory: 20 bytes a unit and 13 a link while gathering, so that a million records fit.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from pipeline.again import NUMBERS
from pipeline.known import Known, first_bits
from pipeline.owners import Owned
from pipeline.replace import unit_digest
from pipeline.spool import Entry, Mark, Spool
from scrubbers.keys import DIGEST_BYTES
from scrubbers.surrogates.normal import Unit
from scrubbers.surrogates.settle import settle as settle_units
from validators.groups import Links
from validators.holdout import Split, assign


@dataclass(frozen=True, slots=True)
class Settled:
    """What the writing pass needs.

    Redraw counters by unit hash, the side of each record, and the full names and numbers that
    were found anywhere; mailboxes and user names that are read without their owner.
    """

    redraws: dict[bytes, int]
    split: Split
    duplicates: int
    known: Known
    apart: Known


@dataclass
class _Gathered:
    spaces: dict[str, int] = field(default_factory=dict)
    space: array[int] = field(default_factory=lambda: array("I"))
    units: bytearray = field(default_factory=bytearray)
    starts: dict[bytes, int] = field(default_factory=dict)
    links: Links = field(default_factory=Links)
    order: array[int] = field(default_factory=lambda: array("Q"))
    contents: array[int] = field(default_factory=lambda: array("Q"))
    known: array[int] = field(default_factory=lambda: array("Q"))
    owned: Owned = field(default_factory=Owned)

    def add(self, entry: Entry) -> None:
        for space, text, start in entry.units:
            hashed = bytes.fromhex(text)
            self.space.append(self.spaces.setdefault(space, len(self.spaces)))
            self.units += hashed
            if start:
                self.starts[hashed] = start
        self.known.extend(first_bits(m.value) for m in entry.marks if _is_sought(m))
        if entry.reasons:
            return
        self.owned.add(entry)
        number = len(self.order)
        content = first_bits(entry.duplicate)
        self.links.add(number, [content, *(first_bits(g) for g in entry.groups)], firm=True)
        self.links.add(number, (first_bits(i) for i in entry.identities))
        self.order.append(first_bits(entry.key))
        self.contents.append(content)

    def distinct(self) -> tuple[list[str], list[bytes]]:
        """Each unit once: its space and hash, by ascending hash."""
        hashes = np.frombuffer(bytes(self.units), dtype=f"V{DIGEST_BYTES}")
        _, first = np.unique(hashes, return_index=True)
        names = list(self.spaces)
        spaces = [names[self.space[i]] for i in first.tolist()]
        return spaces, [
            bytes(self.units[i * DIGEST_BYTES : (i + 1) * DIGEST_BYTES]) for i in first.tolist()
        ]


def _is_sought(mark: Mark) -> bool:
    """A full name or a number that is looked for in all records."""
    full_name = mark.type == "PERSON" and len(mark.units) > 1
    return mark.acted and (full_name or mark.type in NUMBERS)


def settle(spool: Spool, key: bytes, *, scope: str, fraction: float) -> Settled:
    """Settle the set; raises the surrogate package's SettleError when a space is exhausted."""
    gathered = _Gathered()
    for entry in spool:
        gathered.add(entry)
    contents = np.frombuffer(gathered.contents, dtype=np.uint64)
    repeated = len(contents) - len(np.unique(contents))
    split = assign(gathered.links, fraction, gathered.order)
    redraws = {} if scope == "record" else _redraws(gathered, spool, key)
    apart = Known() if scope == "record" else gathered.owned.apart()
    return Settled(redraws, split, int(repeated), Known(gathered.known), apart)


def _redraws(gathered: _Gathered, spool: Iterable[Entry], key: bytes) -> dict[bytes, int]:
    if not gathered.units:
        return {}
    spaces, hashes = gathered.distinct()

    def hashed(unit: Unit) -> bytes:
        return unit_digest(key, unit)

    return settle_units(spaces, hashes, _names(spool), hashed, gathered.starts)


def _names(entries: Iterable[Entry]) -> Iterator[tuple[bytes, ...]]:
    for entry in entries:
        for name in entry.names:
            yield _name(entry, name)


def _name(entry: Entry, name: Sequence[int]) -> tuple[bytes, ...]:
    return tuple(bytes.fromhex(entry.units[i][1]) for i in name)


def settle_record(entry: Entry, key: bytes) -> dict[bytes, int]:
    """The redraws of one record under `scope: record`, where only its own values can collide."""

    def hashed(unit: Unit) -> bytes:
        return unit_digest(key, unit, entry.key)

    spaces = [space for space, _, _ in entry.units]
    digests = [bytes.fromhex(text) for _, text, _ in entry.units]
    starts = {d: unit[2] for d, unit in zip(digests, entry.units, strict=True) if unit[2]}
    names = [_name(entry, name) for name in entry.names]
    return settle_units(spaces, digests, names, hashed, starts)
