"""Texts through a quantised tagger: spans by type, over windows that overlap."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
from numpy.typing import NDArray
from tokenizers import Tokenizer

from tagger.encode import WINDOW, edges, looks, tokenizer, trimmed
from tagger.labels import LABELS, TYPES

STRIDE = 190  # a piece is told by the window in which it stands furthest from an edge
BATCH = 4096  # pieces of one run of the model
WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
Floats = NDArray[np.float32]


class Tagger:
    """A model file or checkpoint and its tokenizer; `floor` is the least probability of a type that counts."""

    def __init__(self, model: Path, base: Path, floor: float = 0.5, threads: int = 1) -> None:
        self.session = session_of(model, threads)
        self.reader: Tokenizer = tokenizer(base)
        self.floor = floor

    def __call__(self, texts: Sequence[str]) -> list[list[dict[str, Any]]]:
        """Spans of each text: start, end, label."""
        read = self.reader.encode_batch(list(texts), add_special_tokens=False)
        jobs = [(n, at) for n, one in enumerate(read) for at in starts(len(one.ids))]
        whole = [np.zeros((len(one.ids), len(LABELS)), np.float32) for one in read]
        depth = [np.full(len(one.ids), -1.0) for one in read]
        places = [trimmed(text, one.offsets) for text, one in zip(texts, read, strict=True)]
        seen = [looks(text, own) for text, own in zip(texts, places, strict=True)]
        jobs.sort(key=lambda job: min(WINDOW, len(read[job[0]].ids) - job[1]))
        at = 0
        while at < len(jobs):
            size = min(WINDOW, len(read[jobs[at][0]].ids) - jobs[at][1])
            group = jobs[at : at + max(1, BATCH // max(size, 1))]
            at += len(group)
            self._run(group, read, seen, whole, depth)
        return [
            spans(text, own, logits, self.floor)
            for text, own, logits in zip(texts, places, whole, strict=True)
        ]

    def _run(self, group: Any, read: Any, seen: Any, whole: Any, depth: Any) -> None:
        sizes = [min(WINDOW, len(read[n].ids) - at) for n, at in group]
        shape = (len(group), max(sizes) + 2)
        ids, look, mask = (np.zeros(shape, np.int64) for _ in range(3))
        first, last = edges(self.reader)
        for row, ((n, at), size) in enumerate(zip(group, sizes, strict=True)):
            ids[row, : size + 2] = [first, *read[n].ids[at : at + size], last]
            look[row, 1 : size + 1] = seen[n][at : at + size]
            mask[row, : size + 2] = 1
        found = self.session.run(
            ["logits"], {"input_ids": ids, "token_type_ids": look, "attention_mask": mask}
        )[0]
        for row, ((n, at), size) in enumerate(zip(group, sizes, strict=True)):
            place = np.arange(size)
            inside = np.minimum(place, size - 1 - place) + 0.0
            better = inside > depth[n][at : at + size]
            whole[n][at : at + size][better] = found[row, 1 : size + 1][better]
            depth[n][at : at + size][better] = inside[better]


def session_of(model: Path, threads: int) -> Any:
    """What runs an ONNX file, or a checkpoint's folder."""
    if model.is_dir():
        from tagger.torch_session import TorchSession  # noqa: PLC0415  torch only where it is asked for

        return TorchSession(model)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return onnxruntime.InferenceSession(str(model), options)


def starts(length: int) -> list[int]:
    """Where the windows of a text begin."""
    if length == 0:
        return []
    return [0, *range(STRIDE, max(1, length - WINDOW + STRIDE), STRIDE)] if length > WINDOW else [0]


def spans(
    text: str, offsets: Sequence[tuple[int, int]], logits: Floats, floor: float
) -> list[dict[str, Any]]:
    """Runs of pieces of one type, widened to whole words."""
    if not len(logits):
        return []
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    begins, inside = shares[:, 1::2], shares[:, 2::2]
    kinds = begins + inside
    best = kinds.argmax(axis=1)
    told = shares[:, 0] < 1 - floor
    found: list[dict[str, Any]] = []
    before = -1
    for number, (start, end) in enumerate(offsets):
        if start == end:  # white space alone
            continue
        if not told[number]:
            before = -1
            continue
        kind = int(best[number])
        begun = begins[number, kind] > inside[number, kind]
        glued = found and text[found[-1]["end"] : start] == "" and before >= 0
        if before == kind and (not begun or glued):
            found[-1]["end"] = end
        else:
            found.append({"start": start, "end": end, "label": TYPES[kind]})
        before = kind
    return widened(text, found)


def widened(text: str, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Spans that cover whole words; of two that share one the first keeps it."""
    words = [match.span() for match in WORD.finditer(text)]
    out: list[dict[str, Any]] = []
    for span in found:
        start, end = span["start"], span["end"]
        for first, last in words:
            if first < end and start < last:
                start, end = min(start, first), max(end, last)
            if first >= end:
                break
        if out and start < out[-1]["end"]:
            if end <= out[-1]["end"]:
                continue
            start = out[-1]["end"]
        out.append({"start": start, "end": end, "label": span["label"]})
    return out
