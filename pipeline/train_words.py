"""What `train` says: its notes, its bar on a terminal, its summary."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

LINES = 20  # of a run without a terminal, at most about


@dataclass
class Told:
    """Notes of a run: said at once on standard error unless quiet, and kept for `run.json`."""

    quiet: bool = False
    said: list[str] = field(default_factory=list)

    def say(self, words: str) -> None:
        """Say a note once."""
        if words in self.said:
            return
        self.said.append(words)
        if not self.quiet:
            sys.stderr.write(f"privatune: {words}\n")


@contextmanager
def teller(told: Told) -> Iterator[Callable[[int, int, float], None]]:
    """A bar of steps with the loss; where there is no terminal, a line now and then."""
    if told.quiet or not sys.stderr.isatty():
        yield _nothing if told.quiet else _line
        return
    from rich.console import Console  # noqa: PLC0415  only a terminal pays for it
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn  # noqa: PLC0415

    columns = (
        TextColumn("step {task.completed:,.0f} of {task.total:,.0f}"), BarColumn(),
        TextColumn("loss {task.fields[loss]:.3f}"), TimeRemainingColumn(),
    )  # fmt: skip
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=1, loss=float("nan"))
        yield lambda step, steps, loss: progress.update(
            task, completed=step, total=steps, loss=loss
        )


def _nothing(step: int, steps: int, loss: float) -> None:
    del step, steps, loss


def _line(step: int, steps: int, loss: float) -> None:
    """Say every twentieth part of a run, for whoever reads a log."""
    part = max(1, steps // LINES)
    if step == 1 or step % part == 0 or step == steps:
        sys.stderr.write(f"privatune: step {step:,} of {steps:,}, loss {loss:.3f}\n")


def summary(root: Path, body: Mapping[str, Any]) -> str:
    """A finished run in a few lines."""
    result, data = body["result"], body["data"]["train"]
    lines = [
        f"{root}: {_many(result['steps'], 'step')} over {_many(data['rows'], 'record')}",
        f"{result['tokens']:,} tokens, {result['tokens_per_second']:,.0f} a second",
        f"training loss {result['train_loss']:.3f}" + _held(result),
        f"sealed by: {body['seal']['level']}; {_stopped(body['seal']['attempts'])}",
        f"adapter: {root / 'adapter'}",
        _next(root, body),
    ]
    return "\n".join(lines)


def _many(count: int, what: str) -> str:
    return f"{count:,} {what}" + ("" if count == 1 else "s")


def _next(root: Path, body: Mapping[str, Any]) -> str:
    if body.get("stop_after"):
        return f"stopped early to measure; next: privatune plan FOLDER --probe {shlex.quote(str(root))}"
    run = shlex.quote(str(root))
    return (f"next: privatune compare {run}, then privatune export {run}; on a rented machine take "
            "the folder home, then delete the instance and its volumes")  # fmt: skip


def _held(result: Mapping[str, Any]) -> str:
    losses = result["holdout_losses"]
    if not losses:
        return "; no holdout, so the last epoch is kept"
    each = ", ".join(f"{loss:.3f}" for loss in losses)
    if result["best_epoch"] is None:
        return f"; holdout loss {each}"
    return f"; holdout loss by epoch {each}; epoch {result['best_epoch']} is kept"


def _stopped(attempts: Any) -> str:
    count = len(attempts) if attempts else 0
    return "no attempt to reach it" if not count else f"{count} kinds of attempts stopped"
