"""Proof, on the very model and device that train, that a flat row is its examples alone.

Run before every training: two examples share a row, and what the flat path says about each is
held against what the model says about it alone through the library's own path. A path that lets
one example see another differs wholly (relative difference near 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch.nn.functional import cross_entropy

from trainer.attention import NAME
from trainer.flat import flat_row
from trainer.loss import summed_loss
from trainer.parts import Parts, hidden

LENGTHS = (37, 64, 23)
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
def prove(model: Any, parts: Parts, *, kernel: bool, seed: int = 0) -> Proof:
    """Compare the flat path with the library's, in evaluation mode; leaves the flat path set."""
    device = parts.head.device
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    draw = torch.Generator().manual_seed(seed)
    rows = [torch.randint(0, len(parts.head), (n,), generator=draw).tolist() for n in LENGTHS]
    examples = [{"input_ids": ids, "labels": ids} for ids in rows]
    was = model.training
    model.eval()
    alone = [base(input_ids=torch.tensor([ids], device=device)).logits[0].float() for ids in rows]
    base.set_attn_implementation(NAME)
    row = flat_row(examples, max(LENGTHS), kernel=kernel).to(device)
    states = hidden(parts, row)
    model.train(was)
    flat = _logits(states, parts)
    expected = torch.cat(alone)
    truth = sum(cross_entropy(logits[:-1], torch.tensor(ids[1:], device=device), reduction="sum")
                for logits, ids in zip(alone, rows, strict=True))  # fmt: skip
    lost = summed_loss(states, parts.head, row.labels, parts.softcap)
    return Proof(
        float((flat - expected).norm() / expected.norm()),
        float(abs(lost - truth) / truth),
        TOLERANCE.get(parts.head.dtype, 1e-3),
    )


def _logits(states: torch.Tensor, parts: Parts) -> torch.Tensor:
    logits = (states @ parts.head.t()).float()
    if parts.softcap:
        logits = torch.tanh(logits / parts.softcap) * parts.softcap
    return logits
