"""The base model: an uncased multilingual encoder of 18 million parameters, made plain again.

The weights that the detection model `rampart` holds in 4 bits (CC BY 4.0, National Design Studio)
are dequantised exactly, so that they can be trained on. The head is new, and so are the token
types, which say how a piece looks (`tagger.encode`).

    python -m tagger.base OUT        writes it as a checkpoint, for machines without `onnx`
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from transformers import BertConfig, BertForTokenClassification

from scrubbers.tagger.pieces import LOOKS
from tagger import e5
from tagger.labels import LABELS

MODEL = "onnx/model_q4.onnx"
ZERO = 8  # what 4-bit weights are stored around


def base_model(folder: Path, layers: Sequence[int] = ()) -> BertForTokenClassification:
    """The encoder with a new head over `LABELS`, and a token type for every look.

    `folder`: the detection model's, what `tagger.e5` wrote, or a checkpoint that this module or
    `tagger.train` wrote. `layers`: which of its layers are kept, from 0; none named, all.
    """
    if (folder / "packed.npz").is_file():
        return cased_model(folder, layers)
    if (folder / "model.safetensors").is_file():
        found: BertForTokenClassification = BertForTokenClassification.from_pretrained(
            folder, dtype=torch.float32
        )
        return thinned(found, layers) if layers else found
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    for name in ("id2label", "label2id", "num_labels"):
        config.pop(name, None)
    model = BertForTokenClassification(
        BertConfig(**{**config, "type_vocab_size": LOOKS, "num_labels": len(LABELS)})
    )
    state = model.state_dict()
    for name, value in weights(folder / MODEL).items():
        if name.endswith("token_type_embeddings.weight"):
            state[name] = torch.tensor(value[:1]).repeat(LOOKS, 1)
        elif name in state and not name.startswith("classifier"):
            state[name] = torch.tensor(value).reshape(state[name].shape)
    model.load_state_dict(state)
    return model


def thinned(model: BertForTokenClassification, layers: Sequence[int]) -> BertForTokenClassification:
    """The model with some of its layers alone."""
    stack = model.bert.encoder.layer
    model.bert.encoder.layer = torch.nn.ModuleList(stack[number] for number in layers)
    model.config.num_hidden_layers = len(layers)
    return model


def cased_model(folder: Path, layers: Sequence[int]) -> BertForTokenClassification:
    """The encoder of `tagger.e5` with a new head."""
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    layers = layers or range(config["num_hidden_layers"])
    made = {"num_hidden_layers": len(layers), "type_vocab_size": LOOKS, "num_labels": len(LABELS)}
    model = BertForTokenClassification(BertConfig(**{**config, **made}, layer_norm_eps=1e-12))
    state = model.state_dict()
    for name, value in e5.state(np.load(folder / "packed.npz"), layers).items():
        own = state[f"bert.{name}"]
        if "token_type" in name:
            own.copy_(torch.tensor(value[: own.shape[1]]).expand_as(own))
        else:
            own.copy_(torch.tensor(value).reshape(own.shape))
    model.load_state_dict(state)
    return model


def weights(path: Path) -> dict[str, Any]:
    """Name -> array of every weight, in 32 bits."""
    import onnx  # noqa: PLC0415  only where the weights are made
    from onnx import numpy_helper  # noqa: PLC0415

    graph = onnx.load(path).graph
    held = {one.name: numpy_helper.to_array(one) for one in graph.initializer}
    found: dict[str, Any] = {}
    for name, value in held.items():
        if name.endswith("_quantized"):
            stem = name.removesuffix("_quantized")
            zero, scale = held[f"{stem}_zero_point"], held[f"{stem}_scale"]
            found[stem] = (value.astype(np.float32) - float(zero)) * float(scale)
        elif name.endswith((".weight", ".bias")):
            found[name] = value
    for node in graph.node:
        if node.op_type == "MatMulNBits":
            stem = node.name.strip("/").replace("/MatMul_Q4", "").replace("/", ".")
            found[f"{stem}.weight"] = dequantised(node, held)
    return found


def dequantised(node: Any, held: dict[str, Any]) -> Any:
    """A matrix of 4-bit blocks (ONNX Runtime's MatMulNBits) as 32-bit numbers, out x in."""
    size = {one.name: one.i for one in node.attribute}
    packed, scale = held[node.input[1]], held[node.input[2]].reshape(size["N"], -1, 1)
    both = np.stack([packed & 15, packed >> 4], -1).astype(np.float32)
    rows = (both.reshape(size["N"], packed.shape[1], -1) - ZERO) * scale
    return rows.reshape(size["N"], -1)[:, : size["K"]]


if __name__ == "__main__":
    import sys

    from scrubbers.weights import checked_folder

    torch.manual_seed(0)
    base_model(checked_folder("rampart")).save_pretrained(Path(sys.argv[1]))
