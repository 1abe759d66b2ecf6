"""The base model, loaded from its local folder: in 4 bits (NF4), or in 16.

The numbers that are not quantised (embeddings, head, norms) are loaded in the compute type: left
to itself the library would take float32, which doubles them.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from trainer import ranks
from trainer.quiet import quiet

if TYPE_CHECKING:
    from trainer.model_folder import Model

METHODS = ("qlora", "lora")


class BaseError(Exception):
    """A base model that cannot be loaded as asked. The message says what to do."""


def device_of(wanted: str) -> torch.device:
    """`auto`: the GPU of this process if there is one; `cpu`; `cuda`. Raises BaseError."""
    if wanted == "cpu" or (wanted == "auto" and not torch.cuda.is_available()):
        return torch.device("cpu")
    if not torch.cuda.is_available():
        raise BaseError("No GPU that torch can use: set train.device to `cpu`, or look at the "
                        "driver with `nvidia-smi`.")  # fmt: skip
    torch.cuda.set_device(ranks.local())
    return torch.device("cuda", torch.cuda.current_device())


def compute_type(device: torch.device) -> torch.dtype:
    """bfloat16, or float16 on cards that lack it (below compute capability 8)."""
    if device.type == "cuda" and torch.cuda.get_device_capability(device)[0] < 8:
        return torch.float16
    return torch.bfloat16


def load_base(
    model: Model, method: str, device: torch.device | str, dtype: torch.dtype | None = None
) -> Any:
    """Load a base model with frozen weights, in evaluation mode.

    `method` `qlora` quantises to NF4 with double quantisation, or takes a base that is already in
    4 bits as it is; `lora` keeps 16 bits. `dtype` (default: `compute_type`) is what it computes in.
    Raises BaseError.
    """
    where = torch.device(device)
    kind = dtype or compute_type(where)
    if model.quantised and method != "qlora":
        raise BaseError(f"{model.root}: this base is already in 4 bits. Set train.method to "
                        "`qlora`, or take the 16-bit model.")  # fmt: skip
    loaded = _load(model.root, kind, where, nf4=method == "qlora" and not model.quantised)
    loaded.requires_grad_(requires_grad=False)
    loaded.config.use_cache = False
    _set_compute(loaded, kind)
    if where.type == "cpu":
        _keep_layout(loaded)
    return loaded.eval()


def load_tuned(
    model: Model, adapter: Path, method: str, device: torch.device | str,
    dtype: torch.dtype | None = None,
) -> Any:  # fmt: skip
    """Load the base and a trained adapter on it (a `PeftModel`), in evaluation mode."""
    from peft import PeftModel  # noqa: PLC0415 -- dear to import

    base = load_base(model, method, device, dtype)
    try:
        tuned = PeftModel.from_pretrained(base, str(adapter), is_trainable=False)
    except Exception as error:  # noqa: BLE001 -- the library raises anything, with paths
        raise BaseError(f"{adapter}: the adapter cannot be loaded on this base "
                        f"({type(error).__name__}). Check that it was trained on this base, and "
                        "that its files are whole.") from None  # fmt: skip
    return tuned.eval()


def _load(root: Path, dtype: torch.dtype, device: torch.device, *, nf4: bool) -> Any:
    from transformers import AutoModelForCausalLM  # noqa: PLC0415 -- dear to import
    from transformers.utils import logging  # noqa: PLC0415

    library: Any = logging  # untyped

    quiet()
    library.set_verbosity_error()
    library.disable_progress_bar()
    more: dict[str, Any] = {"quantization_config": _nf4(dtype)} if nf4 else {}
    try:
        return AutoModelForCausalLM.from_pretrained(
            str(root), dtype=dtype, device_map={"": device}, local_files_only=True,
            trust_remote_code=False, use_safetensors=True, **more,
        )  # fmt: skip
    except (torch.OutOfMemoryError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 -- the library raises anything, with paths
        raise BaseError(f"{root}: the model cannot be loaded ({type(error).__name__}). Check that "
                        "the folder is whole (`privatune pull` verifies it) and that this version "
                        "of transformers knows the architecture.") from None  # fmt: skip


def _set_compute(model: Any, dtype: torch.dtype) -> None:
    """Compute in `dtype` whatever the folder of a base that is already in 4 bits says.

    The library leaves both the layers' compute type and all weights beside them as they are stored.
    """
    keep = {*(getattr(model, "_keep_in_fp32_modules_strict", None) or ())}
    if dtype is torch.float16:
        keep |= {*(getattr(model, "_keep_in_fp32_modules", None) or ())}
    for layer in model.modules():
        if hasattr(layer, "compute_type_is_set"):
            layer.compute_dtype, layer.compute_type_is_set = dtype, True
    for name, weight in model.named_parameters():
        wide = weight.is_floating_point() and weight.dtype != dtype
        if wide and not any(part in name for part in keep):
            weight.data = weight.data.to(dtype)


def _keep_layout(model: Any) -> None:
    """Keep 4-bit weights on a CPU in the layout that gradients know.

    bitsandbytes 0.50 packs them anew at the first pass in evaluation mode on CPUs with AVX-512
    bfloat16; after that a training pass goes through a kernel without gradients, and what the
    adapter learns is wrong without a word.
    """
    for module in model.modules():
        if hasattr(module, "support_avx512bf16_for_cpu"):
            module.support_avx512bf16_for_cpu = False


def _nf4(dtype: torch.dtype) -> Any:
    import transformers  # noqa: PLC0415

    config: Any = transformers.BitsAndBytesConfig  # untyped
    return config(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=dtype,
        bnb_4bit_use_double_quant=True,
    )  # fmt: skip
