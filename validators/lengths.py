"""Token lengths of a set against a limit: how they spread, what is over, which limit would do."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PERCENTILES = (50, 90, 95, 99)
BARS = 12


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a histogram: `least` <= tokens <= `most`."""

    least: int
    most: int
    records: int


@dataclass(frozen=True, slots=True)
class Lengths:
    """Lengths in tokens. `over` holds the positions of the records over the limit, in order.

    `keeps_99` and `keeps_all` are the smallest limits that 99 % and all records fit in.
    """

    records: int
    total: int
    longest: int
    limit: int
    percentiles: dict[int, int]
    histogram: tuple[Bar, ...]
    over: tuple[int, ...]
    keeps_99: int
    keeps_all: int


def length_report(lengths: Sequence[int], max_length: int) -> Lengths:
    """Describe token lengths; every figure is 0 for an empty sequence."""
    ordered = sorted(lengths)
    longest = ordered[-1] if ordered else 0
    return Lengths(
        records=len(ordered),
        total=sum(ordered),
        longest=longest,
        limit=max_length,
        percentiles={share: percentile(ordered, share) for share in PERCENTILES},
        histogram=_histogram(ordered),
        over=tuple(i for i, length in enumerate(lengths) if length > max_length),
        keeps_99=percentile(ordered, 99),
        keeps_all=longest,
    )


def percentile(ordered: Sequence[int], share: int) -> int:
    """Give the smallest value that at least `share` percent of the sorted values do not exceed."""
    return ordered[max(-(-len(ordered) * share // 100), 1) - 1] if ordered else 0


def _histogram(ordered: Sequence[int]) -> tuple[Bar, ...]:
    """Count in at most BARS bars of equal width, a round number of tokens."""
    if not ordered:
        return ()
    width = _round_up(ceil((ordered[-1] + 1) / BARS))
    counts = [0] * (ordered[-1] // width + 1)
    for length in ordered:
        counts[length // width] += 1
    return tuple(Bar(i * width, (i + 1) * width - 1, n) for i, n in enumerate(counts))


def _round_up(width: int) -> int:
    """Round up to 1, 2 or 5 times a power of ten."""
    step = 1
    while step * 10 < width:
        step *= 10
    return next(step * factor for factor in (1, 2, 5, 10) if step * factor >= width)
