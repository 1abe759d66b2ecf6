"""How sure is sure enough: temperature and floors of a model, from the dev parts of the corpora.

The temperature makes probabilities as often right as they say. The floor of a type is the one that
serves best when a miss weighs as much as so many wrongly taken characters (`MISS`): recall first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrubbers.tagger import windows
from scrubbers.tagger.labels import LABELS, TYPES
from scrubbers.tagger.model import Tagger
from scrubbers.tagger.pieces import Pieces, edges, read
from scrubbers.tagger.spans import spans
from tagger import corpora
from tagger.encode import labels

MISS = 4.0
FLOORS = tuple(round(0.2 + 0.05 * step, 2) for step in range(15))  # 0.20 to 0.90
TEMPERATURES = tuple(round(0.5 + 0.05 * step, 2) for step in range(71))  # 0.50 to 4.00
USUAL = 0.5  # where the dev parts say too little of a type
ENOUGH = 300  # annotated characters of a type, from which its floor is chosen
Floats = NDArray[np.float32]


@dataclass(frozen=True)
class Read:
    """A dev document with the model's answers."""

    text: str
    spans: Sequence[dict[str, Any]]
    pieces: Pieces
    logits: Floats


@dataclass(frozen=True)
class Part:
    """The dev part of one corpus, and the labels that it annotates."""

    annotated: frozenset[str]
    documents: list[Read]


def parts(folder: Path, tagger: Tagger) -> Iterator[Part]:
    """The dev part of every corpus, read by the model."""
    for corpus in corpora.TRAINED:
        rows = corpora.dev(folder, corpus.name)
        pieces = read(tagger.reader, [row["text"] for row in rows])
        told = windows.logits(pieces, tagger.model, edges(tagger.reader), len(LABELS))
        documents = [
            Read(row["text"], row["spans"], own, one)
            for row, own, one in zip(rows, pieces, told, strict=True)
        ]
        yield Part(corpus.annotated, documents)


def temperature(dev: Sequence[Part]) -> float:
    """What logits are divided by so that the labels are likeliest; every corpus weighs alike."""
    costs = [sum(_cost(part, value) for part in dev) for value in TEMPERATURES]
    return TEMPERATURES[int(np.argmin(costs))]


def _cost(part: Part, value: float) -> float:
    """The mean of minus the logarithm of what the model gave the right label."""
    known = np.array([n == 0 or label[2:] in part.annotated for n, label in enumerate(LABELS)])
    total, count = 0.0, 0
    for one in part.documents:
        right = np.array(labels(one.pieces, one.spans), np.int64)
        seen = known[right]
        logits = np.where(known, one.logits.astype(np.float64) / value, -np.inf)[seen]
        top = logits.max(axis=1, initial=-np.inf)
        whole = top + np.log(np.exp(logits - top[:, None]).sum(axis=1))
        total += float((whole - logits[np.arange(len(logits)), right[seen]]).sum())
        count += int(seen.sum())
    return total / max(count, 1)


def floors(dev: Sequence[Part], value: float) -> dict[str, float]:
    """Type -> floor."""
    loss: dict[str, Floats] = defaultdict(lambda: np.zeros(len(FLOORS)))
    gold: dict[str, int] = defaultdict(int)
    for part in dev:
        size = sum(len(one.text) for one in part.documents)
        for one in part.documents:
            told = replace(one, logits=one.logits / np.float32(value))
            for kind in {span["label"] for span in one.spans}:
                gold[kind] += sum(s["end"] - s["start"] for s in one.spans if s["label"] == kind)
            for number, least in enumerate(FLOORS):
                for kind, lost in _loss(told, least, part.annotated).items():
                    loss[kind][number] += lost / size
    return {
        kind: FLOORS[int(np.argmin(loss[kind]))] if gold[kind] >= ENOUGH else USUAL
        for kind in TYPES
    }


def _loss(one: Read, least: float, annotated: frozenset[str]) -> dict[str, float]:
    """Type -> missed characters times MISS, and characters taken from unlabelled text."""
    found = spans(one.text, one.pieces, one.logits, dict.fromkeys(TYPES, least))
    marked = np.zeros(len(one.text), np.bool_)
    taken = np.zeros(len(one.text), np.bool_)
    for own in one.spans:
        marked[own["start"] : own["end"]] = True
    for span in found:
        taken[span.start : span.end] = True
    lost: dict[str, float] = defaultdict(float)
    for own in one.spans:
        lost[own["label"]] += MISS * float((~taken[own["start"] : own["end"]]).sum())
    for span in found:
        if span.type in annotated:
            lost[span.type] += float((~marked[span.start : span.end]).sum())
    return lost
