"""What is in a local model folder: read without torch, refused in words before anything is loaded.

The layout is that of `transformers`: config.json, safetensors in one file or in shards that
model.safetensors.index.json names, and a tokenizer.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from trainer.weight_files import LFS_POINTER, Tensor, WeightFileError, tensors

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

CONFIG, INDEX, ONE_FILE = "config.json", "model.safetensors.index.json", "model.safetensors"
RECEIPT = "pull.json"  # written by `privatune pull`; says what the model is called
PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl", ".h5", ".msgpack")
DTYPES = {"BF16": "bfloat16", "F16": "float16", "F32": "float32", "F64": "float64"}
WRITES_TEXT = ("ForCausalLM", "LMHeadModel", "ForConditionalGeneration")
ID = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
_LAYER = re.compile(r"\.layers\.(\d+)\.")


class ModelFolderError(Exception):
    """A folder that cannot be trained on. The message names the place and the next step."""


@dataclass(frozen=True, slots=True)
class Model:
    """A base model on disk.

    `name` is the id that `pull` noted, else the folder's name; never a path. `dtype` is the
    torch name of what most floating-point values are stored in. `quantised` is `bnb-4bit`, or
    None for 16- and 32-bit weights; anything else is refused. `parameters` counts stored values,
    None where they are packed.
    """

    root: Path
    name: str
    config: dict[str, Any]
    shards: tuple[Path, ...]
    quantised: str | None
    dtype: str
    parameters: int | None = None


def read_model(folder: str | Path) -> Model:
    """Read a model folder: config, headers of all shards, presence of a tokenizer.

    No weights are read and no code in the folder is run. Raises ModelFolderError.
    """
    root = Path(folder)
    config = read_config(root)
    check_tokenizer(root)
    shards, index = _shards(root)
    found = _headers(shards, index)
    quantised = quantisation(config, root)
    _check_names(root, config, found, quantised)
    values = None if quantised else sum(tensor.values for tensor in found)
    return Model(root, _name(root), config, shards, quantised, _dtype(root, found), values)


def model_hash(model: Model) -> str:
    """SHA-256, in hex, over the names and hashes of config.json and every shard; reads them all."""
    paths = (model.root / CONFIG, *model.shards)
    return hash_of_hashes((path.name, file_hash(path)) for path in paths)


def hash_of_hashes(files: Iterable[tuple[str, str]]) -> str:
    """Give `model_hash` from the names and hashes: config.json first, then the shards in order."""
    lines = "".join(f"{name} {digest}\n" for name, digest in files)
    return hashlib.sha256(lines.encode()).hexdigest()


def file_hash(path: Path) -> str:
    """SHA-256 of a file in hex, read in pieces."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def read_config(root: Path) -> dict[str, Any]:
    """Read config.json, and refuse what could not be trained before any weights are there.

    Raises ModelFolderError: no folder, an adapter, broken JSON, custom code, no model that
    writes text, a quantisation that QLoRA cannot start from.
    """
    if not root.is_dir():
        raise ModelFolderError(
            f"{root}: no such folder. Name a local model folder, or fetch one with "
            "`privatune pull`."
        )
    if (root / "adapter_config.json").exists():
        raise ModelFolderError(
            f"{root}: an adapter, not a base model. Name the folder of the base that it was "
            "trained on, or merge the two first."
        )
    if not (root / CONFIG).is_file():
        raise ModelFolderError(_no_config(root))
    config = read_json(root / CONFIG)
    _check_code(root, config)
    _check_kind(root, config)
    quantisation(config, root)
    return config


def read_json(path: Path) -> dict[str, Any]:
    """Read one JSON object. Raises ModelFolderError; the message has the line, not the text."""
    try:
        data = path.read_bytes()
        value = json.loads(data)
    except json.JSONDecodeError as error:
        if data.startswith(LFS_POINTER):
            why = "a Git LFS pointer, not the file. Run `git lfs pull` in the clone"
        else:
            why = f"not JSON (line {error.lineno}). Fetch the file again"
        raise ModelFolderError(f"{path}: {why}.") from None
    except (ValueError, RecursionError):
        raise ModelFolderError(f"{path}: not JSON. Fetch the file again.") from None
    if not isinstance(value, dict):
        raise ModelFolderError(f"{path}: not a JSON object. Fetch the file again.")
    return value


