"""The tagger as one plain function: texts in, spans out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from scrubbers.switches import silence
from scrubbers.tagger import windows
from scrubbers.tagger.card import HOME, MODEL, Card, checked
from scrubbers.tagger.labels import LABELS
from scrubbers.tagger.pieces import Numbers, edges, read, tokenizer
from scrubbers.tagger.spans import Span, spans

TEXTS = 256  # read together: long sets are answered part by part, in little memory


@dataclass(frozen=True, slots=True)
class Tagger:
    """A loaded model. `floors`: type -> least share; words from `weak` on are spans of their own."""

    model: windows.Model
    reader: Any
    temperature: float
    floors: Mapping[str, float]
    weak: float = 1.0

    def __call__(self, texts: Sequence[str]) -> list[list[Span]]:
        """The spans of each text, in text order and without overlaps."""
        found: list[list[Span]] = []
        for start in range(0, len(texts), TEXTS):
            found += self._some(texts[start : start + TEXTS])
        return found

    def _some(self, texts: Sequence[str]) -> list[list[Span]]:
        pieces = read(self.reader, texts)
        told = windows.logits(pieces, self.model, edges(self.reader), len(LABELS))
        return [
            spans(text, own, one / np.float32(self.temperature), self.floors, self.weak)
            for text, own, one in zip(texts, pieces, told, strict=True)
        ]


@cache
def shipped(weak: float = 1.0) -> Tagger:
    """The tagger that comes with this package. Raises ModelDamaged."""
    return loaded(HOME, checked(HOME), weak)


def loaded(folder: Path, card: Card, weak: float = 1.0) -> Tagger:
    """The model in a folder, with what its card says."""
    return Tagger(
        onnx_model(folder / MODEL), tokenizer(folder), card.temperature, card.floors, weak
    )


def onnx_model(path: Path) -> windows.Model:
    """A model file; its scales are fixed, so that windows which run together do not change it."""
    session = started(str(path))

    def run(ids: Numbers, looks: Numbers) -> windows.Floats:
        found: windows.Floats = session.run(
            ["logits"], {"input_ids": ids, "token_type_ids": looks}
        )[0]
        return found

    return run


def started(model: bytes | str) -> Any:
    """A model, or the path of one, on one thread: workers are processes, and sums in another order would differ."""
    silence()  # the import starts its telemetry otherwise
    import onnxruntime  # noqa: PLC0415  after its switch is set

    onnxruntime.disable_telemetry_events()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
