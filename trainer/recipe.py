"""The numbers of a training run: two presets, one for each guide, and what the user sets.

The guides disagree, so both stand here under a name, and every number can be set. `reference` is
the default: it is the recipe of the QLoRA documentation of TRL and PEFT, and its larger effective
batch and dropout forgive more on the few hundred to few thousand rows that users have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

SCHEDULES = ("cosine", "linear", "constant")


@dataclass(frozen=True, slots=True)
class Recipe:
    """Everything that decides what is learned; speed and memory settings are not in it.

    `batch_size` times `gradient_accumulation` is the effective batch, in records, over all
    devices together. `max_length` is in tokens.
    """

    preset: str
    method: str  # qlora | lora
    r: int
    alpha: int
    dropout: float
    targets: tuple[str, ...]
    epochs: float
    learning_rate: float
    schedule: str
    warmup_steps: int
    batch_size: int
    gradient_accumulation: int
    weight_decay: float
    max_length: int
    seed: int

    @property
    def effective_batch(self) -> int:
        """Records in one optimiser step."""
        return self.batch_size * self.gradient_accumulation

    def as_dict(self) -> dict[str, Any]:
        """Plain values for `run.json`."""
        return {**asdict(self), "targets": list(self.targets)}


REFERENCE = Recipe(
    preset="reference", method="qlora", r=16, alpha=32, dropout=0.05, targets=("all-linear",),
    epochs=3, learning_rate=2e-4, schedule="cosine", warmup_steps=20, batch_size=4,
    gradient_accumulation=4, weight_decay=0.0, max_length=2048, seed=42,
)  # fmt: skip
COMPACT = replace(
    REFERENCE, preset="compact", alpha=16, dropout=0.0, schedule="linear", warmup_steps=10,
    batch_size=2, weight_decay=0.01,
)  # fmt: skip
PRESETS: Mapping[str, Recipe] = {"reference": REFERENCE, "compact": COMPACT}
_LORA = ("r", "alpha", "dropout", "targets")


def recipe_of(settings: Mapping[str, Any], max_length: int | None = None) -> Recipe:
    """Take the preset that the `train` section names, and over it what the section sets.

    `settings` has the section's keys (`lora` a mapping of its own); None means not set. Raises
    KeyError for an unknown preset, which the configuration's schema does not let through.
    """
    base = PRESETS[settings.get("preset") or "reference"]
    lora = settings.get("lora") or {}
    known = {field.name for field in fields(Recipe)} - {"preset", "max_length"}
    given = {
        name: (lora if name in _LORA else settings).get(name)
        for name in known
    }  # fmt: skip
    made = {name: value for name, value in given.items() if value is not None}
    if "targets" in made:
        made["targets"] = tuple(made["targets"])
    if max_length is not None:
        made["max_length"] = max_length
    return replace(base, **made)


def recipe_from(stored: Mapping[str, Any]) -> Recipe:
    """Read back what `as_dict` gave."""
    names = {field.name for field in fields(Recipe)}
    kept = {name: value for name, value in stored.items() if name in names}
    return Recipe(**{**kept, "targets": tuple(stored["targets"])})
