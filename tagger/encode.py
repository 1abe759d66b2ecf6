"""Texts as the model reads them: pieces, the look of each piece, and its label.

The base model is uncased and knows no line breaks. Both come back as the token type of a piece:
its letter case, and what stands before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

from tagger.labels import NUMBER

CASES = 4  # no capital, first letter, all letters, some letters
GAPS = 3  # glued to the piece before, a space before, a line break before
LOOKS = CASES * GAPS
WINDOW = 254  # pieces beside [CLS] and [SEP]
Spans = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Encoded:
    """One window: piece ids, looks and labels, [CLS] and [SEP] included."""

    ids: NDArray[np.uint16]
    looks: NDArray[np.uint8]
    labels: NDArray[np.uint8]


def tokenizer(folder: Path) -> Tokenizer:
    """The base model's tokenizer, without truncation and padding."""
    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


def edges(reader: Tokenizer) -> tuple[int, int]:
    """The ids that stand before and behind every window."""
    for first, last in (("[CLS]", "[SEP]"), ("<s>", "</s>")):
        if (found := reader.token_to_id(first)) is not None:
            return found, reader.token_to_id(last)
    raise ValueError("the tokenizer has no piece that begins a window")


def trimmed(text: str, offsets: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """Where each piece stands, without the white space that a cased piece takes along."""
    found = []
    for first, last in offsets:
        piece = text[first:last]
        start = first + len(piece) - len(piece.lstrip())
        found.append((start, max(start, first + len(piece.rstrip()))))
    return found


def looks(text: str, offsets: Sequence[tuple[int, int]]) -> list[int]:
    """Letter case and gap of each piece, one number: gap * CASES + case."""
    found, end = [], 0
    for first, last in offsets:
        between = text[end:first]
        gap = 2 if "\n" in between or end == 0 else 1 if between else 0
        found.append(gap * CASES + case_of(text[first:last]))
        end = last
    return found


def case_of(piece: str) -> int:
    """0 to CASES - 1."""
    letters = [char for char in piece if char.isalpha()]
    capitals = sum(char.isupper() for char in letters)
    if not capitals:
        return 0
    if capitals == len(letters):
        return 2 if len(letters) > 1 else 1
    return 1 if letters[0].isupper() and capitals == 1 else 3


def labels(offsets: Sequence[tuple[int, int]], spans: Spans) -> list[int]:
    """The label number of each piece; a piece that a span touches is in it."""
    found = [0] * len(offsets)
    for span in sorted(spans, key=lambda one: int(one["start"])):
        begun = False
        for number, (first, last) in enumerate(offsets):
            if last > span["start"] and first < span["end"]:
                found[number] = NUMBER[f"{'I' if begun else 'B'}-{span['label']}"]
                begun = True
            elif first >= span["end"]:
                break
    return found


def encoded(
    reader: Tokenizer, texts: Sequence[str], spans: Sequence[Spans]
) -> Iterator[list[Encoded]]:
    """The windows of each text."""
    for text, found, own in zip(
        texts, reader.encode_batch(list(texts), add_special_tokens=False), spans, strict=True
    ):
        yield windows(reader, text, found, own)


def windows(reader: Tokenizer, text: str, found: Encoding, spans: Spans) -> list[Encoded]:
    """A text cut into windows of equal length."""
    places = trimmed(text, found.offsets)
    ids, look, label = found.ids, looks(text, places), labels(places, spans)
    first, last = edges(reader)
    count = max(1, -(-len(ids) // WINDOW))
    size = -(-len(ids) // count) or 1
    return [
        Encoded(
            np.array([first, *ids[at : at + size], last], np.uint16),
            np.array([0, *look[at : at + size], 0], np.uint8),
            np.array([0, *label[at : at + size], 0], np.uint8),
        )
        for at in range(0, max(1, len(ids)), size)
    ]
