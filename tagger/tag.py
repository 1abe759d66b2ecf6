"""A model or a checkpoint as the product would use it, with one floor for every type."""

from __future__ import annotations

from pathlib import Path

from scrubbers.tagger.labels import TYPES
from scrubbers.tagger.model import Tagger, onnx_model
from scrubbers.tagger.pieces import tokenizer


def tagger(model: Path, base: Path, floor: float = 0.5) -> Tagger:
    """The tagger of an ONNX file or of a checkpoint's folder; `base` has the tokenizer."""
    if model.is_dir():
        from tagger.torch_model import torch_model  # noqa: PLC0415  torch only where it is asked for

        run = torch_model(model)
    else:
        run = onnx_model(model)
    return Tagger(run, tokenizer(base), 1.0, dict.fromkeys(TYPES, floor))
