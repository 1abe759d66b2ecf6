"""Cross-entropy of the trained tokens alone, a few at a time, with its gradient made on the way.

Plain cross-entropy holds the logits of every token two to four times: 16 bytes times the
vocabulary for each token, the largest single need of memory at 8 B. Here only tokens that are
trained meet the head, `CHUNK` at a time, and what stays is the gradient of the hidden states. The
head is frozen, as in every QLoRA recipe with `all-linear`, so it needs none.
"""

from __future__ import annotations

from typing import Any

import torch

from trainer.labels import IGNORED

CHUNK = 512  # tokens; at a vocabulary of 152,000 about 0.6 GiB while it lasts


def summed_loss(
    hidden: torch.Tensor, head: torch.Tensor, labels: torch.Tensor, softcap: float | None = None
) -> torch.Tensor:
    """Sum the cross-entropy over all trained tokens, in float32.

    `hidden` (tokens, size), `head` (vocabulary, size), `labels` (tokens,) already shifted.
    `softcap`: logits become softcap * tanh(logits / softcap), as in Gemma 2.
    """
    trained = (labels != IGNORED).nonzero().squeeze(-1)
    apply: Any = _Summed.apply  # torch leaves it untyped
    total: torch.Tensor = apply(hidden[trained], head, labels[trained], softcap)
    return total


class _Summed(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any, hidden: torch.Tensor, head: torch.Tensor, labels: torch.Tensor,
        softcap: float | None,
    ) -> torch.Tensor:  # fmt: skip
        total = hidden.new_zeros((), dtype=torch.float32)
        slope = torch.empty_like(hidden)
        for start in range(0, len(hidden), CHUNK):
            part = slice(start, start + CHUNK)
            lost, slope[part] = _chunk(hidden[part], head, labels[part], softcap)
            total += lost
        ctx.save_for_backward(slope)
        return total

    @staticmethod
    def backward(ctx: Any, *grads: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        (slope,) = ctx.saved_tensors
        given = torch.empty_like(slope)
        for start in range(0, len(slope), CHUNK):  # one over the count of tokens, not rounded
            part = slice(start, start + CHUNK)
            given[part] = slope[part].float() * grads[0]
        return given, None, None, None


def _chunk(
    hidden: torch.Tensor, head: torch.Tensor, labels: torch.Tensor, softcap: float | None
) -> tuple[torch.Tensor, torch.Tensor]:
    """Give the summed loss of a chunk and its gradient by `hidden`."""
    logits = (hidden @ head.t()).float()
    bend = None
    if softcap:
        bend = torch.tanh_(logits.div_(softcap))
        logits = bend * softcap
    norm = torch.logsumexp(logits, -1)
    rows = torch.arange(len(labels), device=labels.device)
    lost = (norm - logits[rows, labels]).sum()
    chance = logits.sub_(norm[:, None]).exp_()
    chance[rows, labels] -= 1
    if bend is not None:
        chance = chance * (1 - bend * bend)
    return lost, chance.to(hidden.dtype) @ head
