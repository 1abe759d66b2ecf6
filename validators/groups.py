"""Which records belong together: those that share a digest, joined over the whole set.

Digests are kept as 64-bit numbers in flat arrays, 13 bytes a link: at five million links the
chance that any two different digests coincide is below one in a million, and a coincidence
only joins two groups.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Ints = NDArray[np.int64]
    Digests = NDArray[np.uint64]

HUB_SHARE = 0.01
HUB_MINIMUM = 5


@dataclass(frozen=True, slots=True)
class Hub:
    """A value that too many records share to join them: its digest's number, how many."""

    digest: int
    records: int


@dataclass
class Links:
    """Record number (from 0) and digest of everything that ties records together.

    A firm link always joins (an exact duplicate, a field that the user named), and with it every
    record that has the same value in any other way; any other value joins unless it is a hub.
    """

    records: array[int] = field(default_factory=lambda: array("I"))
    digests: array[int] = field(default_factory=lambda: array("Q"))
    firm: bytearray = field(default_factory=bytearray)

    def add(self, record: int, digests: Iterable[bytes | int], *, firm: bool = False) -> None:
        """Tie one record to digests."""
        for digest in digests:
            self.records.append(record)
            self.digests.append(as_number(digest))
            self.firm.append(firm)


def as_number(digest: bytes | int) -> int:
    """Take the first 64 bits of a digest (the last ones of a number)."""
    if isinstance(digest, bytes):
        return int.from_bytes(digest[:8].ljust(8, b"\0"), "big")
    return digest & 0xFFFF_FFFF_FFFF_FFFF


def links_of(
    groups: Sequence[Sequence[bytes | int]], firm: Sequence[Sequence[bytes | int]] = ()
) -> Links:
    """Make links from one sequence of digests for each record."""
    links = Links()
    for tied, always in ((groups, False), (firm, True)):
        for record, digests in enumerate(tied):
            links.add(record, digests, firm=always)
    return links


def join(links: Links, count: int) -> tuple[Ints, tuple[Hub, ...]]:
    """Give (group of each of `count` records, hubs by falling size).

    A group's number is that of its first record.
    """
    records = np.frombuffer(links.records, dtype=np.uintc).astype(np.int64)
    digests = np.frombuffer(links.digests, dtype=np.uint64)
    firm = np.frombuffer(links.firm, dtype=np.bool_) if links.firm else np.zeros(0, np.bool_)
    firm = firm | np.isin(digests, digests[firm])
    one, other = _pairs(records[firm], digests[firm])
    soft_records, soft_digests, hubs = _without_hubs(records[~firm], digests[~firm], count)
    more, others = _pairs(soft_records, soft_digests)
    return _components(np.concatenate([one, more]), np.concatenate([other, others]), count), hubs


def _without_hubs(
    records: Ints, digests: Digests, count: int
) -> tuple[Ints, Digests, tuple[Hub, ...]]:
    # A value that stands twice in one record counts once.
    order = np.lexsort((records, digests))
    records, digests = records[order], digests[order]
    again = (digests[1:] == digests[:-1]) & (records[1:] == records[:-1])
    first = np.concatenate([np.ones(min(len(records), 1), np.bool_), ~again])
    records, digests = records[first], digests[first]
    values, sizes = np.unique(digests, return_counts=True)
    big = (sizes > HUB_SHARE * count) & (sizes > HUB_MINIMUM)
    found = sorted(zip(sizes[big].tolist(), values[big].tolist(), strict=True), reverse=True)
    stays = ~np.isin(digests, values[big])
    return records[stays], digests[stays], tuple(Hub(value, size) for size, value in found)


def _pairs(records: Ints, digests: Digests) -> tuple[Ints, Ints]:
    """Chain the records of each digest: neighbours in the order of digests."""
    order = np.argsort(digests, kind="stable")
    records, digests = records[order], digests[order]
    same = digests[1:] == digests[:-1]
    return records[:-1][same], records[1:][same]


def _components(one: Ints, other: Ints, count: int) -> Ints:
    """Connect records by pairs; every record gets the smallest number it can reach.

    Each round hooks every root that touches a smaller one below it, then shortens all paths.
    """
    root = np.arange(count, dtype=np.int64)
    while True:
        left, right = root[one], root[other]
        apart = left != right
        if not apart.any():
            return root
        low, high = np.minimum(left, right)[apart], np.maximum(left, right)[apart]
        np.minimum.at(root, high, low)
        while True:
            shorter = root[root]
            if np.array_equal(shorter, root):
                break
            root = shorter
