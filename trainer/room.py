"""How the step is laid out on the card: tokens in a row, layers recomputed, base in 16 bits or 4.

Found by a short probe at the longest record before training: three forward and backward passes
give the straight lines of memory and time, what they predict best is tried, and only the peak of
that trial counts. Recomputing layers (gradient checkpointing) is for memory alone.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from trainer.attention import Blocks
from trainer.flat import Row
from trainer.parts import Parts, row_loss
from trainer.values import dequantise, extra_bytes

GIB = 2**30
MOST_TOKENS = 16_384  # a longer row is no faster: the products are large enough
SPARE = 0.96  # of a card's free memory; the rest is the allocator's
STATE_BYTES = 2  # per trained weight: two 8-bit moments of the paged optimiser
_FLAG = "gradient_checkpointing"  # of a layer in transformers
RECOMPUTE = 1 / 3  # of a step's time, when all layers are run forward twice


class NoRoom(Exception):
    """Not even one record of the longest kind fits. The message says what to change."""


@dataclass(frozen=True, slots=True)
class Room:
    """`tokens` in a row, `recomputed` layers, `peak` in GiB as the probe saw it (0 on a CPU)."""

    tokens: int
    recomputed: int
    dequantised: bool = False
    peak: float = 0.0


@dataclass(frozen=True, slots=True)
class _Lines:
    """Bytes = `fixed` + tokens * (`token` + `layer` * layers kept); seconds likewise, all recomputed."""

    fixed: float
    token: float
    layer: float
    start: float
    pace: float

    def bytes(self, tokens: int, kept: int) -> float:
        return self.fixed + tokens * (self.token + self.layer * kept)

    def seconds_per_token(self, tokens: int, kept: int, layers: int) -> float:
        whole = 1 + RECOMPUTE
        return (self.start / tokens + self.pace) * (whole - RECOMPUTE * kept / layers) / whole


def recompute(model: Any, parts: Parts, count: int) -> None:
    """Recompute the first `count` layers in the backward pass, keep the others' activations."""
    if count:
        base = model.get_base_model() if hasattr(model, "get_base_model") else model
        base.gradient_checkpointing_enable(gradient_checkpointing_kwargs={"use_reentrant": False})
    for place, layer in enumerate(parts.layers):
        if hasattr(layer, _FLAG):
            setattr(layer, _FLAG, place < count)


def on_cpu(longest: int) -> Room:
    """Rows for a CPU: short ones do, and nothing is recomputed."""
    return Room(max(longest, 2048), 0)


def find_room(
    model: Any, parts: Parts, longest: int, step_tokens: int, limit: float, *, kernel: bool
) -> Room:
    """Probe a GPU: `limit` bytes may be used in all, `step_tokens` are the most a step has.

    Raises NoRoom.
    """
    probe = Probe(model, parts, longest, kernel)
    room = limit - STATE_BYTES * sum(p.numel() for p in _trained(model))
    most = max(longest, min(step_tokens, MOST_TOKENS))
    lines = _lines(probe, longest, most, room)
    layers = len(parts.layers)
    for tokens, kept in _ranked(lines, longest, most, layers, room):
        peak = probe.peak(tokens, layers - kept)
        if peak is not None and peak <= room:
            recompute(model, parts, layers - kept)
            return _with_values(model, probe, Room(tokens, layers - kept, peak=peak / GIB), room)
    raise NoRoom(
        f"One record of {longest} tokens needs more than the {limit / GIB:.1f} GiB there are: lower "
        "tokens.max_length (and prepare again), take a smaller model or a lower lora.r, or a larger "
        "card; `privatune plan` shows which."
    )


def _with_values(model: Any, probe: Probe, found: Room, room: float) -> Room:
    """Keep the base's values in 16 bits when that fits beside everything else."""
    extra = extra_bytes(model)
    if found.recomputed or not extra or found.peak * GIB + extra > room:
        return found
    dequantise(model)
    peak = probe.peak(found.tokens, found.recomputed)
    if peak is None:
        raise NoRoom("The base's values do not fit in 16 bits after all: set train.memory lower.")
    return Room(found.tokens, found.recomputed, dequantised=True, peak=peak / GIB)


