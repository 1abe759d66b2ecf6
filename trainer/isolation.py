"""Proof, on the very model and device that train, that a flat row is its examples alone.

Run before every training: a few examples share a row, and what the flat path says about each is
held against what the model says about it alone through the library's own path. A path that lets
one example see another differs wholly (relative difference near 1).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn.functional import cross_entropy

from trainer.attention import NAME
from trainer.flat import flat_row
from trainer.labels import IGNORED
from trainer.loss import summed_loss
from trainer.parts import Parts, hidden

LENGTHS = (37, 64, 23)
SEEN = 64  # last places of each example that are compared: logits of all would take gigabytes
# Rounding of two attention kernels through all layers: 0.043 in bfloat16 at 8 B with random weights
# on one H200, where rows that see each other differ by more than 1.
TOLERANCE = {torch.float32: 1e-3, torch.bfloat16: 0.15, torch.float16: 0.04}


@dataclass(frozen=True, slots=True)
class Proof:
    """Relative differences of logits and of the loss; `holds` when both are within rounding."""

    logits: float
    loss: float
    tolerance: float

    @property
    def holds(self) -> bool:
        """Whether packed equals alone."""
        return self.logits <= self.tolerance and self.loss <= self.tolerance


@torch.no_grad()
def prove(model: Any, parts: Parts, *, kernel: bool, longest: int = 0, seed: int = 0) -> Proof:
    """Compare the flat path with the library's, in evaluation mode; leaves the flat path set.

    `longest` (tokens, of the records to come) beyond the model's sliding window adds an example
    that is longer than the window.
    """
    device = parts.head.device
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    draw = torch.Generator().manual_seed(seed)
    lengths = _lengths(base.config, longest)
    ids = [torch.randint(0, len(parts.head), (n,), generator=draw).tolist() for n in lengths]
    was = model.training
    model.eval()
    try:
        expected = [_alone(base, torch.tensor([one], device=device)) for one in ids]
        base.set_attn_implementation(NAME)
        states = _flat(parts, ids, max(lengths), kernel=kernel)
    finally:
        model.train(was)
    wanted = [torch.tensor(one[-SEEN:], device=device) for one in ids]
    truth = sum(cross_entropy(logits[:-1], next_[1:], reduction="sum")
                for logits, next_ in zip(expected, wanted, strict=True))  # fmt: skip
    labels = torch.cat([torch.cat([next_[1:], next_.new_tensor([IGNORED])]) for next_ in wanted])
    lost = summed_loss(states, parts.head, labels, parts.softcap)
    whole = torch.cat(expected)
    return Proof(
        float((_logits(states, parts) - whole).norm() / whole.norm()),
        float(abs(lost - truth) / truth),
        TOLERANCE.get(parts.head.dtype, 1e-3),
    )


def _lengths(config: Any, longest: int) -> tuple[int, ...]:
    window = getattr(config, "sliding_window", None)
    return (*LENGTHS, window + LENGTHS[-1]) if window and window < longest else LENGTHS


def _alone(base: Any, ids: torch.Tensor) -> torch.Tensor:
    logits: torch.Tensor = base(input_ids=ids, logits_to_keep=SEEN).logits[0].float()
    return logits


def _flat(
    parts: Parts, ids: Sequence[Sequence[int]], longest: int, *, kernel: bool
) -> torch.Tensor:
    """Hidden states of the last places of each example, out of one row."""
    row = flat_row([{"input_ids": one, "labels": one} for one in ids], longest, kernel=kernel)
    states = hidden(parts, row.to(parts.head.device))
    pieces = torch.split(states, [len(one) for one in ids])
    return torch.cat([piece[-SEEN:] for piece in pieces])


def _logits(states: torch.Tensor, parts: Parts) -> torch.Tensor:
    logits = (states @ parts.head.t()).float()
    if parts.softcap:
        logits = torch.tanh(logits / parts.softcap) * parts.softcap
    return logits