def without_weights(names: Iterable[str]) -> str:
    """Say why a folder or a repository with these file names has no weights to train on."""
    endings = {Path(name).suffix for name in names}
    if ".gguf" in endings:
        return (
            "only GGUF weights: these are for serving and cannot be trained. Take the "
            "safetensors form of the same model"
        )
    if endings & set(PICKLES):
        return (
            "only pickled weights (.bin, .pt and the like): loading them runs code inside them. "
            "Take a revision with safetensors, or convert them on a machine without data"
        )
    return "no weights (model.safetensors, alone or in shards). Fetch the model again"


def quantisation(config: Mapping[str, Any], root: Path) -> str | None:
    """Tell how the stored weights are quantised: None or `bnb-4bit`. Raises ModelFolderError."""
    nested = config.get("text_config")
    inner = nested.get("quantization_config") if isinstance(nested, dict) else None
    how = config.get("quantization_config") or inner
    if not how:
        return None
    method = how.get("quant_method") if isinstance(how, dict) else None
    if isinstance(how, dict) and how.get("load_in_4bit") and method in (None, "bitsandbytes"):
        return "bnb-4bit"
    told = method if isinstance(method, str) and method.isidentifier() else "unknown"
    raise ModelFolderError(
        f"{root}: weights quantised by another method ({told}) than bitsandbytes 4-bit. An "
        "adapter cannot be trained on them here: take the 16-bit form of this model."
    )


def check_tokenizer(root: Path) -> None:
    """Refuse a folder without a fast tokenizer, or whose tokenizer brings code."""
    if not (root / "tokenizer.json").is_file():
        old = (
            " (tokenizer.model is there: convert it)" if (root / "tokenizer.model").exists() else ""
        )
        raise ModelFolderError(
            f"{root}: no tokenizer.json{old}. Copy the tokenizer files of the same model into it."
        )
    if (root / "tokenizer_config.json").is_file():
        _check_code(root, read_json(root / "tokenizer_config.json"), "tokenizer_config.json")


def _no_config(root: Path) -> str:
    names = [path.name for path in root.iterdir()]
    if any(name.endswith(".gguf") for name in names):
        return f"{root}: {without_weights(names)}."
    return f"{root}: no config.json, so not a model folder. Name the folder that holds it."


def _check_code(root: Path, config: Mapping[str, Any], name: str = CONFIG) -> None:
    if config.get("auto_map"):
        raise ModelFolderError(
            f"{root}: {name} asks for Python code that comes with the model (auto_map). Such code "
            "is never run here. Where transformers knows this architecture by itself, remove the "
            "auto_map entry; otherwise take another model."
        )


def _check_kind(root: Path, config: Mapping[str, Any]) -> None:
    if not isinstance(config.get("model_type"), str):
        raise ModelFolderError(f"{root}: config.json has no model_type. Fetch the model again.")
    kinds = config.get("architectures")
    if isinstance(kinds, list) and kinds and not any(str(k).endswith(WRITES_TEXT) for k in kinds):
        raise ModelFolderError(
            f"{root}: not a model that writes text (config.json, architectures). Take a causal "
            "language model."
        )


def indexed(root: Path) -> dict[str, str]:
    """Read which shard holds which tensor from model.safetensors.index.json.

    Raises ModelFolderError, also for a name that is no file beside the index.
    """
    places = read_json(root / INDEX).get("weight_map")
    if not isinstance(places, dict) or not places:
        raise ModelFolderError(f"{root / INDEX}: no weight_map. Fetch the file again.")
    names = {str(name) for name in places.values()}
    if any(Path(name).name != name or not name.endswith(".safetensors") for name in names):
        raise ModelFolderError(f"{root / INDEX}: names a file that is no shard beside it.")
    return {key: str(name) for key, name in places.items()}