def _ranked(
    lines: _Lines, least: int, most: int, layers: int, room: float
) -> list[tuple[int, int]]:
    """(tokens, layers kept) that should fit, the fastest first; the smallest of all at the end."""
    steps = range(32, 0, -1)
    sizes = sorted({max(least, most * step // 32) for step in steps}, reverse=True)
    pairs = []
    for tokens in sizes:
        kept = next((k for k in range(layers, -1, -1) if lines.bytes(tokens, k) <= room), None)
        if kept is not None:
            pairs.append((tokens, kept))
    pairs.sort(key=lambda pair: lines.seconds_per_token(pair[0], pair[1], layers))
    spare = [(tokens, max(0, kept - less)) for tokens, kept in pairs[:1] for less in (2, layers)]
    return [*pairs[:3], *spare, (least, 0)]


def _lines(probe: Probe, least: int, most: int, room: float) -> _Lines:
    """Fit the lines to three passes: two lengths, and fewer layers recomputed."""
    layers = len(probe.parts.layers)
    probe.peak(least, layers)  # compiles, and fills the caches
    small, long = least, min(most, 2 * least)
    first, first_s = probe.peak(small, layers), probe.seconds
    second, second_s = probe.peak(long, layers), probe.seconds
    few = max(1, layers // 8)
    third = probe.peak(small, layers - few)
    if first is None:
        return _Lines(room, 0, 0, 0, 0)
    if second is None or long == small:
        token = 0.0 if second is None else first / small / 4
        second_s = first_s
    else:
        token = max(0.0, (second - first) / (long - small))
    layer = room / small if third is None else max(0.0, (third - first) / small / few)
    pace = max(0.0, (second_s - first_s) / max(1, long - small))
    return _Lines(first - token * small, token, layer, max(0.0, first_s - pace * small), pace)


def _trained(model: Any) -> list[torch.nn.Parameter]:
    return [p for p in model.parameters() if p.requires_grad]


class Probe:
    """Runs a step on made-up tokens and reads the peak; leaves no gradients behind."""

    def __init__(self, model: Any, parts: Parts, longest: int, kernel: bool) -> None:  # noqa: FBT001
        self.model, self.parts, self.longest, self.kernel = model, parts, longest, kernel
        self.seconds = 0.0

    def peak(self, tokens: int, recomputed: int) -> float | None:
        """Peak of allocated bytes, None when memory ran out."""
        recompute(self.model, self.parts, recomputed)
        self.model.train()
        device = self.parts.head.device
        row = made_up_row(tokens, self.longest, len(self.parts.head), kernel=self.kernel)
        gc.collect()
        torch.cuda.empty_cache()
        torch.cuda.reset_peak_memory_stats(device)
        try:
            start = time.perf_counter()
            row_loss(self.parts, row.to(device)).backward()  # type: ignore[no-untyped-call]
            torch.cuda.synchronize(device)
            self.seconds = time.perf_counter() - start
        except torch.OutOfMemoryError:
            return None
        finally:
            for weight in _trained(self.model):
                weight.grad = None
        return float(torch.cuda.max_memory_allocated(device))


def made_up_row(tokens: int, longest: int, vocabulary: int, *, kernel: bool) -> Row:
    """A row of random tokens, all trained, cut into examples of `longest` tokens."""
    lengths = _cut(tokens, longest)
    places = torch.cat([torch.arange(length) for length in lengths])
    bounds = torch.tensor([0, *torch.tensor(lengths).cumsum(0).tolist()], dtype=torch.int32)
    ids = torch.randint(0, vocabulary, (1, tokens))
    blocks = Blocks(bounds, () if kernel else tuple(lengths), longest)
    return Row(ids, places[None], ids[0].clone(), blocks)


def _cut(tokens: int, longest: int) -> Sequence[int]:
    whole, rest = divmod(tokens, longest)
    return [longest] * whole + ([rest] if rest else [])


def free_bytes(device: torch.device, most: float | None) -> float:
    """What a run may use of a GPU, in bytes: what is free and what this process holds already."""
    free, _ = torch.cuda.mem_get_info(device)
    there = (free + torch.cuda.memory_reserved(device)) * SPARE
    return min(there, most * GIB) if most else there
