"""What the library's trainer and adapter are told, from a recipe; everything it could guess is set."""

from __future__ import annotations

from math import ceil
from typing import Any

import torch
from peft import LoraConfig
from trl import SFTConfig

from trainer.base import BaseError, compute_type
from trainer.checkpoints import FOLDER
from trainer.job import Job
from trainer.ranks import process_count
from trainer.recipe import Recipe

KEPT = 3  # checkpoints: the best, the newest, and the one to fall back on


def arguments(job: Job, device: torch.device, *, flat: bool) -> SFTConfig:
    """Settings of the run. Raises BaseError where padded batches cannot be shared out."""
    batch, accumulation = _batch(job.recipe, flat=flat)
    made = SFTConfig(
        per_device_train_batch_size=batch, per_device_eval_batch_size=batch,
        gradient_accumulation_steps=accumulation, gradient_checkpointing=not flat,
        gradient_checkpointing_kwargs={"use_reentrant": False},
        **_learning(job), **_device(job, device), **_saving(job), **_quiet(),
    )  # fmt: skip
    if made.device.type == "cuda":
        made._n_gpu = 1  # noqa: SLF001 -- else one process would spread batches over all cards
    return made


def adapter(recipe: Recipe) -> LoraConfig:
    """The adapter's shape."""
    targets: Any = list(recipe.targets)
    return LoraConfig(
        r=recipe.r, lora_alpha=recipe.alpha, lora_dropout=recipe.dropout, bias="none",
        target_modules=targets[0] if targets == ["all-linear"] else targets,
        task_type="CAUSAL_LM",
    )  # fmt: skip


def _batch(recipe: Recipe, *, flat: bool) -> tuple[int, int]:
    """Records at a time in one process, and times in a step; flat rows take a step at once."""
    if flat:
        return recipe.effective_batch, 1
    count = process_count()
    share, rest = divmod(recipe.effective_batch, count)
    if rest:
        raise BaseError(f"{recipe.effective_batch} records in a step cannot be shared out to "
                        f"{count} processes: change train.processes, or train.batch_size and "
                        "train.gradient_accumulation.")  # fmt: skip
    batch = max(n for n in range(1, recipe.batch_size + 1) if share % n == 0)
    return batch, share // batch


def warmup_steps(job: Job) -> int:
    """The recipe's, or a tenth of a run that is too short for them: its rate would never be reached.

    A run that is stopped early, to measure, keeps them.
    """
    recipe = job.recipe
    steps = ceil(job.train.stats.examples / recipe.effective_batch * recipe.epochs)
    if job.stop_after or recipe.warmup_steps < steps:
        return recipe.warmup_steps
    return steps // 10


def _learning(job: Job) -> dict[str, Any]:
    recipe, warmup = job.recipe, warmup_steps(job)
    warm = recipe.schedule == "constant" and warmup
    return {
        "num_train_epochs": recipe.epochs, "max_steps": job.stop_after or -1,
        "learning_rate": recipe.learning_rate, "warmup_steps": warmup,
        "lr_scheduler_type": "constant_with_warmup" if warm else recipe.schedule,
        "weight_decay": recipe.weight_decay, "max_grad_norm": 1.0, "seed": recipe.seed,
        "data_seed": recipe.seed, "max_length": recipe.max_length,
        "average_tokens_across_devices": True,
    }  # fmt: skip


def _device(job: Job, device: torch.device) -> dict[str, Any]:
    """A 16-bit base has an adapter of 32 bits, which computes in 16; so has any base in float16."""
    on_gpu = device.type == "cuda"
    half = compute_type(device) is torch.float16
    return {
        "use_cpu": not on_gpu, "optim": "paged_adamw_8bit" if on_gpu else "adamw_torch",
        "fp16": half, "bf16": job.recipe.method == "lora" and not half,
    }  # fmt: skip


def _saving(job: Job) -> dict[str, Any]:
    held, kept = bool(job.holdout.rows), not job.stop_after
    return {
        "output_dir": str(job.run / FOLDER), "save_strategy": "epoch" if kept else "no",
        "eval_strategy": "epoch" if held else "no", "save_total_limit": KEPT,
        "load_best_model_at_end": held and kept, "greater_is_better": False,
        "metric_for_best_model": "eval_loss" if held else None,
    }  # fmt: skip


def _quiet() -> dict[str, Any]:
    return {
        "logging_steps": 1, "logging_nan_inf_filter": False, "disable_tqdm": True,
        "report_to": "none", "push_to_hub": False, "log_level": "error",
        "remove_unused_columns": False, "dataset_kwargs": {"skip_prepare_dataset": True},
        "dataloader_pin_memory": False,
    }  # fmt: skip
