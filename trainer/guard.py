"""Stops a run that cannot go on usefully, before a step spoils the adapter."""

from __future__ import annotations

from collections.abc import Iterable
from math import isfinite
from typing import Any

import torch
from transformers import TrainerCallback

from trainer.advice import advice


class RunStopped(Exception):
    """A run that cannot go on usefully: the loss is no number, or there is nothing to learn."""


class Guard(TrainerCallback):
    """Looks at the gradients before each step, and at each loss.

    Looking before the step keeps the weights, and so every checkpoint, clean. Raises RunStopped,
    in all processes alike, since gradients and losses are the same in all.
    """

    def __init__(self) -> None:
        self._signal_seen = False

    def on_pre_optimizer_step(
        self, args: Any, state: Any, control: Any, model: Any = None, **_: Any
    ) -> None:
        """Stop at gradients that are no numbers; at a first step, at gradients of zero too.

        Later a gradient of zero only says that a small set is known by heart.
        """
        del state, control
        if args.fp16:  # overflows are the scaler's to find: it skips such a step
            return
        size = gradient_size(model.parameters())
        if not isfinite(size):
            raise RunStopped(advice("nan"))
        if not size and not self._signal_seen:
            raise RunStopped(advice("no-signal"))
        self._signal_seen = True

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        """Stop at a loss that is no number, the holdout's too."""
        del args, state, control
        for name in ("loss", "eval_loss"):
            if not isfinite((logs or {}).get(name, 0.0)):
                raise RunStopped(advice("nan"))


def gradient_size(weights: Iterable[torch.nn.Parameter]) -> float:
    """The norm over all gradients that are there; 0.0 without any."""
    grads = [weight.grad for weight in weights if weight.grad is not None]
    if not grads:
        return 0.0
    norms: list[torch.Tensor] = torch._foreach_norm(grads, dtype=torch.float32)  # type: ignore[assignment]  # noqa: SLF001
    return float(torch.stack(norms).norm())


def check_finite(weights: Iterable[torch.Tensor]) -> None:
    """Raise RunStopped where a weight is no number: such an adapter is never written."""
    if not all(bool(weight.isfinite().all()) for weight in weights):
        raise RunStopped(advice("nan"))
