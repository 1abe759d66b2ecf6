"""Fast kernels for the layers, from what is installed: compiled by torch, or Liger's.

Nothing is fetched: the library's own way to kernels is a hub, so it stays switched off.
"""

from __future__ import annotations

import shutil
from importlib.util import find_spec
from typing import Any

import torch

from trainer.parts import Parts

CHOICES = ("auto", "compile", "liger", "none")
# Below this many tokens the first compilation (about 100 s at 8 B on one H200) costs more than
# it saves there (10,100 against 14,100 tokens/s).
WORTH_COMPILING = 6_000_000
COMPILERS = ("cc", "gcc", "clang")


def choose(wanted: str, device: torch.device, tokens: int) -> str:
    """Pick `compile`, `liger` or `none`; `tokens` are those of the whole run.

    A CPU compiles only when told to: the wait is rarely worth it there.
    """
    if device.type != "cuda":
        return "compile" if wanted == "compile" else "none"
    if wanted != "auto":
        return wanted
    if tokens >= WORTH_COMPILING and can_compile():
        return "compile"
    return "liger" if has_liger() else "none"


def can_compile() -> bool:
    """Whether Triton and the C compiler that it calls are there."""
    return find_spec("triton") is not None and any(shutil.which(name) for name in COMPILERS)


def has_liger() -> bool:
    """Whether Liger's kernels are installed."""
    return find_spec("liger_kernel") is not None


def apply(choice: str, model: Any, parts: Parts) -> str:
    """Put the kernels in place; returns what is in place, which may be `none`.

    Compiling happens at the first forward pass.
    """
    if choice == "compile":
        for layer in parts.layers:
            layer.compile(dynamic=True)
    if choice == "liger" and not _liger(model):
        return "none"
    return choice


def _liger(model: Any) -> bool:
    """Patch this one model's norms, rotary embedding and MLP; its loss stays ours."""
    try:
        from liger_kernel.transformers import _apply_liger_kernel_to_instance  # noqa: PLC0415

        base = model.get_base_model() if hasattr(model, "get_base_model") else model
        _apply_liger_kernel_to_instance(
            model=base, fused_linear_cross_entropy=False, cross_entropy=False
        )
    except Exception:  # noqa: BLE001 -- an unknown architecture or version: plain layers do as well
        return False
    return True
