"""What `plan` says of GPU memory: peaks by batch and row, and how a card would be used."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pipeline.sections_train import Train
from trainer.layout import kernels_for, layout
from trainer.memory import Setting, guide, ours, peak_gib, verdict
from trainer.recipe import Recipe
from trainer.shape import Shape

BATCHES, LENGTHS = (1, 2, 4, 8), (512, 1024, 2048)
ROWS = (2048, 4096, 8192, 16384)  # tokens of a packed row; `train` takes no longer ones


@dataclass(frozen=True)
class Load:
    """What lies on the card: the model, the recipe's setting, the longest record and a fat step.

    `most_gib` is `train.memory`.
    """

    shape: Shape
    recipe: Recipe
    like: Setting
    longest: int
    step_tokens: int
    most_gib: float | None


def load_of(
    shape: Shape, recipe: Recipe, train: Train, longest: int, mean: float, tokens: float
) -> Load:
    """Put together the load of a run of `tokens`, whose records have `mean` tokens on average."""
    kernels = kernels_for(train.kernels, int(tokens))
    like = Setting(
        0, recipe.r, recipe.targets, recipe.dropout, "nf4" if recipe.method == "qlora" else "bf16",
        kernels=kernels,
    )  # fmt: skip
    step = 1.5 * mean * max(1, recipe.effective_batch // train.processes)
    return Load(shape, recipe, like, longest, int(step), train.memory)


def peaks(load: Load) -> dict[str, Any]:
    """Peaks in GiB, by batch and length as the guide trains, and by packed row as `train` does."""
    shape, like = load.shape, load.like
    lengths = sorted({*LENGTHS, load.longest, load.recipe.max_length})
    return {
        "padded": [
            {"batch": batch, "length": length,
             "peak_gib": round(peak_gib(shape, guide(batch, length, like)), 1)}
            for batch in BATCHES for length in lengths
        ],
        "kernels": like.kernels,
        "packed": [
            {"tokens": tokens, "checkpointed": again,
             "peak_gib": round(peak_gib(shape, ours(tokens, again, like)), 1)}
            for tokens in ROWS if tokens >= load.longest
            for again in (shape.layers, shape.layers // 2, 0)
        ],
    }  # fmt: skip


def on_card(load: Load, vram: float) -> dict[str, Any]:
    """Whether the guide's batch fits the card, and the layout that `train` would choose there."""
    batch = guide(load.recipe.batch_size, load.longest, load.like)
    found = layout(load.shape, load.like, load.longest, load.step_tokens, vram, load.most_gib)
    packed = found and {
        "tokens": found.tokens, "checkpointed": found.recomputed, "copy": found.copy,
        "kernels": found.kernels, "peak_gib": round(found.peak, 1),
    }  # fmt: skip
    return {"padded": verdict(peak_gib(load.shape, batch), vram), "packed": packed}
