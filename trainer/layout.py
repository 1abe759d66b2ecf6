"""The layout that `train` will most likely choose on a card, from the estimate instead of a probe.

The choice is that of `trainer/kernels.py` and `trainer/room.py`, which need torch and the card.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from trainer.memory import CONTEXT_GIB, Kernels, Setting, ours, peak_gib

if TYPE_CHECKING:
    from trainer.shape import Shape

# The same as there; a test holds them together.
MOST_TOKENS, SPARE, RECOMPUTE, WORTH_COMPILING = 16_384, 0.96, 1 / 3, 6_000_000
# What beginning a row costs in time, in tokens: on one H200, for 8 billion parameters in NF4, with
# compiled layers as with plain ones. From 4,096 on it leads to much the same layouts.
START = 16_384
Pass = Callable[[int, int], float]  # tokens, layers kept: the peak of one pass in GiB


@dataclass(frozen=True, slots=True)
class Layout:
    """A row's `tokens`, layers computed twice, the base in 16 bits or not, the run's peak in GiB."""

    tokens: int
    recomputed: int
    copy: bool
    kernels: Kernels
    peak: float


def kernels_for(wanted: str, tokens: int) -> Kernels:
    """What `train.kernels` comes to in a run of so many tokens, if compiler and Liger are there."""
    if wanted == "compile" or (wanted == "auto" and tokens >= WORTH_COMPILING):
        return "compile"
    return "none" if wanted == "none" else "liger"


def layout(
    shape: Shape, like: Setting, longest: int, step_tokens: int, vram: float,
    most_gib: float | None = None,
) -> Layout | None:  # fmt: skip
    """Lay out rows on a card of `vram` GiB; None where not even one longest record fits.

    `step_tokens`: those of a fat step, as `trainer/build.py` counts them. `most_gib`: train.memory.
    """
    like, longest = replace(like, optimiser="none"), max(longest, 2)
    room = _room(shape, like, vram, most_gib)
    most = max(longest, min(step_tokens, MOST_TOKENS))

    def one(tokens: int, kept: int) -> float:
        return peak_gib(shape, ours(tokens, shape.layers - kept, like))

    for tokens, kept in _ranked(one, longest, most, shape.layers, room):
        if one(tokens, kept) <= room:
            again = shape.layers - kept
            copied = peak_gib(shape, ours(tokens, again, like, copy=True))
            copy = not again and like.base == "nf4" and copied <= room
            chosen = replace(ours(tokens, again, like, copy=copy), optimiser="8-bit")
            return Layout(tokens, again, copy, like.kernels, peak_gib(shape, chosen))
    return None


def _room(shape: Shape, like: Setting, vram: float, most_gib: float | None) -> float:
    """What one pass may take: of what the card has free, without the optimiser's states."""
    free = (vram - CONTEXT_GIB) * SPARE
    states = 2 * shape.lora(like.rank, like.targets) / 2**30
    return (free if most_gib is None else min(free, most_gib)) - states


def _ranked(one: Pass, least: int, most: int, layers: int, room: float) -> list[tuple[int, int]]:
    """(tokens, layers kept) in the order in which the probe tries them."""
    line = _line(one, least, most, layers)
    pairs = []
    for tokens in sorted({max(least, most * step // 32) for step in range(1, 33)}, reverse=True):
        kept = next((k for k in range(layers, -1, -1) if line(tokens, k) <= room), None)
        if kept is not None:
            pairs.append((tokens, kept))
    pairs.sort(key=lambda pair: _time(pair[0], layers - pair[1], layers))
    spare = [(tokens, max(0, kept - less)) for tokens, kept in pairs[:1] for less in (2, layers)]
    return [*pairs[:3], *spare, (least, 0)]


def _line(one: Pass, least: int, most: int, layers: int) -> Pass:
    """The plane through three passes, as the probe lays it: two lengths, and a few layers kept."""
    long, few = min(most, 2 * least), max(1, layers // 8)
    first = one(least, 0)
    token = max(0.0, (one(long, 0) - first) / (long - least)) if long > least else 0.0
    layer = max(0.0, (one(least, few) - first) / least / few)
    return lambda tokens, kept: first + token * (tokens - least) + tokens * layer * kept


def _time(tokens: int, again: int, layers: int) -> float:
    return (1 + START / tokens) * (1 + RECOMPUTE * again / layers)
