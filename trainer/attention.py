"""Attention over a flat row of examples in which no example sees another.

A flat batch is one row of tokens, the examples one after the other; `Blocks` says where each
begins. On a GPU with flash attention torch's variable-length kernel gets the boundaries; elsewhere
each example is attended on its own. A dense mask over the flat row, which the library would make
otherwise, is right too but leaves the fast kernel: at 8 B on one H200 it halved the speed.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import torch
from torch.nn.functional import scaled_dot_product_attention

NAME = "privatune_blocks"


@dataclass(frozen=True, slots=True, eq=False)
class Blocks:
    """Where the examples of a flat row begin.

    `bounds`: int32 tensor of the running sums of their lengths, from 0, on the row's device.
    `lengths`: the same as Python numbers, empty where the kernel does not need them. `longest`: an
    upper bound of the lengths.
    """

    bounds: torch.Tensor
    lengths: tuple[int, ...]
    longest: int


def register() -> None:
    """Make the attention known to transformers under NAME; its mask is never made."""
    from transformers import AttentionInterface  # noqa: PLC0415 -- dear to import
    from transformers.masking_utils import AttentionMaskInterface  # noqa: PLC0415

    AttentionInterface.register(NAME, attend)
    AttentionMaskInterface.register(NAME, _no_mask)


def _no_mask(*_: Any, **__: Any) -> None:
    return None


def has_kernel(device: torch.device | str, dtype: torch.dtype) -> bool:
    """Whether the variable-length flash kernel runs here: Ampere or newer, 16-bit numbers."""
    if torch.device(device).type != "cuda" or dtype not in (torch.bfloat16, torch.float16):
        return False
    if find_spec("torch.nn.attention.varlen") is None:  # torch 2.10 and newer have it
        return False
    return torch.cuda.get_device_capability(device)[0] >= 8


def attend(  # noqa: PLR0913 -- the signature is the library's
    module: torch.nn.Module,
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    attention_mask: torch.Tensor | None,
    *,
    scaling: float | None = None,
    dropout: float = 0.0,
    sliding_window: int | None = None,
    cu_seq_lens_q: torch.Tensor | None = None,
    max_length_q: int | None = None,
    block_lengths: tuple[int, ...] = (),
    **_: Any,
) -> tuple[torch.Tensor, None]:
    """Attend within each example. Tensors are (1, heads, tokens, head size).

    Returns (1, tokens, heads, head size). Without boundaries the whole row is one example.
    """
    del module, attention_mask, dropout
    q, k, v = (part[0].transpose(0, 1) for part in (query, key, value))
    if cu_seq_lens_q is not None and max_length_q is not None and not block_lengths:
        mixed = _varlen(q, k, v, cu_seq_lens_q, max_length_q, scaling, sliding_window)
    else:
        lengths = block_lengths or (query.shape[2],)
        mixed = _one_by_one(q, k, v, lengths, scaling, sliding_window)
    return mixed[None], None


def _varlen(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, bounds: torch.Tensor,
    longest: int, scaling: float | None, window: int | None,
) -> torch.Tensor:  # fmt: skip
    """Tensors are (tokens, heads, head size); key and value may have fewer heads."""
    from torch.nn.attention.varlen import varlen_attn  # noqa: PLC0415

    more: dict[str, Any] = {"scale": scaling, "window_size": (window - 1 if window else -1, 0)}
    if "enable_gqa" in _names(varlen_attn):  # older versions share key heads without being asked
        more["enable_gqa"] = True
    mixed: torch.Tensor = varlen_attn(query, key, value, bounds, bounds, longest, longest, **more)  # type: ignore[assignment]
    return mixed


def _names(function: Any) -> frozenset[str]:
    return frozenset(inspect.signature(function).parameters)


@torch.compiler.disable  # type: ignore[untyped-decorator]  # else each list of lengths is compiled
def _one_by_one(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, lengths: tuple[int, ...],
    scaling: float | None, window: int | None,
) -> torch.Tensor:  # fmt: skip
    done = [
        _whole(q, k, v, scaling, window)
        for q, k, v in zip(
            *(torch.split(part, list(lengths)) for part in (query, key, value)), strict=True
        )
    ]
    return torch.cat(done)


def _whole(
    query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, scaling: float | None,
    window: int | None,
) -> torch.Tensor:  # fmt: skip
    """One example: (tokens, heads, head size) in and out."""
    count = len(query)
    mask = None
    if window and window < count:
        place = torch.arange(count, device=query.device)
        apart = place[:, None] - place[None, :]
        mask = (apart >= 0) & (apart < window)
    mixed = scaled_dot_product_attention(
        query.transpose(0, 1)[None], key.transpose(0, 1)[None], value.transpose(0, 1)[None],
        attn_mask=mask, is_causal=mask is None, scale=scaling,
        enable_gqa=query.shape[1] != key.shape[1],
    )  # fmt: skip
    return mixed[0].transpose(0, 1)
