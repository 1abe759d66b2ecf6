"""The trainer of a run: base, adapter, layout on the device, kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, TypeVar

import torch
from transformers import set_seed
from trl.trainer.sft_trainer import DataCollatorForLanguageModeling

from trainer import attention, kernels, ranks, room
from trainer.arguments import adapter, arguments
from trainer.base import BaseError, load_base
from trainer.checkpoints import FOLDER
from trainer.examples import to_dataset
from trainer.flat import Collator, Row
from trainer.isolation import Proof, prove
from trainer.job import Job
from trainer.labels import Example
from trainer.parts import Parts, adapts_head, parts_of
from trainer.room import NoRoom, Room
from trainer.sft import FlatTrainer, OwnTrainer, PaddedTrainer

PADDED = "This architecture is trained in padded batches: flat rows are not proven on it."


NO_HEAD = (
    "train.lora.targets names the model's head, which no trainer here adapts and few servers load. "
    "Take it out; `all-linear` leaves the head alone too."
)
NO_DROPOUT = (
    "The experts of this base have their weights in one block, on which an adapter cannot have "
    "dropout: set train.lora.dropout to 0."
)
Trained = TypeVar("Trained", bound=OwnTrainer)


class CompileFailed(Exception):
    """What failed half-way is thrown away with its model, and built anew without compiling."""


def built(job: Job, device: torch.device) -> tuple[OwnTrainer, dict[str, Any]]:
    """Load the base and make the trainer; the adapter's first values follow from the seed."""
    base = load_base(job.model, job.recipe.method, device)
    base.config._name_or_path = job.model.name  # noqa: SLF001 -- else the adapter names a path
    base.name_or_path = job.model.name
    return trainer_of(job, base, device)


def trainer_of(job: Job, base: Any, device: torch.device) -> tuple[OwnTrainer, dict[str, Any]]:
    """Make the flat trainer, or the library's own over padded batches where flat does not hold.

    Raises BaseError for an adapter that cannot be put on this base.
    """
    if adapts_head(base, job.recipe.targets):
        raise BaseError(NO_HEAD)
    _check_targets(base, job.recipe.targets)
    parts = parts_of(base)
    usual = base.config._attn_implementation  # noqa: SLF001 -- there is no other way to ask
    kernel = attention.has_kernel(device, base.dtype)
    proof = _proof(base, parts, job.longest, kernel=kernel) if parts else None
    if parts is None or proof is None or not proof.holds:
        base.set_attn_implementation(usual)
        job.say(PADDED)
        return _padded(job, base, device), {"kind": "padded"}
    trainer = _flat(job, base, device, parts, kernel=kernel)
    parts = trainer.parts
    found, choice = _lay_out(job, trainer, parts, device, kernel=kernel)
    _give_rows(job, trainer, found, kernel=kernel)
    return trainer, {"kind": "flat", "kernels": choice, "attention": "varlen" if kernel else "sdpa",
                     "isolation": asdict(proof), **asdict(found)}  # fmt: skip


def _check_targets(base: Any, targets: Sequence[str]) -> None:
    """Refuse names that no layer has: the library would leave them out without a word."""
    if tuple(targets) == ("all-linear",):
        return
    names = [name for name, part in base.named_modules() if isinstance(part, torch.nn.Linear)]
    absent = [one for one in targets if not any(f".{name}".endswith(f".{one}") for name in names)]
    if absent:
        there = ", ".join(sorted({name.rpartition(".")[2] for name in names}))
        raise BaseError(f"train.lora.targets: this base has no layer {', '.join(absent)}. It has: "
                        f"{there}.")  # fmt: skip


def _proof(base: Any, parts: Parts, longest: int, *, kernel: bool) -> Proof | None:
    try:
        return prove(base, parts, kernel=kernel, longest=longest)
    except (torch.OutOfMemoryError, MemoryError):
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
    try:
        found = _room(job, trainer, parts, device, kernel=kernel, compiled=choice == "compile")
    except (NoRoom, torch.OutOfMemoryError):
        raise
    except Exception as error:
        if choice == "compile":
            raise CompileFailed from error
        raise
    return replace(found, tokens=ranks.least(found.tokens, device)), choice


