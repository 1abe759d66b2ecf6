"""What a model weighs, read from its `config.json`: linear layers, embeddings, adapters."""

from __future__ import annotations

import difflib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

ALL_LINEAR = ("all-linear",)
# Families with separate projections and a gated feed-forward, as transformers 5 builds them:
# whether q and k are normalised, and how many norms of the hidden size a layer has.
_GATED: dict[str, tuple[bool, int]] = {
    "llama": (False, 2), "mistral": (False, 2), "ministral": (False, 2), "ministral3": (False, 2),
    "qwen2": (False, 2), "qwen3": (True, 2), "qwen3_5_text": (True, 2), "smollm3": (False, 2),
    "gemma": (False, 2), "gemma2": (False, 4), "gemma3_text": (True, 4), "granite": (False, 2),
    "phi3": (False, 2),
}  # fmt: skip
_GATES = ("silu", "swish")  # an unknown family with this activation is most likely gated
_TIED = ("gemma", "gemma2", "gemma3_text")  # tied where config.json is silent
_UNLIKE = ("gemma3n", "gemma3n_text", "gemma4", "gemma4_text")  # layers that differ in more ways
_EXPERTS = ("num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts")
_NEXT = "Leave `--model` away: then the guides' VRAM tables stand in for the estimate."


class ShapeError(Exception):
    """A `config.json` that cannot be counted. The message says what is missing and what to do."""


@dataclass(frozen=True, slots=True)
class Linear:
    """One kind of linear layer: `layers` of them, each of `inputs` x `outputs` parameters.

    `part` says what it reads and gives: `attention-in`, `attention-out`, `mlp-in`, `mlp-out`.
    """

    name: str
    part: str
    inputs: int
    outputs: int
    layers: int


@dataclass(frozen=True, slots=True)
class Shape:
    """Parameter counts of a model, all in single parameters, and its sizes.

    `small` are norms, biases and convolutions; `attention_width` is heads x head size.
    """

    family: str
    layers: int
    hidden: int
    vocabulary: int
    attention_width: int
    tied: bool
    qk_norm: bool
    linears: tuple[Linear, ...]
    small: int
    notes: tuple[str, ...] = ()

    @property
    def linear(self) -> int:
        """Parameters that QLoRA keeps in 4 bits: every linear layer but the head."""
        return sum(one.inputs * one.outputs * one.layers for one in self.linears)

    @property
    def embeddings(self) -> int:
        """Parameters of the embedding table."""
        return self.vocabulary * self.hidden

    @property
    def head(self) -> int:
        """Parameters of the output layer; 0 where it is the embedding table itself."""
        return 0 if self.tied else self.vocabulary * self.hidden

    @property
    def total(self) -> int:
        """All parameters."""
        return self.linear + self.embeddings + self.head + self.small

    def targeted(self, targets: Sequence[str] = ALL_LINEAR) -> tuple[Linear, ...]:
        """The linear layers that get an adapter. Raises ShapeError for a name that none has."""
        if tuple(targets) == ALL_LINEAR:
            return self.linears
        known = {one.name for one in self.linears}
        for name in targets:
            if name not in known:
                raise ShapeError(_unknown_target(name, sorted(known), self.family))
        return tuple(one for one in self.linears if one.name in targets)

    def lora(self, rank: int, targets: Sequence[str] = ALL_LINEAR) -> int:
        """Parameters of the adapter: rank x (inputs + outputs) for each layer that has one."""
        return sum(rank * (one.inputs + one.outputs) * one.layers for one in self.targeted(targets))

    def mean(self, of: Callable[[Linear], int], *parts: str) -> float:
        """The sum of `of` over the linear layers of these parts, in one layer on average."""
        return sum(of(one) * one.layers for one in self.linears if one.part in parts) / self.layers


def _unknown_target(name: str, known: list[str], family: str) -> str:
    near = difflib.get_close_matches(name, known, n=1)
    offer = f"did you mean `{near[0]}`?" if near else "it has " + ", ".join(known)
    return f"train.lora.targets: a {family} model has no layer of one of these names; {offer}"


def read_shape(folder: str | Path) -> Shape:
    """Read `config.json` in a local model folder. Raises ShapeError."""
    path = Path(folder) / "config.json"
    try:
        config = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise ShapeError(
            f"{path}: is not there. Name a local model folder; `privatune pull` fetches one."
        ) from None
    except (OSError, ValueError):
        raise ShapeError(f"{path}: cannot be read as JSON. Fetch the model again.") from None
    if not isinstance(config, dict):
        raise ShapeError(f"{path}: holds no JSON object. Fetch the model again.")
    return shape_of(config)


