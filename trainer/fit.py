"""The training run: what was built is trained, watched, and the best epoch kept."""

from __future__ import annotations

import gc
import json
import shutil
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from transformers import PrinterCallback, set_seed

from trainer import attention, kernels, ranks
from trainer.arguments import warmup_steps
from trainer.base import device_of
from trainer.build import CompileFailed, built
from trainer.checkpoints import FOLDER, drop, latest, step_of
from trainer.guard import Guard, check_finite
from trainer.job import Job, Outcome
from trainer.quiet import quiet
from trainer.room import STORE
from trainer.sft import OwnTrainer
from trainer.watch import Books, SaveEvery

SAVE_SECONDS = 600.0
NOT_COMPILED = "The layers could not be compiled here, so they run as they are."
SPOILED = (
    "{names}: damaged, or torn when the run was stopped, and so not used. What was trained after "
    "the checkpoint before is trained again."
)


def fit(job: Job) -> Outcome:
    """Train, keep the best epoch, write `adapter/` and `metrics.jsonl` into the run folder.

    Goes on from the newest whole checkpoint in the run folder. Raises BaseError, NoRoom,
    RunStopped; torch.OutOfMemoryError when the card fills during the run.
    """
    quiet()
    device = device_of(job.device)
    attention.register()
    trainer, layout = _built(job, device)
    start, spoiled = _start(job)
    books = Books(job.run / "metrics.jsonl", lambda: trainer.tokens, job.say, job.tick)
    trainer.add_callback(Guard())
    trainer.add_callback(books)
    trainer.remove_callback(PrinterCallback)
    _add_saving(trainer, job)
    if ranks.is_first():
        trainer.tokens = books.resume(step_of(start))
    _say_warmup(job)
    seen, clock = trainer.tokens, time.monotonic()
    _train(job, trainer, start)
    seconds = max(time.monotonic() - clock, 1e-9)
    if trainer.is_world_process_zero():
        _save_adapter(trainer, job.run)
    return Outcome(
        steps=trainer.state.global_step,
        epochs=round(trainer.state.epoch or 0.0, 4),
        best_epoch=None if job.stop_after else books.best_epoch,
        train_loss=books.train_loss,
        holdout_losses=tuple(holdout for _, holdout in books.epochs),
        tokens=trainer.tokens,
        tokens_per_second=(trainer.tokens - seen) / seconds,
        peak_gib=_peak(trainer.args.device),
        layout=layout,
        resumed_at=step_of(start) or None,
        spoiled=tuple(spoiled),
    )


def _say_warmup(job: Job) -> None:
    warmup = warmup_steps(job)
    if warmup != job.recipe.warmup_steps:
        job.say(f"The run is too short for train.warmup_steps {job.recipe.warmup_steps}: the rate "
                f"would never be reached, so it rises over {warmup}.")  # fmt: skip


def _built(job: Job, device: torch.device) -> tuple[OwnTrainer, dict[str, Any]]:
    try:
        return built(job, device)
    except CompileFailed:
        pass  # the exception holds the model: let go of it before the next one is loaded
    gc.collect()
    if device.type == "cuda":
        torch.cuda.empty_cache()
    job.say(NOT_COMPILED)
    return built(replace(job, kernels="liger" if kernels.has_liger() else "none"), device)


def _start(job: Job) -> tuple[Path | None, Sequence[str]]:
    """The checkpoint to go on from, the same in all processes; those that are not whole go."""
    folder = job.run / FOLDER
    start, spoiled = ranks.from_first(latest(folder) if ranks.is_first() else None)
    if ranks.is_first():
        drop(folder, spoiled)
    if spoiled:
        job.say(SPOILED.format(names=", ".join(spoiled)))
    if start is not None:
        job.say(f"Goes on at {start.name}.")
    return start, spoiled


def _train(job: Job, trainer: OwnTrainer, start: Path | None) -> None:
    set_seed(job.recipe.seed)  # what the probe drew must not matter
    if trainer.args.device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(trainer.args.device)
    try:
        trainer.train(resume_from_checkpoint=str(start) if start else None)
    except torch.OutOfMemoryError:
        (job.run / FOLDER / STORE).unlink(missing_ok=True)  # so the next start looks anew
        raise


def _add_saving(trainer: OwnTrainer, job: Job) -> None:
    if job.stop_after:
        return
    if job.save_steps or ranks.process_count() == 1:  # several cannot go by their own clocks
        trainer.add_callback(SaveEvery(SAVE_SECONDS, job.save_steps))


def _save_adapter(trainer: OwnTrainer, run: Path) -> None:
    """Write `adapter/` aside and rename it, so that there is never half of one."""
    tuned: Any = trainer.model
    check_finite(weight for weight in tuned.parameters() if weight.requires_grad)
    part = run / ".adapter"
    shutil.rmtree(part, ignore_errors=True)
    tuned.save_pretrained(str(part), save_embedding_layers=False)
    (part / "README.md").unlink(missing_ok=True)  # the library's card, which is empty
    _settle(part)
    shutil.rmtree(run / "adapter", ignore_errors=True)
    part.rename(run / "adapter")


def _settle(adapter: Path) -> None:
    """Order what the library writes from a set, and give the weights the rights of other files."""
    config = adapter / "adapter_config.json"
    body = json.loads(config.read_text(encoding="utf-8"))
    if isinstance(body.get("target_modules"), list):
        body["target_modules"].sort()
    config.write_text(json.dumps(body, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    for path in adapter.iterdir():
        path.chmod(config.stat().st_mode & 0o777)


def _peak(device: torch.device) -> float:
    return torch.cuda.max_memory_allocated(device) / 2**30 if device.type == "cuda" else 0.0
