"""The adapter merged into its base, on the weights that come nearest to what was trained.

An adapter that was trained on a base in 4 bits (NF4) has learned beside that base's rounding.
Merged into the 16-bit weights it meets others; merged into the dequantised 4-bit ones it meets the
same, which are rounded. Which is nearer differs by model, so it is measured: the answers' next
tokens on held-out records, adapter on NF4 against each merge.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from trainer.adapter import WEIGHTS, Adapter, AdapterError
from trainer.base import load_base, load_tuned
from trainer.labels import IGNORED, Example
from trainer.model_folder import Model

BASES = ("bf16", "nf4")
# What `transformers` notes for itself in generation settings; no server reads it.
_NOISE = ("_from_model_config", "output_attentions", "output_hidden_states", "use_cache",
          "return_dict_in_generate", "transformers_version")  # fmt: skip
POSITIONS = 32  # answer tokens of one record that are compared; bounds the memory of the logits
# A torch module of `transformers`; its classes are made at run time.
Network = Any


@dataclass(frozen=True, slots=True)
class Drift:
    """How far a merge is from the adapter as it was trained.

    `kl`: mean Kullback-Leibler divergence in nats; `agreement`: share of positions with the same
    likeliest token.
    """

    kl: float
    agreement: float
    positions: int


def check_finite(adapter: Adapter) -> None:
    """Read every weight of the adapter. Raises AdapterError where one is not a finite number."""
    from safetensors.torch import load_file  # noqa: PLC0415 -- loads torch

    for name, tensor in load_file(adapter.root / WEIGHTS).items():
        if not bool(tensor.isfinite().all()):
            raise AdapterError(
                f"{adapter.root}: {name} holds numbers that are not finite: the training broke. "
                "Train again with a lower learning rate (1e-4)."
            )


def load_plain(model: Model, base: str, device: str = "cpu") -> Network:
    """The base in bf16: its own weights (`bf16`), or those that 4 bits leave of it (`nf4`)."""
    if base == "bf16":
        return load_base(model, "lora", device, torch.bfloat16)
    return load_base(model, "qlora", device, torch.bfloat16).dequantize(torch.bfloat16)


def merged(model: Model, adapter: Adapter, base: str, device: str = "cpu") -> Network:
    """The adapter merged into the base in bf16.

    Raises AdapterError where numbers overflow, BaseError for a base that cannot be loaded so.
    """
    from peft import PeftModel  # noqa: PLC0415 -- loads torch

    plain = load_plain(model, base, device)
    both = PeftModel.from_pretrained(plain, str(adapter.root), is_trainable=False)
    try:
        # safe_merge looks for numbers that are not finite before it writes them
        return both.merge_and_unload(safe_merge=True).eval()
    except ValueError:
        raise AdapterError(
            f"{adapter.root}: the merge gives numbers that are not finite. Train again with a "
            "lower learning rate (1e-4)."
        ) from None


def answers(network: Network, rows: Sequence[Example]) -> list[Any]:
    """Log-probabilities of the first answer tokens of each row: float32, (positions, vocabulary)."""
    found = []
    with torch.inference_mode():
        for row in rows:
            # the logits at one place are about the token at the next
            places = [i - 1 for i, label in enumerate(row.labels) if label != IGNORED and i]
            places = places[:POSITIONS]
            ids = torch.tensor([row.ids[: places[-1] + 1]], device=network.device)
            logits = network(input_ids=ids, use_cache=False).logits[0, places]
            found.append(logits.float().log_softmax(-1).cpu())
    return found


def drift(reference: Sequence[Any], other: Sequence[Any]) -> Drift:
    """Compare two results of `answers` over the same rows."""
    kl, same, count = 0.0, 0, 0
    for one, two in zip(reference, other, strict=True):
        kl += float(torch.nn.functional.kl_div(two, one, reduction="sum", log_target=True))
        same += int((one.argmax(-1) == two.argmax(-1)).sum())
        count += len(one)
    return Drift(kl / count, same / count, count)


def measure(
    model: Model,
    adapter: Adapter,
    rows: Sequence[Example],
    device: str = "cpu",
    say: Callable[[str], None] = lambda _: None,
) -> dict[str, Drift]:
    """The drift of each possible merge against the adapter as trained; one model at a time.

    `rows` are labelled held-out records, each with at least one trained token.
    """
    say("the adapter as it was trained, on the base in 4 bits")
    reference = answers(load_tuned(model, adapter.root, "qlora", device), rows)
    found = {}
    for base in BASES[1:] if model.quantised else BASES:
        say(f"merged into the {'16-bit' if base == 'bf16' else 'dequantised 4-bit'} weights")
        found[base] = drift(reference, answers(merged(model, adapter, base, device), rows))
    return found


def choose(found: dict[str, Drift]) -> str:
    """The merge that is nearest to what was trained; the 16-bit one where they are equal."""
    return min(BASES, key=lambda base: found[base].kl if base in found else float("inf"))


def write_merged(
    network: Network, out: Path, *, tokenizer: Path, stops: Sequence[int], model: Model
) -> None:
    """Write a merged model's folder: bf16 safetensors, tokenizer files, generation settings."""
    from transformers import GenerationConfig  # noqa: PLC0415

    shutil.copytree(tokenizer, out)  # first, so that nothing in it can cover a weight
    # Stored settings may not validate; they are copied as they stand, below.
    network.generation_config = GenerationConfig()  # type: ignore[no-untyped-call]
    network.config.name_or_path = model.name  # never a path
    network.save_pretrained(str(out))
    _as_others(out)
    generation = generation_settings(model, stops)
    (out / "generation_config.json").write_text(json.dumps(generation, indent=2) + "\n")


def generation_settings(model: Model, stops: Sequence[int]) -> dict[str, Any]:
    """The base's generation settings, with every stop token at which training ended an answer."""
    path = model.root / "generation_config.json"
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        stored = {}
    ends = stored.get("eos_token_id", [])
    known = ends if isinstance(ends, list) else [ends]
    kept = {name: value for name, value in stored.items() if name not in _NOISE}
    return {**kept, "eos_token_id": list(dict.fromkeys([*stops, *known]))}


def _as_others(folder: Path) -> None:
    """Give weights the mode that the umask gives: safetensors writes files for their owner alone."""
    sample = folder / ".mode"
    sample.touch()
    mode = sample.stat().st_mode & 0o777
    sample.unlink()
    for path in folder.glob("*.safetensors"):
        path.chmod(mode)


def place_template(folder: Path, jinja: str) -> None:
    """Write the chat template into tokenizer files, in both places where servers look for it."""
    (folder / "chat_template.jinja").write_text(jinja, encoding="utf-8", newline="")
    path = folder / "tokenizer_config.json"
    config = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    text = json.dumps({**config, "chat_template": jinja}, ensure_ascii=False, indent=2)
    path.write_text(text + "\n", encoding="utf-8")
