"""What is seen while a run goes on: metrics to a file, warnings when the guides would give advice."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from typing import Any

from transformers import TrainerCallback

from trainer import ranks
from trainer.advice import advice
from trainer.checkpoints import is_whole, mark
from trainer.job import Say, Tick

WINDOW = 10  # steps whose losses are averaged
PATIENCE = 50  # steps after which a loss that has not fallen is spoken of
FALL = 0.98  # of the first window's loss
BEST_LOST = (
    "The checkpoint of the best epoch so far is damaged, so the best of the epochs from here on is "
    "kept. Give `--restart` to train from the beginning."
)


class Books(TrainerCallback):
    """Writes `metrics.jsonl` (numbers only), marks checkpoints, says what is noticed.

    Rows: `{step, epoch, loss, learning_rate, tokens, seconds}` for a step, `{step, epoch,
    holdout_loss}` for an evaluation; tokens count from the start of the run.
    """

    def __init__(self, path: Path, tokens: Callable[[], int], say: Say, tick: Tick) -> None:
        self.path, self.tokens, self.say, self.tick = path, tokens, say, tick
        self.losses: list[float] = []
        self.epochs: list[tuple[float, float]] = []  # (training loss, holdout loss)
        self.since = 0  # the first epoch whose adapter can still be kept
        self._of_epoch: list[float] = []
        self._start = time.monotonic()
        self._told = False

    def resume(self, step: int) -> int:
        """Drop the rows after `step`, read the others back; returns the tokens counted so far.

        Only one process may do so; the file is never half written.
        """
        kept = [row for row in _rows(self.path) if row["step"] <= step]
        part = self.path.with_name(f".{self.path.name}")
        part.write_text("".join(json.dumps(row) + "\n" for row in kept), encoding="utf-8")
        part.rename(self.path)
        tokens = 0
        for row in kept:
            if "loss" in row:
                self._saw(row["loss"])
                tokens = row["tokens"]
            elif "holdout_loss" in row:
                self._end_epoch(row["holdout_loss"])
        return tokens

    def on_log(self, args: Any, state: Any, control: Any, logs: Any = None, **_: Any) -> None:
        """Book a step or an evaluation."""
        del control
        if not state.is_world_process_zero or not logs:
            return
        row: dict[str, float] = {"step": state.global_step, "epoch": round(state.epoch or 0, 4)}
        if "loss" in logs:
            row |= {"loss": logs["loss"], "learning_rate": logs.get("learning_rate", 0.0),
                    "tokens": self.tokens(),
                    "seconds": round(time.monotonic() - self._start, 3)}  # fmt: skip
            self._saw(logs["loss"])
            self.tick(state.global_step, state.max_steps, logs["loss"])
            self._tell_if_flat(args)
        elif "eval_loss" in logs:
            row["holdout_loss"] = logs["eval_loss"]
        else:
            return
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")

    def on_evaluate(
        self, args: Any, state: Any, control: Any, metrics: Any = None, **_: Any
    ) -> None:
        """Compare the epoch with the one before."""
        del args, state, control
        before = self.epochs[-1] if self.epochs else None
        now = self._end_epoch((metrics or {}).get("eval_loss", float("nan")))
        if before and now[1] > before[1] and now[0] < before[0]:
            self.say(advice("over-fitting"))

    def on_train_begin(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Find the best epoch's checkpoint where the run folder lies now, if it is still whole."""
        del control
        if not state.best_global_step:
            return
        best = Path(args.output_dir) / f"checkpoint-{state.best_global_step}"
        if is_whole(best):
            state.best_model_checkpoint = str(best)
            return
        state.best_model_checkpoint = state.best_global_step = state.best_metric = None
        self.since = len(self.epochs)
        self.say(BEST_LOST)

    def on_save(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Mark the checkpoint that was just written, by all processes."""
        del control
        ranks.wait()
        if state.is_world_process_zero:
            mark(Path(args.output_dir) / f"checkpoint-{state.global_step}")

    @property
    def best_epoch(self) -> int | None:
        """The epoch, from 1, with the lowest holdout loss of those whose adapter is there."""
        open_ = range(self.since, len(self.epochs))
        return 1 + min(open_, key=lambda i: self.epochs[i][1]) if open_ else None

    @property
    def train_loss(self) -> float:
        """Mean over all steps so far, those before a resume too."""
        return fmean(self.losses) if self.losses else float("nan")

    def _saw(self, loss: float) -> None:
        self.losses.append(loss)
        self._of_epoch.append(loss)

    def _end_epoch(self, holdout: float) -> tuple[float, float]:
        mean = fmean(self._of_epoch) if self._of_epoch else float("nan")
        self.epochs.append((mean, holdout))
        self._of_epoch = []
        return self.epochs[-1]

    def on_train_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        """Say at the end of a short run what would have been said later in a long one."""
        del state, control
        self._tell_if_flat(args, patience=2 * WINDOW)

    def _tell_if_flat(self, args: Any, patience: int = PATIENCE) -> None:
        if self._told or len(self.losses) < max(patience, args.warmup_steps + 2 * WINDOW):
            return
        self._told = True
        if fmean(self.losses[-WINDOW:]) > FALL * fmean(self.losses[:WINDOW]):
            self.say(advice("not-falling"))


class SaveEvery(TrainerCallback):
    """Asks for a checkpoint every so many seconds, between those at the epochs' ends."""

    def __init__(self, seconds: float, steps: int | None = None) -> None:
        self.seconds, self.steps, self._last = seconds, steps, time.monotonic()

    def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> Any:
        """Set the flag, but not at an epoch's end, where a checkpoint is made after the evaluation.

        One from before it would be gone on from without the epoch's holdout loss.
        """
        del args
        if abs(state.epoch - round(state.epoch)) < 1e-6:
            return control
        due = state.global_step % self.steps == 0 if self.steps else (
            time.monotonic() - self._last > self.seconds)  # fmt: skip
        if due:
            self._last = time.monotonic()
            control.should_save = True
        return control


def _rows(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    rows = []
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            row = json.loads(line)
        except ValueError:  # the last line of a killed run may be torn
            continue
        if isinstance(row, dict) and isinstance(row.get("step"), int):
            rows.append(row)
    return rows
