"""The holdout: whole groups, in keyed-hash order, as close to the wanted share as they allow."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor
from typing import TYPE_CHECKING

import numpy as np

from validators.groups import Hub, Links, as_number, join, links_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from validators.groups import Digests, Ints

__all__ = ["BOUNDS", "Hub", "Links", "Split", "assign", "crossing", "links_of"]

BOUNDS = (0.05, 0.10)
TOO_FEW_RECORDS = 20


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """Which records are held out.

    `holdout[i]` is True for a held-out record, `group[i]` the number of the first record of its
    group. `oversized` counts groups larger than the holdout may be. `reason` is a sentence when
    there is no holdout although one was asked for, or when its share is out of bounds.
    """

    holdout: NDArray[np.bool_]
    group: Ints
    groups: int
    largest: int
    oversized: int
    hubs: tuple[Hub, ...]
    reason: str | None

    @property
    def share(self) -> float:
        """Share of held-out records; 0 for an empty set."""
        return float(self.holdout.mean()) if len(self.holdout) else 0.0


def assign(
    groups: Sequence[Sequence[bytes | int]] | Links,
    fraction: float,
    order_keys: Sequence[bytes | int],
    firm: Sequence[Sequence[bytes | int]] = (),
) -> Split:
    """Split a set so that no group stands on both sides. `fraction` 0 asks for no holdout.

    `order_keys` has one keyed digest for each record; the result follows them and not the order
    of the records. `groups` are the digests of what ties a record to others (or ready `Links`),
    `firm` those that join even when very many records share them: duplicates, named fields.
    Raises ValueError for a fraction outside 0..0.5.
    """
    if not 0 <= fraction <= 0.5:
        raise ValueError("the holdout's fraction must lie between 0 and 0.5")
    links = groups if isinstance(groups, Links) else links_of(groups, firm)
    keys = np.fromiter(map(as_number, order_keys), dtype=np.uint64, count=len(order_keys))
    group, hubs = join(links, len(keys))
    names, place, sizes = np.unique(group, return_inverse=True, return_counts=True)
    ranked = _ranked(keys, place, sizes)
    wanted = Fraction(str(fraction))
    chosen, reason = _choose(sizes[ranked], len(keys), wanted)
    held = np.isin(place, ranked[chosen])
    limit = _most(len(keys), wanted)
    return Split(
        holdout=held, group=group, groups=len(names), largest=int(sizes.max(initial=0)),
        oversized=int((sizes > limit).sum()), hubs=hubs, reason=reason,
    )  # fmt: skip


def crossing(group: Ints, holdout: NDArray[np.bool_]) -> list[int]:
    """List the groups that stand on both sides; empty for every result of `assign`."""
    both = np.intersect1d(group[holdout], group[~holdout])
    return [int(name) for name in both]


def _ranked(keys: Digests, place: Ints, sizes: Ints) -> Ints:
    """Order the groups by their members' keys alone: smallest key, size, sum of keys."""
    smallest = np.full(len(sizes), np.iinfo(np.uint64).max, dtype=np.uint64)
    np.minimum.at(smallest, place, keys)
    total = np.zeros(len(sizes), dtype=np.uint64)
    np.add.at(total, place, keys)
    return np.lexsort((total, sizes, smallest))


def _most(records: int, wanted: Fraction) -> int:
    return floor(max(Fraction(str(BOUNDS[1])), wanted) * records) if wanted else 0


def _choose(sizes: Ints, records: int, wanted: Fraction) -> tuple[Ints, str | None]:
    """Choose groups by rank: (their ranks, reason). `sizes` stand in the order of the ranks."""
    none = np.zeros(0, dtype=np.int64)
    if not wanted:
        return none, None
    if records < TOO_FEW_RECORDS or len(sizes) < 2:
        return none, _too_small(records, len(sizes))
    most, ideal = _most(records, wanted), wanted * records
    least = ceil(min(Fraction(str(BOUNDS[0])), wanted) * records)
    target = min(max(least, ceil(ideal - Fraction(1, 2))), most)
    chosen = _greedy(sizes, target)
    reached = int(sizes[chosen].sum())
    if reached != target:
        chosen = _exact(sizes, least, most, ideal)
        reached = int(sizes[chosen].sum())
    if not reached:
        return none, (f"No holdout: each of the {len(sizes)} groups of related records is larger "
                      f"than {most} records. Look at what joins them, or go on without.")  # fmt: skip
    if reached < least:
        return chosen, (f"The holdout has {reached} of {records} records, fewer than {least}: the "
                        "other groups of related records are too large for it.")  # fmt: skip
    return chosen, None


def _too_small(records: int, groups: int) -> str:
    if records < TOO_FEW_RECORDS:
        return (f"No holdout: {records} records are too few for one (it takes {TOO_FEW_RECORDS}). "
                "Add records, or go on without.")  # fmt: skip
    return (f"No holdout: all {records} records are related ({groups} group). Look at what joins "
            "them, or go on without.")  # fmt: skip


def _greedy(sizes: Ints, target: int) -> Ints:
    """Take groups in order, leaving out those that no longer fit."""
    taken, left = [], target
    for rank, size in enumerate(sizes.tolist()):
        if size <= left:
            taken.append(rank)
            left -= size
            if not left:
                break
    return np.array(taken, dtype=np.int64)


def _exact(sizes: Ints, least: int, most: int, ideal: Fraction) -> Ints:
    """Reach the total closest to `ideal`, from `least` to `most` if that can be, never over it.

    Within a size, groups are taken in order.

    This is a subset sum over the distinct sizes, with the reachable totals as bits of one number.
    """
    kinds = [int(size) for size in np.unique(sizes) if size <= most]
    counts = {size: int((sizes == size).sum()) for size in kinds}
    reach = [1]
    for size in kinds:
        reach.append(_add(reach[-1], size, min(counts[size], most // size), most))
    totals = [total for total, bit in enumerate(f"{reach[-1]:b}"[::-1]) if bit == "1" and total]
    if not totals:
        return np.zeros(0, dtype=np.int64)
    over, under = ideal.numerator, ideal.denominator
    left = min(totals, key=lambda total: (total < least, abs(total * under - over), total))
    taken = []
    for size, before in zip(reversed(kinds), reversed(reach[:-1]), strict=True):
        number = next(n for n in range(counts[size] + 1) if before >> (left - n * size) & 1)
        taken.append(np.flatnonzero(sizes == size)[:number])
        left -= number * size
    return np.sort(np.concatenate(taken))


def _add(reach: int, size: int, count: int, most: int) -> int:
    """Add up to `count` groups of `size` to the reachable totals, in doubling steps."""
    mask, step = (1 << most + 1) - 1, 1
    while count:
        step = min(step, count)
        reach |= reach << size * step & mask
        count -= step
        step *= 2
    return reach