def _shards(root: Path) -> tuple[tuple[Path, ...], dict[str, str]]:
    """Find the weight files and, of a sharded model, which tensor the index sees where."""
    if (root / ONE_FILE).is_file():
        return (root / ONE_FILE,), {}
    if not (root / INDEX).is_file():
        raise ModelFolderError(f"{root}: {without_weights(path.name for path in root.iterdir())}.")
    places = indexed(root)
    names = sorted(set(places.values()))
    missing = [name for name in names if not (root / name).is_file()]
    if missing:
        raise ModelFolderError(
            f"{root}: {len(missing)} of {len(names)} shards are missing, the first is "
            f"{missing[0]}. Fetch the model again."
        )
    return tuple(root / name for name in names), places


def _headers(shards: tuple[Path, ...], index: dict[str, str]) -> list[Tensor]:
    """Read every shard's header; each tensor stands where the index sees it."""
    found: list[Tensor] = []
    for shard in shards:
        try:
            held = tensors(shard)
        except WeightFileError as error:
            raise ModelFolderError(str(error)) from None
        wanted = {name for name, place in index.items() if place == shard.name}
        if not wanted <= {tensor.name for tensor in held}:
            raise ModelFolderError(
                f"{shard}: lacks tensors that {INDEX} sees there; the files are of two models. "
                "Fetch the model again."
            )
        found += held
    return found


def _dtype(root: Path, found: list[Tensor]) -> str:
    """Name the type in which most floating-point values are stored."""
    if any(tensor.dtype.startswith("F8") for tensor in found):
        raise ModelFolderError(f"{root}: fp8 weights. Take the 16-bit form of this model.")
    counts: Counter[str] = Counter()
    for tensor in found:
        if tensor.dtype in DTYPES:
            counts[DTYPES[tensor.dtype]] += tensor.values
    if not counts:
        raise ModelFolderError(f"{root}: no floating-point weights. Take another form of it.")
    return counts.most_common(1)[0][0]


def _check_names(
    root: Path, config: Mapping[str, Any], found: list[Tensor], quantised: str | None
) -> None:
    """Find what a loader would fill with random numbers, or misread, with no more than a warning."""
    names = {tensor.name for tensor in found}
    if any(name.endswith((".qweight", ".qzeros")) for name in names):
        raise ModelFolderError(f"{root}: GPTQ or AWQ weights. Take the 16-bit form of this model.")
    if not quantised and any(".quant_state." in name for name in names):
        raise ModelFolderError(
            f"{root}: 4-bit weights, but config.json has no quantization_config. Fetch it again."
        )
    inner = config.get("text_config")
    text = inner if isinstance(inner, dict) else config
    layers, width = text.get("num_hidden_layers"), text.get("hidden_size")
    there = {int(match[1]) for name in names if (match := _LAYER.search(name))}
    if there and isinstance(layers, int) and not there >= set(range(layers)):
        raise _mixed(root, f"weights for {len(there)} layers where config.json has {layers}")
    rows = [t for t in found if t.name.endswith("embed_tokens.weight") and len(t.shape) == 2]
    if rows and isinstance(width, int) and rows[0].shape[1] != width:
        raise _mixed(root, "the embedding is of another width than config.json says")
    untied = config.get("tie_word_embeddings", text.get("tie_word_embeddings")) is False
    if rows and untied and not any(name.endswith("lm_head.weight") for name in names):
        raise _mixed(
            root, "no output layer (lm_head), and config.json does not tie it to the input"
        )


def _mixed(root: Path, what: str) -> ModelFolderError:
    return ModelFolderError(f"{root}: {what}; what lacks would be random. Fetch the model again.")


def _name(root: Path) -> str:
    """Give the id that the receipt of `pull` has, else the folder's own name."""
    try:
        noted = json.loads((root / RECEIPT).read_bytes())["id"]
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        noted = None
    if isinstance(noted, str) and (ID.fullmatch(noted) or Path(noted).name == noted):
        return noted
    return root.resolve().name
