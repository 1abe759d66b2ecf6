"""The training run: what was built is trained, watched, and the best epoch kept."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from transformers import PrinterCallback, set_seed
from trl import SFTTrainer

from trainer import attention, kernels
from trainer.base import device_of
from trainer.build import CompileFailed, built
from trainer.checkpoints import FOLDER, latest
from trainer.job import Job, Outcome
from trainer.quiet import quiet
from trainer.ranks import process_count
from trainer.sft import FlatTrainer
from trainer.watch import Books, SaveEvery

SAVE_SECONDS = 600.0


def fit(job: Job) -> Outcome:
    """Train, keep the best epoch, write `adapter/` and `metrics.jsonl` into the run folder.

    Goes on from the newest whole checkpoint in the run folder. Raises BaseError, NoRoom,
    RunStopped; torch.OutOfMemoryError when the card fills during the run.
    """
    quiet()
    device = device_of(job.device)
    attention.register()
    try:
        trainer, layout = built(job, device)
    except CompileFailed:
        job.say("The layers could not be compiled here, so they run as they are.")
        job = replace(job, kernels="liger" if kernels.has_liger() else "none")
        trainer, layout = built(job, device)
    books = Books(job.run / "metrics.jsonl", lambda: _tokens(trainer), job.say, job.tick)
    trainer.add_callback(books)
    trainer.remove_callback(PrinterCallback)
    _add_saving(trainer, job)
    start, spoiled = latest(job.run / FOLDER)
    if start is not None:
        job.say(f"Goes on at {start.name}.")
    _reset_tokens(trainer, books.resume(int(start.name.rpartition("-")[2]) if start else 0))
    return _run(job, trainer, books, layout, start, spoiled)


def _run(
    job: Job, trainer: SFTTrainer, books: Books, layout: dict[str, Any], start: Path | None,
    spoiled: Sequence[str],
) -> Outcome:  # fmt: skip
    set_seed(job.recipe.seed)  # what the probe drew must not matter
    if trainer.args.device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(trainer.args.device)
    seen, clock = _tokens(trainer), time.monotonic()
    result = trainer.train(resume_from_checkpoint=str(start) if start else None)
    seconds = max(time.monotonic() - clock, 1e-9)
    if trainer.is_world_process_zero():
        _save_adapter(trainer, job.run)
    return Outcome(
        steps=trainer.state.global_step,
        epochs=round(trainer.state.epoch or 0.0, 4),
        best_epoch=_best_epoch(books.epochs),
        train_loss=float(result.training_loss),
        holdout_losses=tuple(holdout for _, holdout in books.epochs),
        tokens=_tokens(trainer),
        tokens_per_second=(_tokens(trainer) - seen) / seconds,
        peak_gib=_peak(trainer.args.device),
        layout=layout,
        resumed_at=int(start.name.rpartition("-")[2]) if start else None,
        spoiled=tuple(spoiled),
    )


def _add_saving(trainer: SFTTrainer, job: Job) -> None:
    if job.stop_after:
        return
    if job.save_steps or process_count() == 1:  # several processes cannot go by their own clocks
        trainer.add_callback(SaveEvery(SAVE_SECONDS, job.save_steps))


def _save_adapter(trainer: SFTTrainer, run: Path) -> None:
    """Write `adapter/` aside and rename it, so that there is never half of one."""
    part = run / ".adapter"
    shutil.rmtree(part, ignore_errors=True)
    tuned: Any = trainer.model
    tuned.save_pretrained(str(part), save_embedding_layers=False)
    (part / "README.md").unlink(missing_ok=True)  # the library's card, which is empty
    shutil.rmtree(run / "adapter", ignore_errors=True)
    part.rename(run / "adapter")


def _best_epoch(epochs: Sequence[tuple[float, float]]) -> int | None:
    if not epochs:
        return None
    return 1 + min(range(len(epochs)), key=lambda i: epochs[i][1])


def _tokens(trainer: SFTTrainer) -> int:
    flat = getattr(trainer, "tokens_seen", None)
    return int(flat if flat is not None else getattr(trainer, "_total_train_tokens", 0))


def _reset_tokens(trainer: SFTTrainer, tokens: int) -> None:
    if isinstance(trainer, FlatTrainer):
        trainer.tokens_seen = tokens
    else:
        trainer._total_train_tokens = tokens  # noqa: SLF001 -- TRL counts from zero on a resume


def _peak(device: torch.device) -> float:
    return torch.cuda.max_memory_allocated(device) / 2**30 if device.type == "cuda" else 0.0
