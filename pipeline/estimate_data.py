"""What `plan` reckons from: the tokens of a prepared folder, and the steps of a short run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from math import ceil
from pathlib import Path
from statistics import median
from typing import Any

from pipeline.config import Config
from pipeline.covered import shipped
from pipeline.errors import UsageFault
from pipeline.folder import Prepared
from pipeline.plan import token_counter
from scrubbers.jsontext import to_value
from trainer.recipe import Recipe
from validators.lengths import length_report

BATCH = 256
PERCENTILES = ("50", "90", "95", "99")
WARM_UP = 2  # steps at the start that are slower: kernels are chosen, memory is taken
LEAST = 3  # stretches of steps below which a pace says nothing
ENOUGH_STEPS = 50  # the first guide: "run 50 steps, read the time per step, multiply"


@dataclass(frozen=True, slots=True)
class Data:
    """Records and tokens of a prepared folder; tokens are those of the training split."""

    train: int
    holdout: int
    tokens: int
    longest: int
    percentiles: dict[str, int]
    limit: int
    source: str

    @property
    def mean(self) -> float:
        """Tokens of a training record."""
        return self.tokens / self.train if self.train else 0.0


@dataclass(frozen=True, slots=True)
class Measured:
    """A rate read from the steps of a short run."""

    tokens_per_second: float
    seconds_per_step: float
    steps: int
    spread: tuple[float, float]


def steps_of(recipe: Recipe, records: int) -> int:
    """Optimiser steps of a run; the last of an epoch may have fewer records."""
    return ceil(ceil(records / recipe.effective_batch) * recipe.epochs)


def data_of(prepared: Prepared, config: Config, model: Path | None) -> Data:
    """Token counts: by the model's or the configuration's tokenizer, else from the manifest.

    Raises UsageFault when there is neither.
    """
    found = config.tokens.tokenizer
    if model is not None and (model / "tokenizer.json").is_file():
        found = model
    if found is not None and found.is_dir():
        tokens = config.tokens.model_copy(update={"tokenizer": found})
        return _counted(prepared, config.model_copy(update={"tokens": tokens}))
    table = prepared.manifest.get("tokens")
    if table is None:
        raise UsageFault(
            f"{prepared.root}: its tokens were not counted. Give `--model FOLDER` with a tokenizer, "
            "or set `tokens.tokenizer` in privatune.yaml."
        )
    return _from_manifest(prepared, table)


def _counted(prepared: Prepared, config: Config) -> Data:
    count = token_counter(config)
    lengths: dict[str, list[int]] = {"train": [], "holdout": []}
    if count is not None:
        for batch in _batches(shipped(prepared.root)):
            found = count([to_value(text) for _, _, text in batch])
            for (split, _, _), length in zip(batch, found, strict=True):
                lengths[split].append(length)
    told = length_report(lengths["train"], config.tokens.max_length)
    shares = sorted(lengths["train"])
    return Data(
        len(lengths["train"]), len(lengths["holdout"]), told.total, told.longest,
        {name: shares[ceil(len(shares) * int(name) / 100) - 1] if shares else 0
         for name in PERCENTILES},
        told.limit, "counted with the tokenizer",
    )  # fmt: skip


def _batches(rows: Iterator[tuple[str, int, str]]) -> Iterator[list[tuple[str, int, str]]]:
    while batch := list(islice(rows, BATCH)):
        yield batch


def _from_manifest(prepared: Prepared, table: dict[str, Any]) -> Data:
    counts = prepared.manifest["counts"]
    train, holdout = counts["train"], counts["holdout"]
    share = train / (train + holdout) if train + holdout else 0.0
    return Data(
        train, holdout, round(table["total"] * share), table["longest"],
        dict(table["percentiles"]), table["max_length"],
        "from the manifest, the training split by its share of the records",
    )  # fmt: skip


def measured(path: Path) -> Measured:
    """Read the steps of a short run: `metrics.jsonl`, or the run folder that holds it.

    Its rows have `step`, and `tokens` and `seconds` from the start of the run; what lies between
    two of them is a stretch of steps. Left out: the first steps, and stretches with an evaluation
    or a new start inside. Raises UsageFault when fewer than three are left.
    """
    file = path / "metrics.jsonl" if path.is_dir() else path
    stretches = list(_stretches(_rows(file)))
    if len(stretches) < LEAST:
        raise UsageFault(
            f"{file}: too few steps to reckon with. Let `privatune train` run for some "
            f"{ENOUGH_STEPS} steps, stop it, and give its metrics.jsonl."
        )
    steps, tokens, seconds = (sum(column) for column in zip(*stretches, strict=True))
    paces = sorted(one[2] / one[1] for one in stretches)
    middle, tenth = median(paces), len(paces) // 10
    return Measured(
        tokens / seconds, seconds / steps, round(steps),
        (min(1.0, paces[tenth] / middle), max(1.0, paces[-1 - tenth] / middle)),
    )  # fmt: skip


def _stretches(rows: list[dict[str, Any]]) -> Iterator[tuple[float, float, float]]:
    """(steps, tokens, seconds) between rows that follow each other, after the warm-up."""
    before: dict[str, Any] | None = None
    for row in rows:
        whole = all(_is_number(row.get(name)) for name in ("step", "tokens", "seconds"))
        if whole and row["step"] < WARM_UP:
            continue
        if whole and before is not None:
            steps, tokens, seconds = (row[n] - before[n] for n in ("step", "tokens", "seconds"))
            if min(steps, tokens, seconds) > 0:
                yield steps, tokens, seconds
        before = row if whole else None


def _rows(file: Path) -> list[dict[str, Any]]:
    try:
        lines = file.read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        raise UsageFault(
            f"{file}: is not there. `privatune train` writes it into its run folder."
        ) from None
    except (OSError, ValueError):
        raise UsageFault(f"{file}: cannot be read. Name a run's metrics.jsonl.") from None
    return [row for line in lines if isinstance(row := _json(line), dict)]


def _json(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError:  # the last line of a stopped run may be torn
        return None


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
