"""Word-level evidence for names and addresses in seven languages, by the pinned ONNX model.

The model is read with onnxruntime and tokenizers alone; its package is never imported.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from tokenizers import Tokenizer

from scrubbers import weights
from scrubbers.evidence import Hit
from scrubbers.name_guards import WORD
from scrubbers.passage import Passage
from scrubbers.switches import silence
from scrubbers.windows import Window, windows

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

WEIGHTS_NAME = "rampart"
LANGUAGES = weights.find(WEIGHTS_NAME).languages

# The window its authors chose (recall falls in longer ones); the overlap is wider than a name.
WINDOW = 480
OVERLAP = 120
# The model has 512 positions, two of them for [CLS] and [SEP].
MAX_PIECES = 510
# Below this a word is no evidence at all, not even beside another model's vote.
FLOOR = 0.05

# The model's labels in groups, whose probabilities are summed: it often hesitates between
# given name and surname where it is sure of a name. E-mail, phone, account and identity
# numbers are left to the rules, which know forms and checksums.
GROUPS: dict[str, tuple[str, ...]] = {
    "PERSON": ("GIVEN_NAME", "SURNAME"),
    "ADDRESS": ("BUILDING_NUMBER", "STREET_NAME", "SECONDARY_ADDRESS"),
    "ZIP": ("ZIP_CODE",),
    "LOCATION": ("CITY", "STATE"),
}

Piece = tuple[int, int, "NDArray[float32]"]


def evidence(passages: Sequence[Passage]) -> list[list[Hit]]:
    """One Hit per word and group at or above FLOOR, in text order. Raises ModelsMissing.

    The model's pieces are widened to words.
    """
    return [_hits(passage.text) for passage in passages]


def _hits(text: str) -> list[Hit]:
    if not any(map(str.isalpha, text)):
        return []
    pieces = [piece for window in _windows(text) for piece in _pieces(text, window)]
    found: list[Hit] = []
    first = 0
    for match in WORD.finditer(text):
        start, end = match.span()
        while first < len(pieces) and pieces[first][1] <= start:
            first += 1
        best = _best(pieces, first, end)
        found += [Hit(start, end, g, p) for g, p in best.items() if p >= FLOOR]
    return found


def _best(pieces: list[Piece], first: int, end: int) -> dict[str, float]:
    """Each group's highest probability over the pieces of the word that ends at `end`."""
    best = dict.fromkeys(GROUPS, 0.0)
    for place in range(first, len(pieces)):
        if pieces[place][0] >= end:
            break
        for group, value in zip(GROUPS, pieces[place][2], strict=True):
            best[group] = max(best[group], round(float(value), 4))
    return best


def _windows(text: str) -> list[Window]:
    """Windows that fit the model; one that has too many pieces is split until it fits."""
    pending, found = windows(text, WINDOW, OVERLAP)[::-1], []
    while pending:
        window = pending.pop()
        count = len(_model().tokenizer.encode(text[window.start : window.end]).ids)
        if count - 2 <= MAX_PIECES:
            found.append(window)
        else:
            pending += _halves(window)[::-1]
    return found


def _halves(window: Window) -> list[Window]:
    """The window's core in two, each with a third of the window's context beside it."""
    middle = (window.core_start + window.core_end) // 2
    margin = (window.end - window.start) // 6
    return [
        Window(window.start, min(window.end, middle + margin), window.core_start, middle),
        Window(max(window.start, middle - margin), window.end, middle, window.core_end),
    ]


def _pieces(text: str, window: Window) -> list[Piece]:
    """The pieces that begin in the window's core: place in the text, probability per group."""
    model = _model()
    encoded = model.tokenizer.encode(text[window.start : window.end])
    ids = np.array([encoded.ids], dtype=np.int64)
    feed = {"input_ids": ids, "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids)}  # fmt: skip
    logits = model.session.run(None, feed)[0][0]
    odds = np.exp(logits - logits.max(axis=-1, keepdims=True))
    grouped = (odds / odds.sum(axis=-1, keepdims=True)) @ model.groups
    return [
        (start + window.start, end + window.start, row)
        for (start, end), row in zip(encoded.offsets, grouped, strict=True)
        if end > start and window.core_start <= start + window.start < window.core_end
    ]


class _Model:
    """The loaded session, tokenizer, and the matrix that sums labels into GROUPS."""

    def __init__(self) -> None:
        silence()  # the import starts its telemetry otherwise
        import onnxruntime  # noqa: PLC0415  after its switch is set

        onnxruntime.disable_telemetry_events()
        folder = weights.checked_folder(WEIGHTS_NAME)
        options = onnxruntime.SessionOptions()
        # One thread: workers are processes, and sums in another order would change results.
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        self.session: Any = onnxruntime.InferenceSession(
            str(folder / "onnx" / "model_q4.onnx"), options, providers=["CPUExecutionProvider"]
        )
        self.tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_truncation()
        self.tokenizer.no_padding()
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        self.groups = _group_matrix(config["id2label"])


def _group_matrix(names: dict[str, str]) -> NDArray[float32]:
    matrix = np.zeros((len(names), len(GROUPS)), dtype=np.float32)
    for column, members in enumerate(GROUPS.values()):
        for index, name in names.items():
            matrix[int(index), column] = name.partition("-")[2] in members
    return matrix


@cache
def _model() -> _Model:
    return _Model()
