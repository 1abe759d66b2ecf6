"""How the step is laid out on the card: tokens in a row, layers recomputed, base in 16 bits or 4.

Found by a short probe at the longest record before training: three forward and backward passes
give the straight lines of memory and time, what they predict best is tried, and only the peak of
that trial counts. Recomputing layers (gradient checkpointing) is for memory alone.
"""

from __future__ import annotations

import gc
import json
import math
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
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
STORE = "room.json"
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
    """Bytes = `fixed` + tokens * (`token` + `layer` * layers kept).

    `start`: what beginning a row costs in time, in tokens.
    """

    fixed: float
    token: float
    layer: float
    start: float

    def bytes(self, tokens: int, kept: int) -> float:
        return self.fixed + tokens * (self.token + self.layer * kept)

    def time(self, tokens: int, kept: int, layers: int) -> float:
        """Time for a token, 1 at its least."""
        return (1 + self.start / tokens) * (1 + RECOMPUTE * (layers - kept) / layers)


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
    lines: _Lines | None, least: int, most: int, layers: int, room: float
) -> list[tuple[int, int]]:
    """(tokens, layers kept) that should fit, the fastest first; the smallest of all at the end."""
    if lines is None:
        return [(least, 0)]
    steps = range(32, 0, -1)
    sizes = sorted({max(least, most * step // 32) for step in steps}, reverse=True)
    pairs = []
    for tokens in sizes:
        kept = next((k for k in range(layers, -1, -1) if lines.bytes(tokens, k) <= room), None)
        if kept is not None:
            pairs.append((tokens, kept))
    pairs.sort(key=lambda pair: lines.time(pair[0], pair[1], layers))
    spare = [(tokens, max(0, kept - less)) for tokens, kept in pairs[:1] for less in (2, layers)]
    return [*pairs[:3], *spare, (least, 0)]


def _lines(probe: Probe, least: int, most: int, room: float) -> _Lines | None:
    """Fit the lines to three passes: two lengths, and fewer layers recomputed; None: none fits."""
    layers = len(probe.parts.layers)
    probe.peak(least, layers)  # compiles, and fills the caches
    long = min(most, 2 * least)
    first, first_s = probe.peak(least, layers), probe.seconds
    if first is None:
        return None
    token, start = 0.0, 0.0
    if long > least:
        second = probe.peak(long, layers)
        token = max(0.0, ((room if second is None else second) - first) / (long - least))
        start = 0.0 if second is None else _start(least, first_s, long, probe.seconds)
    few = max(1, layers // 8)
    third = probe.peak(least, layers - few)
    layer = max(0.0, ((room if third is None else third) - first) / least / few)
    return _Lines(first - token * least, token, layer, start)


def _start(few: int, few_s: float, many: int, many_s: float) -> float:
    """What beginning a row costs, in tokens, to a power of four.

    So coarse that two runs, whose clocks differ a little, lay out their rows alike.
    """
    pace = (many_s - few_s) / (many - few)
    if pace <= 0:
        return float(MOST_TOKENS)
    begin = few_s / pace - few
    return float(min(MOST_TOKENS, 4 ** round(math.log(begin, 4)))) if begin > 1 else 0.0


def _trained(model: Any) -> list[torch.nn.Parameter]:
    return [p for p in model.parameters() if p.requires_grad]


def lay_out(model: Any, parts: Parts, room: Room) -> Room:
    """Put a known layout in place."""
    recompute(model, parts, room.recomputed)
    if room.dequantised:
        dequantise(model)
    return room


def store(path: Path, room: Room, device: torch.device) -> None:
    """Keep the layout for a run that goes on: other rows would draw dropout otherwise."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({**asdict(room), "card": torch.cuda.get_device_name(device)}))


def stored(path: Path, device: torch.device, limit: float) -> Room | None:
    """The layout of the same run on such a card, if there is one and `limit` bytes hold it."""
    try:
        found = json.loads(path.read_text())
        same = found.pop("card") == torch.cuda.get_device_name(device)
        room = Room(**found)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return room if same and room.peak * GIB <= limit else None


def try_step(model: Any, parts: Parts, tokens: int, *, kernel: bool) -> None:
    """Run one step forward and backward, so that what compiles does or fails now."""
    model.train()
    row = made_up_row(tokens, tokens, len(parts.head), kernel=kernel).to(parts.head.device)
    row_loss(parts, row).backward()  # type: ignore[no-untyped-call]
    model.zero_grad()


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