def _room(
    job: Job, trainer: FlatTrainer, parts: Parts, device: torch.device, *, kernel: bool,
    compiled: bool,
) -> Room:  # fmt: skip
    """Of the run before, where it goes on; else found by a probe."""
    model = trainer.model
    if device.type != "cuda":
        if compiled:
            room.try_step(model, parts, job.longest, kernel=kernel)
        return room.on_cpu(job.longest)
    limit = room.free_bytes(device, job.memory)
    store = job.run / FOLDER / room.STORE
    known = room.stored(store, device, limit)
    if known is not None:
        return room.lay_out(model, parts, known)
    found = room.find_room(model, parts, job.longest, _step_tokens(job), limit, kernel=kernel)
    if ranks.is_first():
        room.store(store, found, device)
    return found


def _step_tokens(job: Job) -> int:
    """The tokens of a fat step: the mean record and a half, times the records of a step."""
    stats = job.train.stats
    mean = stats.tokens / max(1, stats.examples)
    return int(1.5 * mean * max(1, job.recipe.effective_batch // ranks.process_count()))


def _give_rows(job: Job, trainer: FlatTrainer, found: Room, *, kernel: bool) -> None:
    share, shares = trainer.args.process_index, trainer.args.world_size
    trainer.data_collator = Collator(found.tokens, job.longest, kernel, share, shares)
    whole = Collator(found.tokens, job.longest, kernel)
    trainer.holdout = _rows(job.holdout.rows, whole)


def _rows(examples: Sequence[Example], collator: Collator) -> list[Row]:
    plain = [{"input_ids": example.ids, "labels": example.labels} for example in examples]
    made: list[Row] = collator(plain)["rows"]
    return made


def _flat(job: Job, base: Any, device: torch.device, parts: Parts, *, kernel: bool) -> FlatTrainer:
    collator = Collator(job.longest, job.longest, kernel)
    made = FlatTrainer(parts=parts, **_common(job, base, device, collator, flat=True))
    if made.args.fp16 or made.args.bf16:
        made.parts = replace(parts, compute=torch.float16 if made.args.fp16 else torch.bfloat16)
    return _scaled(made)


def _padded(job: Job, base: Any, device: torch.device) -> PaddedTrainer:
    """The collator is given, or the library would write a padding token into the tokenizer."""
    tokenizer = job.tokenizer
    pad = next((n for n in (tokenizer.pad_token_id, tokenizer.eos_token_id) if n is not None), 0)
    collator = DataCollatorForLanguageModeling(pad_token_id=pad)
    common = _common(job, base, device, collator, flat=False)
    try:
        return _scaled(PaddedTrainer(held=job.holdout.rows, **common))
    except ValueError as error:
        if "lora_dropout" not in str(error):
            raise
        raise BaseError(NO_DROPOUT) from None


def _scaled(trainer: Trained) -> Trained:
    """Where a loss scaler is needed, it needs an adapter of 32 bits; the library makes it bfloat16."""
    if trainer.args.fp16:
        for weight in trainer.model.parameters():
            if weight.requires_grad:
                weight.data = weight.data.float()
    return trainer


def _common(
    job: Job, base: Any, device: torch.device, collator: Any, *, flat: bool
) -> dict[str, Any]:
    """Draw the adapter's first values here: what was probed before must not matter."""
    set_seed(job.recipe.seed)
    held = to_dataset(job.holdout.rows) if job.holdout.rows else None
    return {
        "model": base, "args": arguments(job, device, flat=flat), "data_collator": collator,
        "train_dataset": to_dataset(job.train.rows), "eval_dataset": held,
        "processing_class": job.tokenizer, "peft_config": adapter(job.recipe),
    }  # fmt: skip
