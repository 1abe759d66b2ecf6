"""A trained adapter on disk: its numbers, and whether it is one and nothing more. No torch."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from trainer.weight_files import Tensor, WeightFileError, tensors

CONFIG, WEIGHTS = "adapter_config.json", "adapter_model.safetensors"
_LORA = ("lora_A", "lora_B", "lora_embedding_A", "lora_embedding_B", "lora_magnitude_vector")


class AdapterError(Exception):
    """An adapter that is missing, broken or not what its configuration says."""


@dataclass(frozen=True, slots=True)
class Adapter:
    """`rank` is the configuration's r; `size` the bytes of its weights, as the file has them."""

    root: Path
    config: dict[str, Any]
    tensors: tuple[Tensor, ...]
    rank: int
    size: int

    @property
    def names(self) -> tuple[str, ...]:
        """The tensors' names."""
        return tuple(tensor.name for tensor in self.tensors)

    @property
    def parameters(self) -> int:
        """How many values were trained."""
        return sum(tensor.values for tensor in self.tensors)


def read_adapter(folder: Path) -> Adapter:
    """Read an adapter's configuration and header. Raises AdapterError.

    Refused: whole layers among the LoRA matrices that the configuration does not name (some
    trainers save the embeddings, and the adapter is as large as the model), and matrices of
    another rank than it says.
    """
    try:
        config = json.loads((folder / CONFIG).read_text(encoding="utf-8"))
        held = tensors(folder / WEIGHTS)
        rank = int(config["r"])
    except WeightFileError as error:
        raise AdapterError(str(error)) from None
    except (OSError, ValueError, KeyError, TypeError):
        raise AdapterError(
            f"{folder}: no adapter ({CONFIG} with its rank, and {WEIGHTS}). Name the run folder "
            "that `train` wrote, or train again."
        ) from None
    _check_layers(folder, config, held)
    _check_ranks(folder, config, held, rank)
    return Adapter(folder, config, held, rank, (folder / WEIGHTS).stat().st_size)


def _check_layers(folder: Path, config: dict[str, Any], held: tuple[Tensor, ...]) -> None:
    named = [str(name) for name in config.get("modules_to_save") or ()]
    named += ["bias"] if config.get("bias", "none") != "none" else []
    whole = [
        tensor
        for tensor in held
        if not set(tensor.name.split(".")) & set(_LORA)
        and not any(name in tensor.name.split(".") for name in named)
    ]
    if whole:
        share = sum(tensor.values for tensor in whole) / sum(tensor.values for tensor in held)
        raise AdapterError(
            f"{folder / WEIGHTS}: {len(whole)} whole layers beside the LoRA matrices, {share:.0%} "
            f"of its values; the first is {whole[0].name}. The base's own weights were saved "
            "along: train again, the embeddings left as they are."
        )
    if not held:
        raise AdapterError(f"{folder / WEIGHTS}: empty. Train again.")


def _check_ranks(folder: Path, config: dict[str, Any], held: tuple[Tensor, ...], rank: int) -> None:
    if config.get("rank_pattern"):
        return
    for tensor in held:
        parts = tensor.name.split(".")
        side = 0 if "lora_A" in parts else 1 if "lora_B" in parts else None
        if side is not None and len(tensor.shape) == 2 and tensor.shape[side] != rank:
            raise AdapterError(
                f"{folder / WEIGHTS}: {tensor.name} has rank {tensor.shape[side]}, and {CONFIG} "
                f"says {rank}: the two are of different runs."
            )
