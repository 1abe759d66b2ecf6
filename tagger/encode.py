"""Texts with spans as training windows: the product's pieces and looks, and a label for each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from scrubbers.tagger.pieces import Pieces, edges, read
from scrubbers.tagger.windows import WINDOW
from tagger.labels import NUMBER

Spans = Sequence[dict[str, Any]]


@dataclass(frozen=True)
class Encoded:
    """One window: piece ids, looks and labels, the pieces at its edges included."""

    ids: NDArray[np.uint16]
    looks: NDArray[np.uint8]
    labels: NDArray[np.uint8]


def labels(pieces: Pieces, spans: Spans) -> list[int]:
    """The label number of each piece; a piece that a span touches is in it."""
    found = [0] * len(pieces.ids)
    for span in sorted(spans, key=lambda one: int(one["start"])):
        first = int(np.searchsorted(pieces.ends, span["start"], side="right"))
        last = int(np.searchsorted(pieces.starts, span["end"]))
        for number in range(first, last):
            found[number] = NUMBER[f"{'I' if number > first else 'B'}-{span['label']}"]
    return found


def encoded(
    reader: Tokenizer, texts: Sequence[str], spans: Sequence[Spans]
) -> Iterator[list[Encoded]]:
    """The windows of each text."""
    for found, own in zip(read(reader, texts), spans, strict=True):
        yield windows(edges(reader), found, own)


def windows(sides: tuple[int, int], found: Pieces, spans: Spans) -> list[Encoded]:
    """A text cut into windows of equal length."""
    label = labels(found, spans)
    count = max(1, -(-len(found.ids) // WINDOW))
    size = -(-len(found.ids) // count) or 1
    first, last = sides
    return [
        Encoded(
            np.array([first, *found.ids[at : at + size], last], np.uint16),
            np.array([0, *found.looks[at : at + size], 0], np.uint8),
            np.array([0, *label[at : at + size], 0], np.uint8),
        )
        for at in range(0, max(1, len(found.ids)), size)
    ]