def shape_of(config: Mapping[str, Any]) -> Shape:
    """Count the model that a `config.json` describes.

    Of a model with more than text the text part is counted. Unknown families with the common keys
    are counted as the llama family, with a note. Raises ShapeError for mixtures of experts and for
    configurations without the keys that counting takes.
    """
    notes: list[str] = []
    if isinstance(inner := config.get("text_config"), dict):
        config = {**inner, **{k: v for k, v in config.items() if k == "tie_word_embeddings"}}
        notes.append("only the text part is counted; what reads images or sound comes on top")
    family = str(config.get("model_type", "unknown"))
    _refuse(config, family)
    _notes(config, family, notes)
    layers, hidden = _number(config, "num_hidden_layers"), _number(config, "hidden_size")
    heads = _number(config, "num_attention_heads")
    kv_heads = _number(config, "num_key_value_heads", heads)
    head = _number(config, "head_dim", hidden // heads)
    mixers, recurrent = _attention(config, family, (heads, kv_heads, head), layers)
    linears = (*mixers, *_feed_forward(config, family, layers))
    qk_norm, norms = _GATED.get(family, (False, 2))
    small = (norms * layers + 1) * hidden + (2 * head * (layers - recurrent) if qk_norm else 0)
    small += _biases(config, family, linears) + _recurrent_small(config, recurrent)
    return Shape(
        family, layers, hidden, _number(config, "vocab_size"), heads * head,
        bool(config.get("tie_word_embeddings", family in _TIED)), qk_norm, linears, small,
        tuple(notes),
    )  # fmt: skip


def _number(config: Mapping[str, Any], key: str, default: int | None = None) -> int:
    value = config.get(key)
    if value is None and default is not None:
        return default
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ShapeError(f"config.json: `{key}` is missing or no whole number. {_NEXT}")
    return value


def _refuse(config: Mapping[str, Any], family: str) -> None:
    if any(isinstance(config.get(key), int) and config[key] > 1 for key in _EXPERTS):
        raise ShapeError(
            "config.json: a mixture of experts. All experts lie in memory and few of them work, so "
            f"neither the memory nor the hours of a dense model hold for it. {_NEXT}"
        )
    if family in _UNLIKE or not config.get("hidden_size"):
        raise ShapeError(
            "config.json: this family's layers differ in ways that are not counted yet. " + _NEXT
        )


def _notes(config: Mapping[str, Any], family: str, notes: list[str]) -> None:
    """Say what is assumed; refuse an unknown family that is no gated one either."""
    if family in _GATED:
        return
    if config.get("hidden_act") not in _GATES:
        raise ShapeError(
            "config.json: an unknown family, and its activation is not that of the families "
            f"that are known, so its layers cannot be told. {_NEXT}"
        )
    notes.append("an unknown family, counted as if it were of the llama family")


def _attention(
    config: Mapping[str, Any], family: str, sizes: tuple[int, int, int], layers: int
) -> tuple[tuple[Linear, ...], int]:
    """The layers that mix tokens, and how many of them are recurrent (linear attention)."""
    hidden, (heads, kv_heads, head) = _number(config, "hidden_size"), sizes
    query, key = heads * head, kv_heads * head
    recurrent = _recurrent_layers(config, family, layers)
    full = layers - recurrent
    if family == "phi3":
        into = [Linear("qkv_proj", "attention-in", hidden, query + 2 * key, full)]
    else:
        gate = 2 if family == "qwen3_5_text" else 1  # the gate of the output comes with q
        into = [
            Linear("q_proj", "attention-in", hidden, query * gate, full),
            Linear("k_proj", "attention-in", hidden, key, full),
            Linear("v_proj", "attention-in", hidden, key, full),
        ]
    both = (*into, Linear("o_proj", "attention-out", query, hidden, full))
    return (*both, *_recurrent(config, hidden, recurrent)), recurrent


def _recurrent_layers(config: Mapping[str, Any], family: str, layers: int) -> int:
    if family != "qwen3_5_text":
        return 0
    kinds = config.get("layer_types")
    if isinstance(kinds, list):
        return sum(kind == "linear_attention" for kind in kinds)
    every = _number(config, "full_attention_interval", 4)
    return layers - layers // every


def _recurrent(config: Mapping[str, Any], hidden: int, count: int) -> tuple[Linear, ...]:
    """The gated delta nets of Qwen3.5, by the names that transformers gives their layers."""
    if not count:
        return ()
    heads, keys, values = _recurrent_sizes(config)
    into = {"in_proj_qkv": 2 * keys + values, "in_proj_z": values,
            "in_proj_b": heads, "in_proj_a": heads}  # fmt: skip
    made = [Linear(name, "attention-in", hidden, wide, count) for name, wide in into.items()]
    return (*made, Linear("out_proj", "attention-out", values, hidden, count))


def _recurrent_sizes(config: Mapping[str, Any]) -> tuple[int, int, int]:
    """Value heads, and the widths of keys and values; defaults are those of transformers."""
    heads = _number(config, "linear_num_value_heads", 32)
    keys = _number(config, "linear_num_key_heads", 16) * _number(config, "linear_key_head_dim", 128)
    return heads, keys, heads * _number(config, "linear_value_head_dim", 128)


def _recurrent_small(config: Mapping[str, Any], count: int) -> int:
    """Convolutions, decay terms and norms of the recurrent layers."""
    if not count:
        return 0
    heads, keys, values = _recurrent_sizes(config)
    kernel = _number(config, "linear_conv_kernel_dim", 4)
    return count * ((2 * keys + values) * kernel + 2 * heads + values // heads)


def _feed_forward(config: Mapping[str, Any], family: str, layers: int) -> tuple[Linear, ...]:
    hidden, wide = _number(config, "hidden_size"), _number(config, "intermediate_size")
    down = Linear("down_proj", "mlp-out", wide, hidden, layers)
    if family == "phi3":
        return (Linear("gate_up_proj", "mlp-in", hidden, 2 * wide, layers), down)
    return (Linear("gate_proj", "mlp-in", hidden, wide, layers),
            Linear("up_proj", "mlp-in", hidden, wide, layers), down)  # fmt: skip


def _biases(config: Mapping[str, Any], family: str, linears: tuple[Linear, ...]) -> int:
    """Biases of the linear layers; the smallest part of all, but a count should be exact."""
    return sum(
        one.outputs * one.layers
        for one in linears
        if (one.part.startswith("attention") and config.get("attention_bias"))
        or (one.part.startswith("mlp") and config.get("mlp_bias"))
        or (family == "qwen2" and one.name in ("q_proj", "k_proj", "v_proj"))
    )
