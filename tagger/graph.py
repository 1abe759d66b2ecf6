"""The tagger as an ONNX graph, written node by node: in 32 bits to be watched, in 8 to be shipped.

Windows of one batch have the same length, so nothing is padded and there is no mask. In 8 bits every
scale is fixed: what a window is told does not depend on what runs beside it. Weights take 7 of their
8 bits, so that no sum saturates on processors without instructions for such products: every machine
adds up the same whole numbers.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import load_file

Floats = NDArray[np.float32]
INPUTS = ("input_ids", "token_type_ids")
FUSED = "com.microsoft"  # ONNX Runtime's own operators
TOP = 63  # largest weight: 7 bits
ROW = 127  # largest number of an embedding, which is multiplied with nothing


@dataclass(frozen=True)
class Checkpoint:
    """Weights by name, in 32 bits, and the sizes of `config.json`."""

    weights: Mapping[str, Floats]
    sizes: Mapping[str, Any]


@dataclass(frozen=True)
class Scale:
    """How a matrix's input becomes bytes: the range, after each channel's division by `even`."""

    low: float
    high: float
    even: Floats | None = None


@dataclass
class Sheet:
    """A graph in the making. `scales`: place -> scale; none given, it stays in 32 bits.

    `places`: what goes into the matrices, by place. `heads` of attention, `epsilon` of its norms.
    """

    weights: Mapping[str, Floats]
    heads: int
    epsilon: float
    scales: Mapping[str, Scale] = field(default_factory=dict)
    places: dict[str, str] = field(default_factory=dict)
    nodes: list[Any] = field(default_factory=list)
    held: dict[str, Any] = field(default_factory=dict)
    bytes_of: dict[str, tuple[str, str, str]] = field(default_factory=dict)

    def const(self, name: str, value: Any) -> str:
        """A constant; one of the same name is kept."""
        self.held.setdefault(name, numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def op(self, kind: str, inputs: list[str], out: str, domain: str = "", **more: Any) -> str:
        """A node with one output, whose name it has."""
        self.nodes.append(helper.make_node(kind, inputs, [out], name=out, domain=domain, **more))
        return out


def checkpoint(folder: Path) -> Checkpoint:
    """What `tagger.train` wrote."""
    held = load_file(folder / "model.safetensors")
    sizes = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return Checkpoint({name: one.astype(np.float32) for name, one in held.items()}, sizes)


def graph(
    source: Checkpoint, scales: Mapping[str, Scale] | None = None
) -> tuple[onnx.ModelProto, dict[str, str]]:
    """The model, and in 32 bits place -> output that tells what goes into the matrices there."""
    sizes = source.sizes
    sheet = Sheet(
        source.weights, sizes["num_attention_heads"], sizes["layer_norm_eps"], scales or {}
    )
    flow = _embedded(sheet)
    for layer in range(sizes["num_hidden_layers"]):
        flow = _layer(sheet, flow, layer)
    _linear(sheet, flow, "classifier", "head", "logits")
    watched = {} if scales else sheet.places
    return _model(sheet, watched), watched


def _model(sheet: Sheet, watched: Mapping[str, str]) -> onnx.ModelProto:
    free = ["windows", "pieces"]
    labels = len(sheet.weights["classifier.bias"])
    value = helper.make_tensor_value_info
    made = helper.make_graph(
        sheet.nodes, "tagger", [value(name, TensorProto.INT64, free) for name in INPUTS],
        [
            value("logits", TensorProto.FLOAT, [*free, labels]),
            *(value(name, TensorProto.FLOAT, None) for name in dict.fromkeys(watched.values())),
        ],
        list(sheet.held.values()),
    )  # fmt: skip
    return helper.make_model(
        made, ir_version=8, producer_name="privatune",
        opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(FUSED, 1)],
    )  # fmt: skip


def _embedded(sheet: Sheet) -> str:
    """Words, places and looks, added up and normed."""
    stem = "bert.embeddings."
    words = sheet.weights[f"{stem}word_embeddings.weight"]
    if sheet.scales:
        largest = np.maximum(np.abs(words).max(axis=1, keepdims=True), 1e-12) / ROW
        small = sheet.const("words", np.round(words / largest).astype(np.int8))
        word = sheet.op("Gather", [small, "input_ids"], "word.bytes")
        word = sheet.op("Cast", [word], "word.plain", to=TensorProto.FLOAT)
        scale = sheet.op("Gather", [sheet.const("word.scales", largest), "input_ids"], "word.scale")
        word = sheet.op("Mul", [word, scale], "word")
    else:
        word = sheet.op("Gather", [sheet.const("words", words), "input_ids"], "word")
    places = sheet.const("places", sheet.weights[f"{stem}position_embeddings.weight"])
    zero = sheet.const("zero", np.zeros(1, np.int64))
    count = sheet.op("Shape", ["input_ids"], "count", start=1, end=2)
    place = sheet.op("Slice", [places, zero, count, zero], "place")
    looks = sheet.const("looks", sheet.weights[f"{stem}token_type_embeddings.weight"])
    look = sheet.op("Gather", [looks, "token_type_ids"], "look")
    flow = sheet.op("Add", [sheet.op("Add", [word, place], "placed"), look], "seen")
    return _normed(sheet, flow, f"{stem}LayerNorm")


def _layer(sheet: Sheet, flow: str, number: int) -> str:
    """Attention and the two matrices behind it; each adds to what came in, and norms it.

    ONNX Runtime's fused sum and norm is slower than the two of them.
    """
    stem, place = f"bert.encoder.layer.{number}", f"{number}."
    own = f"{stem}.attention."
    three = [
        _linear(sheet, flow, f"{own}self.{one}", f"{place}in") for one in ("query", "key", "value")
    ]
    seen = sheet.op(
        "MultiHeadAttention", three, f"{own}seen", domain=FUSED, num_heads=sheet.heads
    )  # fmt: skip
    told = _linear(sheet, seen, f"{own}output.dense", f"{place}seen")
    flow = _normed(sheet, sheet.op("Add", [told, flow], f"{own}sum"), f"{own}output.LayerNorm")
    inner = _linear(sheet, flow, f"{stem}.intermediate.dense", f"{place}middle")
    inner = sheet.op("Gelu", [inner], f"{stem}.inner", domain=FUSED)
    told = _linear(sheet, inner, f"{stem}.output.dense", f"{place}inner")
    return _normed(sheet, sheet.op("Add", [told, flow], f"{stem}.sum"), f"{stem}.output.LayerNorm")


def _normed(sheet: Sheet, flow: str, stem: str) -> str:
    names = [
        sheet.const(f"{stem}.{one}", sheet.weights[f"{stem}.{one}"]) for one in ("weight", "bias")
    ]
    return sheet.op(
        "LayerNormalization", [flow, *names], f"{stem}.out", axis=-1, epsilon=sheet.epsilon
    )


def _linear(sheet: Sheet, flow: str, stem: str, place: str, out: str = "") -> str:
    """A matrix and its bias."""
    out = out or f"{stem}.out"
    sheet.places[place] = flow
    matrix = sheet.weights[f"{stem}.weight"].T
    bias = sheet.const(f"{stem}.bias", sheet.weights[f"{stem}.bias"])
    if place not in sheet.scales:
        product = sheet.op("MatMul", [flow, sheet.const(stem, matrix)], f"{stem}.product")
        return sheet.op("Add", [product, bias], out)
    scale = sheet.scales[place]
    if scale.even is not None:
        matrix = matrix * scale.even[:, None]
    column = np.maximum(np.abs(matrix).max(axis=0), 1e-12) / TOP
    number, step, zero = _as_bytes(sheet, flow, place, scale)
    names = [
        number, sheet.const(stem, np.round(matrix / column).astype(np.int8)),
        step, sheet.const(f"{stem}.scale", column), zero,
        sheet.const(f"{stem}.zero", np.zeros(len(column), np.int8)), bias,
    ]  # fmt: skip
    return sheet.op("MatMulIntegerToFloat", names, out, domain=FUSED)


def _as_bytes(sheet: Sheet, flow: str, place: str, scale: Scale) -> tuple[str, str, str]:
    """What goes into the matrices of a place, as bytes, with their step and zero."""
    if place not in sheet.bytes_of:
        if scale.even is not None:
            evens = sheet.const(f"{place}.even", (1 / scale.even).astype(np.float32))
            flow = sheet.op("Mul", [flow, evens], f"{place}.evened")
        step = (scale.high - scale.low) / 255
        names = (
            sheet.const(f"{place}.step", np.float32(step)),
            sheet.const(f"{place}.zero", np.uint8(round(-scale.low / step))),
        )
        sheet.bytes_of[place] = (
            sheet.op("QuantizeLinear", [flow, *names], f"{place}.bytes"), *names,
        )  # fmt: skip
    return sheet.bytes_of[place]
