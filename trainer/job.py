"""A run as asked for, and what it came to."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from trainer.examples import Examples
from trainer.model_folder import Model
from trainer.recipe import Recipe

Say = Callable[[str], None]
Tick = Callable[[int, int, float], None]  # step, steps in all, loss


def _nothing(step: int, steps: int, loss: float) -> None:
    del step, steps, loss


@dataclass(frozen=True, slots=True)
class Job:
    """One run. `memory` is the most GiB of a GPU, None for all that is free.

    `stop_after` ends the run after so many steps, to measure a pace. `save_steps` makes a
    checkpoint every so many steps; None: every ten minutes, and at each epoch's end anyway.
    """

    run: Path
    model: Model
    tokenizer: Any
    train: Examples
    holdout: Examples
    recipe: Recipe
    device: str = "auto"
    kernels: str = "auto"
    memory: float | None = None
    save_steps: int | None = None
    stop_after: int | None = None
    say: Say = print
    tick: Tick = _nothing

    @property
    def longest(self) -> int:
        """Tokens of the longest example of both splits."""
        return max(self.train.stats.longest, self.holdout.stats.longest, 2)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a run came to; plain values, for `run.json`. Losses are per trained token."""

    steps: int
    epochs: float
    best_epoch: int | None
    train_loss: float
    holdout_losses: tuple[float, ...]
    tokens: int
    tokens_per_second: float
    peak_gib: float
    layout: dict[str, Any]
    resumed_at: int | None
    spoiled: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)
