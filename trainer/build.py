"""The trainer of a run: base, adapter, layout on the device, kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import torch
from peft import LoraConfig
from transformers import set_seed
from trl import SFTConfig, SFTTrainer

from trainer import attention, kernels
from trainer.base import compute_type, load_base
from trainer.checkpoints import FOLDER
from trainer.examples import to_dataset
from trainer.flat import Collator, Row
from trainer.isolation import Proof, prove
from trainer.job import Job
from trainer.labels import Example
from trainer.parts import Parts, parts_of
from trainer.ranks import process_count
from trainer.recipe import Recipe
from trainer.room import NoRoom, Room, find_room, free_bytes, on_cpu
from trainer.sft import FlatTrainer


class CompileFailed(Exception):
    """What failed half-way is thrown away with its model, and built anew without compiling."""


def built(job: Job, device: torch.device) -> tuple[SFTTrainer, dict[str, Any]]:
    """Load the base and make the trainer; the adapter's first values follow from the seed."""
    set_seed(job.recipe.seed)
    base = load_base(job.model, job.recipe.method, device)
    base.config._name_or_path = job.model.name  # noqa: SLF001 -- else the adapter names a path
    base.name_or_path = job.model.name
    return _trainer(job, base, device)


def _trainer(job: Job, base: Any, device: torch.device) -> tuple[SFTTrainer, dict[str, Any]]:
    """Make the flat trainer, or the library's own over padded batches where flat does not hold."""
    parts = parts_of(base)
    kernel = attention.has_kernel(device, base.dtype)
    proof = _proof(base, parts, kernel=kernel) if parts else None
    if parts is None or proof is None or not proof.holds:
        base.set_attn_implementation("sdpa")
        job.say("This architecture is trained in padded batches: flat rows are not proven on it.")
        return _padded(job, base, device), {"kind": "padded"}
    trainer = _flat(job, base, device, parts, kernel=kernel)
    room, choice = _lay_out(job, trainer, parts, device, kernel=kernel)
    longest = job.longest
    trainer.data_collator = Collator(room.tokens, longest, kernel)
    trainer.holdout = _rows(job.holdout.rows, room.tokens, longest, kernel=kernel)
    return trainer, {"kind": "flat", "kernels": choice, "attention": "varlen" if kernel else "sdpa",
                     "isolation": asdict(proof), **asdict(room)}  # fmt: skip


def _proof(base: Any, parts: Parts, *, kernel: bool) -> Proof | None:
    try:
        return prove(base, parts, kernel=kernel)
    except torch.OutOfMemoryError:
        raise
    except Exception:  # noqa: BLE001 -- an architecture that the path does not fit: not proven
        return None


def _lay_out(
    job: Job, trainer: FlatTrainer, parts: Parts, device: torch.device, *, kernel: bool
) -> tuple[Room, str]:
    """Put kernels in place and find the room; what fails to compile raises CompileFailed."""
    tokens = int(job.train.stats.tokens * job.recipe.epochs)
    choice = kernels.choose(job.kernels, device, tokens)
    choice = kernels.apply(choice, trainer.model, parts)
    if device.type != "cuda":
        return on_cpu(job.longest), choice
    limit = free_bytes(device, job.memory)
    step = _step_tokens(job)
    try:
        room = find_room(trainer.model, parts, job.longest, step, limit, kernel=kernel)
    except (NoRoom, torch.OutOfMemoryError):
        raise
    except Exception as error:
        if choice == "compile":
            raise CompileFailed from error
        raise
    return room, choice


def _step_tokens(job: Job) -> int:
    """The tokens of a fat step: the mean record and a half, times the records of a step."""
    stats = job.train.stats
    mean = stats.tokens / max(1, stats.examples)
    return int(1.5 * mean * max(1, job.recipe.effective_batch // process_count()))


def _rows(examples: Sequence[Example], budget: int, longest: int, *, kernel: bool) -> list[Row]:
    if not examples:
        return []
    plain = [{"input_ids": example.ids, "labels": example.labels} for example in examples]
    made: list[Row] = Collator(budget, longest, kernel)(plain)["rows"]
    return made


def _flat(job: Job, base: Any, device: torch.device, parts: Parts, *, kernel: bool) -> FlatTrainer:
    collator = Collator(job.longest, job.longest, kernel)
    per_process = max(1, job.recipe.effective_batch // process_count())
    return FlatTrainer(
        model=base, args=_arguments(job, device, per_process, 1), data_collator=collator,
        train_dataset=to_dataset(job.train.rows), eval_dataset=_holdout_set(job),
        processing_class=job.tokenizer, peft_config=_lora(job.recipe), parts=parts,
    )  # fmt: skip


def _padded(job: Job, base: Any, device: torch.device) -> SFTTrainer:
    per_process = max(1, job.recipe.batch_size // process_count())
    return SFTTrainer(
        model=base,
        args=_arguments(job, device, per_process, job.recipe.gradient_accumulation),
        train_dataset=to_dataset(job.train.rows), eval_dataset=_holdout_set(job),
        processing_class=job.tokenizer, peft_config=_lora(job.recipe),
    )  # fmt: skip


def _holdout_set(job: Job) -> Any:
    return to_dataset(job.holdout.rows) if job.holdout.rows else None


def _lora(recipe: Recipe) -> LoraConfig:
    targets: Any = list(recipe.targets)
    return LoraConfig(
        r=recipe.r, lora_alpha=recipe.alpha, lora_dropout=recipe.dropout, bias="none",
        target_modules=targets[0] if targets == ["all-linear"] else targets,
        task_type="CAUSAL_LM",
    )  # fmt: skip


def _arguments(job: Job, device: torch.device, per_process: int, accumulation: int) -> SFTConfig:
    recipe, held = job.recipe, bool(job.holdout.rows)
    on_gpu = device.type == "cuda"
    half = compute_type(device) is torch.float16
    return SFTConfig(
        output_dir=str(job.run / FOLDER), num_train_epochs=recipe.epochs,
        max_steps=job.stop_after or -1, per_device_train_batch_size=per_process,
        per_device_eval_batch_size=per_process, gradient_accumulation_steps=accumulation,
        learning_rate=recipe.learning_rate, lr_scheduler_type=recipe.schedule,
        warmup_steps=recipe.warmup_steps, weight_decay=recipe.weight_decay,
        max_length=recipe.max_length, seed=recipe.seed, data_seed=recipe.seed,
        optim="paged_adamw_8bit" if on_gpu else "adamw_torch", use_cpu=not on_gpu,
        bf16=False, fp16=on_gpu and half, gradient_checkpointing=accumulation > 1,
        logging_steps=1, logging_nan_inf_filter=False, disable_tqdm=True, report_to="none",
        push_to_hub=False, save_strategy="no" if job.stop_after else "epoch",
        eval_strategy="epoch" if held else "no",
        load_best_model_at_end=held and not job.stop_after,
        metric_for_best_model="eval_loss" if held else None, greater_is_better=False,
        save_total_limit=2, remove_unused_columns=False, dataloader_pin_memory=on_gpu,
        dataset_kwargs={"skip_prepare_dataset": True}, average_tokens_across_devices=False,
        log_level="error",
    )  # fmt: skip
