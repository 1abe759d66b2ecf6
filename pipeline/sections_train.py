"""The sections of `privatune.yaml` that `train` and `export` read."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field

from pipeline.fields import Label, LocalPath, Name, Section


class Lora(Section):
    """The adapter; what is not given comes from the preset."""

    r: int | None = Field(default=None, ge=1, le=1024, description="Rank.")
    alpha: int | None = Field(
        default=None, ge=1, description="Scale: updates are multiplied by alpha / r."
    )
    dropout: float | None = Field(
        default=None, ge=0, lt=1, description="Dropout on the adapter's input."
    )
    targets: tuple[Name, ...] = Field(
        default=("all-linear",),
        min_length=1,
        description="Names of the layers that get an adapter.",
    )


class Train(Section):
    """The training run; `tokens.max_length` is its length limit, so that there is only one."""

    preset: Literal["reference", "compact"] = Field(
        default="reference",
        description="The settings of one of the two guides; every one can be set.",
    )
    model: LocalPath | None = Field(default=None, description="The base model's local folder.")
    output: LocalPath = Field(
        default=Path("run"), validate_default=True, description="The run folder."
    )
    method: Literal["qlora", "lora"] = Field(
        default="qlora", description="`qlora`: the base in 4 bits; `lora`: the base in 16 bits."
    )
    device: Literal["auto", "cpu"] = Field(default="auto", description="Where it trains.")
    epochs: float | None = Field(default=None, gt=0, le=1000, description="Passes over the set.")
    learning_rate: float | None = Field(default=None, gt=0, lt=1, description="Peak learning rate.")
    schedule: Literal["cosine", "linear", "constant"] | None = Field(
        default=None, description="How the learning rate falls."
    )
    warmup_steps: int | None = Field(default=None, ge=0, description="Steps until the peak.")
    batch_size: int | None = Field(
        default=None,
        ge=1,
        description="Records of a batch; times `gradient_accumulation`, the records of one "
        "optimiser step over all devices.",
    )
    gradient_accumulation: int | None = Field(
        default=None, ge=1, description="Batches that are added up before the weights change."
    )
    weight_decay: float | None = Field(default=None, ge=0, lt=1, description="Weight decay.")
    kernels: Literal["auto", "compile", "liger", "none"] = Field(
        default="auto", description="Fast kernels on a GPU, of those that are installed."
    )
    memory: float | None = Field(
        default=None, gt=0, description="Most GiB of a GPU that may be used; default: all free."
    )
    save_steps: int | None = Field(
        default=None,
        ge=1,
        description="Steps between checkpoints; default: ten minutes, and every epoch.",
    )
    processes: int = Field(
        default=1, ge=1, le=64, description="Processes on this machine, one for each GPU."
    )
    seed: int = Field(default=42, ge=0, lt=2**32, description="Seed of everything random.")
    lora: Lora = Field(default_factory=Lora, description="The adapter.")
    require_seal: Literal["python", "kernel"] = Field(
        default="python", description="The weakest seal against the network that is accepted."
    )


class Export(Section):
    """What `export` makes of a run."""

    name: Label | None = Field(
        default=None, description="Name of the model; default: the run's name."
    )
    quantisation: tuple[Literal["Q4_K_M", "Q5_K_M", "Q6_K", "Q8_0", "F16", "BF16"], ...] = Field(
        default=("Q4_K_M",), min_length=1, description="GGUF forms that are written."
    )
