"""The parts of a causal language model that a flat forward pass needs: body, head, layers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from trainer.flat import Row
from trainer.loss import summed_loss

# A config with one of these scales its logits, or bends or thins its attention, in a way of its own
# that the flat path does not know; one with experts adds a loss for their router.
_OWN_WAYS = (
    "logits_scaling", "logit_scale", "lm_head_multiplier", "attn_logit_softcapping",
    "num_local_experts", "num_experts", "attention_dropout",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Parts:
    """`body` gives hidden states, `head` (vocabulary, size) turns them into logits.

    `compute`: the 16-bit type that an adapter of 32 bits computes in; None for one of 16.
    """

    body: Any
    head: torch.Tensor
    softcap: float | None
    layers: tuple[torch.nn.Module, ...]
    compute: torch.dtype | None = None


def parts_of(model: Any) -> Parts | None:
    """Find the parts of a model or of the base under an adapter; None where they are not plain."""
    base = model.get_base_model() if hasattr(model, "get_base_model") else model
    body, head = getattr(base, "model", None), base.get_output_embeddings()
    layers = getattr(body, "layers", None)
    config = base.config
    plain = (
        isinstance(head, torch.nn.Linear)
        and head.bias is None
        and isinstance(layers, torch.nn.ModuleList)
        and all(getattr(config, name, None) in (None, 0, 1, 1.0) for name in _OWN_WAYS)
    )
    if not plain or body is None or head is None:
        return None
    softcap = getattr(config, "final_logit_softcapping", None)
    return Parts(body, head.weight, softcap, tuple(layers or ()))


def adapts_head(model: Any, targets: Sequence[str]) -> bool:
    """Whether an adapter on these layers reaches the head, which the losses take as frozen."""
    head = model.get_output_embeddings()
    names = [name for name, module in model.named_modules() if module is head]
    return any(f".{name}".endswith(f".{target}") for name in names for target in targets)


def hidden(parts: Parts, row: Row) -> torch.Tensor:
    """Run a flat row through the body: (tokens, size)."""
    blocks = row.blocks
    out = parts.body(
        input_ids=row.ids, position_ids=row.places, use_cache=False,
        cu_seq_lens_q=blocks.bounds, cu_seq_lens_k=blocks.bounds,
        max_length_q=blocks.longest, max_length_k=blocks.longest, block_lengths=blocks.lengths,
    )  # fmt: skip
    states: torch.Tensor = out.last_hidden_state[0]
    return states


def row_loss(parts: Parts, row: Row) -> torch.Tensor:
    """Summed cross-entropy of a row's trained tokens."""
    with torch.autocast(row.ids.device.type, parts.compute, enabled=parts.compute is not None):
        return summed_loss(hidden(parts, row), parts.head, row.labels, parts.softcap)
