"""Flat batches: the records of one optimiser step, in rows without padding.

The records of a step are those that the guides' padded batches would hold; only how they are laid
out differs. They are spread over as few rows as the token budget allows, longest first, each into
the emptiest row, so that the rows take equally long.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil
from typing import Any

import torch

from trainer.attention import Blocks
from trainer.labels import IGNORED


@dataclass(frozen=True, slots=True, eq=False)
class Row:
    """One forward pass: `ids` and `places` (1, tokens), `labels` (tokens,) already shifted.

    `labels[i]` is the token that position i should say next, IGNORED where none is trained.
    """

    ids: torch.Tensor
    places: torch.Tensor
    labels: torch.Tensor
    blocks: Blocks

    def to(self, device: torch.device | str, **_: object) -> Row:
        """Move the tensors; accelerate calls this too, with words of its own."""
        blocks = Blocks(self.blocks.bounds.to(device), self.blocks.lengths, self.blocks.longest)
        return Row(self.ids.to(device), self.places.to(device), self.labels.to(device), blocks)

    @property
    def trained(self) -> int:
        """Tokens that count in the loss."""
        return int((self.labels != IGNORED).sum())


def spread(lengths: Sequence[int], budget: int, shares: int = 1) -> list[list[int]]:
    """Spread items over rows of at most `budget` tokens; a longer item gets a row of its own.

    Returns the items' numbers per row, ascending. As few rows as the total needs, and more only
    where the items do not fit so; a multiple of `shares` where there are items enough.
    """
    order = sorted(range(len(lengths)), key=lambda i: (-lengths[i], i))
    count = _multiple(ceil(sum(lengths) / budget), shares)
    while True:
        rows: list[list[int]] = [[] for _ in range(count)]
        filled = [0] * count
        for item in order:
            row = min(range(count), key=lambda r: (filled[r], r))
            if rows[row] and filled[row] + lengths[item] > budget:
                break
            rows[row].append(item)
            filled[row] += lengths[item]
        else:
            return [sorted(row) for row in rows if row]
        count = _multiple(count + 1, shares)


def _multiple(least: int, of: int) -> int:
    return max(1, ceil(least / of)) * of


def flat_row(examples: Sequence[Mapping[str, Any]], longest: int, *, kernel: bool) -> Row:
    """Lay examples (`input_ids`, `labels`, lists of equal length) into one row.

    `kernel`: whether the attention kernel reads the boundaries from the tensor alone.
    """
    lengths = [len(example["input_ids"]) for example in examples]
    ids = [token for example in examples for token in example["input_ids"]]
    labels = [label for example in examples for label in (*example["labels"][1:], IGNORED)]
    places = torch.cat([torch.arange(length) for length in lengths])
    bounds = torch.tensor([0, *accumulate(lengths)], dtype=torch.int32)
    return Row(
        torch.tensor([ids]), places[None], torch.tensor(labels),
        Blocks(bounds, () if kernel else tuple(lengths), longest),
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Collator:
    """Turns the records of a step into rows; used by the data loader.

    `budget` is in tokens a row. Of several processes the `share`-th of `shares` gets its own rows;
    all must have the same budget, so that each record is in one of them.
    """

    budget: int
    longest: int
    kernel: bool
    share: int = 0
    shares: int = 1

    def __call__(self, examples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """Make `{"rows": [...], "trained": n, "tokens": n}`; the counts are of the whole step."""
        lengths = [len(example["input_ids"]) for example in examples]
        parts = spread(lengths, self.budget, self.shares)
        rows = [
            flat_row([examples[i] for i in part], self.longest, kernel=self.kernel)
            for part in parts[self.share :: self.shares]
        ]
        trained = sum(label != IGNORED for one in examples for label in one["labels"][1:])
        return {"rows": rows, "trained": trained, "tokens": sum(lengths)}
