"""Loss after equal tokens: the guide's padded batches against the rows of `train`, on a real model.

    python benchmarks/same_loss.py MODEL [--steps 12] [--batch 2] [--accumulation 2]

MODEL: a small chat model's folder (small_model.py makes one). All train NF4 with the `reference`
recipe (only the warm-up is shorter) on the same made-up chats of very different lengths: the same
records in each step, the same labels (answers and their end), the same first values of the adapter.
`guide` is TRL's trainer as the guide has it, with padding and gradient checkpointing; `other dropout`
the same with other random masks; `train` the flat rows. The `exact` ones have no dropout, so that only
rounding is left, and `exact, by one` is the guide's with the same step in batches of one record: equal
by arithmetic. Prints the losses of each step and how far runs are apart. Exit code 1 when `train` is
further from the guide's runs than half as far again as these are from each other.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any

os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1", TOKENIZERS_PARALLELISM="false")

from trainer.quiet import quiet

quiet()

import torch
from torch.utils.data import SequentialSampler
from transformers import AutoModelForCausalLM, BitsAndBytesConfig, TrainerCallback, set_seed
from trl import SFTConfig, SFTTrainer

from trainer.arguments import adapter
from trainer.examples import Examples, load, to_dataset
from trainer.fit import fit
from trainer.job import Job
from trainer.model_folder import read_model
from trainer.recipe import REFERENCE, Recipe
from trainer.trained import read_trained

LIMIT = 512
SLACK = 1.5  # with so few runs, the furthest of several alike is a matter of luck
WITH_DROPOUT = ("guide", "other dropout", "third dropout", "train")
EXACT = ("exact", "exact, by one", "exact train")
RUNS = (*WITH_DROPOUT, *EXACT)
MASKS = {"other dropout": 1, "third dropout": 2}
THINGS = ("lamp", "chair", "kettle", "shelf", "carpet", "mirror", "desk", "clock", "curtain")
COLOURS = ("grey", "blue", "oak", "white", "green", "black")


@dataclass(frozen=True)
class Setting:
    """One run: dropout, and the seed of its masks; the seed of everything else stays."""

    recipe: Recipe
    masks: int
    steps: int


def write_rows(path: Path, count: int) -> None:
    """Orders of one to forty items, log-normal as in the guides' workload, answered as JSON."""
    draw = random.Random(3)
    with path.open("w", encoding="utf-8") as file:
        for _ in range(count):
            size = max(1, min(40, int(draw.lognormvariate(1.3, 0.9))))
            items = [(draw.randrange(1, 20), draw.choice(COLOURS), draw.choice(THINGS))
                     for _ in range(size)]  # fmt: skip
            asked = ", ".join(f"{n} {colour} {thing}" for n, colour, thing in items)
            kept = items[: max(1, size // 2)]
            answer = json.dumps([{"item": thing, "count": n} for n, _, thing in kept])
            talk = [("system", "Give the first half of the order as JSON."), ("user", asked),
                    ("assistant", answer)]  # fmt: skip
            row = {"messages": [{"role": role, "content": text} for role, text in talk]}
            file.write(json.dumps(row) + "\n")


def rows_of(model: Path, count: int) -> tuple[Any, Examples]:
    trained = read_trained(model, "chat")
    with tempfile.TemporaryDirectory() as home:
        path = Path(home) / "rows.jsonl"
        write_rows(path, count)
        return trained.tokenizer, load(path, trained.tokenizer, trained.template, LIMIT)


class InOrder(SFTTrainer):
    """TRL's trainer; only the order of the records is given, which `train` draws otherwise."""

    def _get_train_sampler(self, train_dataset: Any = None) -> Any:
        return SequentialSampler(train_dataset or self.train_dataset)


class Losses(TrainerCallback):
    def __init__(self) -> None:
        self.found: list[float] = []

    def on_log(self, *_: Any, logs: Any = None, **__: Any) -> None:
        if "loss" in (logs or {}):
            self.found.append(float(logs["loss"]))


def guide(model: Path, setting: Setting) -> list[float]:
    """The first guide's script, with ready labels, on a CPU."""
    recipe = setting.recipe
    tokenizer, rows = rows_of(model, setting.steps * recipe.effective_batch)
    draw = torch.Generator().manual_seed(recipe.seed)
    order = torch.randperm(len(rows.rows), generator=draw).tolist()  # as trainer/sft.py draws it
    nf4 = BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.bfloat16,
        bnb_4bit_use_double_quant=True,
    )  # fmt: skip
    base = AutoModelForCausalLM.from_pretrained(
        model, quantization_config=nf4, dtype=torch.bfloat16, device_map={"": "cpu"}
    )
    set_seed(recipe.seed)
    with tempfile.TemporaryDirectory() as out:
        args = SFTConfig(
            output_dir=out, use_cpu=True, max_steps=setting.steps, seed=recipe.seed,
            per_device_train_batch_size=recipe.batch_size,
            gradient_accumulation_steps=recipe.gradient_accumulation,
            learning_rate=recipe.learning_rate, lr_scheduler_type=recipe.schedule,
            warmup_steps=recipe.warmup_steps, weight_decay=recipe.weight_decay,
            max_length=LIMIT, bf16=False, logging_steps=1, save_strategy="no", report_to="none",
            disable_tqdm=True,
        )  # fmt: skip
        dataset = to_dataset([rows.rows[place] for place in order]).remove_columns("length")
        trainer = InOrder(
            model=base, args=args, train_dataset=dataset, processing_class=tokenizer,
            peft_config=adapter(recipe),
        )  # fmt: skip
        log = Losses()
        trainer.add_callback(log)
        set_seed(setting.masks)
        trainer.train()
    return log.found


def ours(model: Path, setting: Setting) -> list[float]:
    """`train`'s own run, below its books."""
    tokenizer, rows = rows_of(model, setting.steps * setting.recipe.effective_batch)
    nothing = Examples([], replace(rows.stats, rows=0, examples=0, tokens=0, trained=0, longest=0))
    with tempfile.TemporaryDirectory() as out:
        outcome = fit(Job(Path(out), read_model(model), tokenizer, rows, nothing, setting.recipe,
                          device="cpu", stop_after=setting.steps))  # fmt: skip
        print(f"layout {outcome.layout['kind']}, {outcome.tokens:,} tokens", file=sys.stderr)
        lines = (Path(out) / "metrics.jsonl").read_text().splitlines()
    return [row["loss"] for row in map(json.loads, lines) if "loss" in row]


def setting_of(name: str, given: argparse.Namespace) -> Setting:
    batch, accumulation = given.batch, given.accumulation
    if name == "exact, by one":
        batch, accumulation = 1, batch * accumulation
    recipe = replace(
        REFERENCE, learning_rate=given.learning_rate, warmup_steps=2, epochs=1, max_length=LIMIT,
        batch_size=batch, gradient_accumulation=accumulation,
        dropout=0.0 if name in EXACT else REFERENCE.dropout,
    )  # fmt: skip
    return Setting(recipe, recipe.seed + MASKS.get(name, 0), given.steps)


def apart(name: str) -> dict[str, Any]:
    """Run one in a process of its own: what one leaves behind must not weigh on the next."""
    start = time.monotonic()
    done = subprocess.run([sys.executable, *sys.argv, "--one", name], stdout=subprocess.PIPE,
                          text=True, check=True)  # fmt: skip
    seconds = time.monotonic() - start
    print(f"{name}: {seconds:.0f} s", file=sys.stderr)
    return {"losses": json.loads(done.stdout.splitlines()[-1]), "seconds": seconds}


def gaps(one: Sequence[float], other: Sequence[float]) -> tuple[float, float]:
    """Relative differences of two runs' steps: mean and largest."""
    found = [abs(a - b) / a for a, b in zip(one, other, strict=True)]
    return fmean(found), max(found)


def judge(found: dict[str, list[float]], names: Sequence[str], what: str) -> bool:
    """Whether the last of `names` is as near to the others as these are to each other."""
    *alike, last = names
    among = [gaps(found[a], found[b]) for a, b in combinations(alike, 2)]
    apart = [gaps(found[name], found[last]) for name in alike]
    noise, mine = max(mean for mean, _ in among), fmean(mean for mean, _ in apart)
    print(f"{what}: the guide's runs differ by {fmean(mean for mean, _ in among):.2%} in the mean "
          f"(furthest pair {noise:.2%}, single step {max(most for _, most in among):.2%}); `train` "
          f"from them by {mine:.2%} (single step {max(most for _, most in apart):.2%})")  # fmt: skip
    return mine <= SLACK * noise


def show(found: dict[str, list[float]], model: Path, given: argparse.Namespace) -> None:
    _, rows = rows_of(model, given.steps * given.batch * given.accumulation)
    lengths = sorted(len(row.ids) for row in rows.rows)
    print(f"{len(lengths)} records of {lengths[0]} to {lengths[-1]} tokens, median "
          f"{lengths[len(lengths) // 2]}; {rows.stats.tokens:,} tokens, {rows.stats.trained:,} "
          f"trained; {given.batch} x {given.accumulation} records a step\n")  # fmt: skip
    print("| step |", " | ".join(found), "|")
    print("|---|" + "---|" * len(found))
    for step, losses in enumerate(zip(*found.values(), strict=True), start=1):
        print(f"| {step} |", " | ".join(f"{loss:.4f}" for loss in losses), "|")


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--batch", type=int, default=2)
    parser.add_argument("--accumulation", type=int, default=2)
    parser.add_argument("--learning-rate", type=float, default=REFERENCE.learning_rate)
    parser.add_argument("--one", choices=RUNS, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        run = ours if given.one.endswith("train") else guide
        print(json.dumps(run(given.model, setting_of(given.one, given))))
        return 0
    results = {name: apart(name) for name in RUNS}
    found = {name: result["losses"] for name, result in results.items()}
    show(found, given.model, given)
    print()
    holds = [judge(found, WITH_DROPOUT, "with dropout"), judge(found, EXACT, "without")]
    print("seconds:", ", ".join(f"{name} {one['seconds']:.0f}" for name, one in results.items()))
    return 0 if all(holds) else 1


if __name__ == "__main__":
    sys.exit(main())
