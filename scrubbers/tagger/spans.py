"""The model's answers as spans: whole words, of one type each, at or above the type's floor."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubbers.tagger.labels import TYPES
from scrubbers.tagger.pieces import Numbers, Pieces, kinds

Floats = NDArray[np.float32]
NAMES = frozenset({"PERSON", "LOCATION", "ORG"})
# What stands around a value and is none of it.
_BEFORE, _BEHIND = " ,;:.'\"“„«", " ,;:.'\"”»("
_POSSESSIVE = re.compile(r"['’][sS]\Z")


@dataclass(frozen=True, slots=True)
class Span:
    """A place in a text, the short name of its type, and how sure the model is, 0 to 1."""

    start: int
    end: int
    type: str
    score: float


@dataclass(frozen=True, slots=True)
class _Units:
    """Words, and pieces outside words: places, the shares of each type, and whether one begins."""

    starts: Numbers
    ends: Numbers
    shares: Floats
    begins: NDArray[np.bool_]


def spans(
    text: str, pieces: Pieces, logits: Floats, floors: Mapping[str, float], weak: float = 1.0
) -> list[Span]:
    """Spans in text order, without overlaps.

    `logits`: pieces x labels. `floors`: type -> least share of a word. Words between `weak` and
    their floor make spans of their own, for whoever asks for more than the floors give.
    """
    seen = np.flatnonzero(pieces.ends > pieces.starts)
    if not len(seen):
        return []
    units = _units(text, pieces, logits, seen)
    if units is None:
        return []
    least = np.array([floors[kind] for kind in TYPES], np.float32)
    best = units.shares.argmax(axis=1)
    any_type = units.shares.sum(axis=1)
    strong = any_type >= least[best]
    told = np.flatnonzero(strong | (any_type >= weak))
    found = _joined(text, units, told.tolist(), best, any_type, strong)
    return [span for one in found if (span := _trimmed(text, one)) is not None]


def _units(text: str, pieces: Pieces, logits: Floats, seen: Numbers) -> _Units | None:
    """Pieces by words: the share of a word is the mean over its letters."""
    shares = np.exp(logits[seen] - logits[seen].max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    starts, ends = pieces.starts[seen], pieces.ends[seen]
    word = kinds(text).word
    opens = word & ~np.concatenate([[False], word[:-1]])
    number = np.where(word, np.cumsum(opens), 0)
    letters = np.flatnonzero(word)
    first = np.append(letters, len(word))[np.searchsorted(letters, starts)]
    owner = np.where(first < ends, np.append(number, 0)[first], 0)
    fresh = np.concatenate([[True], (owner[1:] != owner[:-1]) | (owner[1:] == 0)])
    heads = np.flatnonzero(fresh)
    weight = np.maximum(ends - starts, 1).astype(np.float32)
    kind_shares = shares[:, 1::2] + shares[:, 2::2]
    total = np.add.reduceat(weight, heads)
    mean = np.add.reduceat(kind_shares * weight[:, None], heads) / total[:, None]
    at = owner[heads]
    edges = (
        np.append(np.flatnonzero(opens), 0),
        np.append(np.flatnonzero(word & ~np.append(word[1:], False)) + 1, 0),
    )
    best = mean.argmax(axis=1)
    begins = shares[heads, 1 + 2 * best] > shares[heads, 2 + 2 * best]
    return _Units(
        np.where(at > 0, edges[0][at - 1], starts[heads]),
        np.where(at > 0, edges[1][at - 1], ends[np.append(heads[1:], len(ends)) - 1]),
        mean.astype(np.float32), begins,
    )  # fmt: skip


def _joined(
    text: str, units: _Units, told: Sequence[int], best: NDArray[np.int64], any_type: Floats,
    strong: NDArray[np.bool_],
) -> list[Span]:  # fmt: skip
    """Neighbours of one type as one span: glued ones, and those that the model lets go on."""
    found: list[Span] = []
    before = -2
    for number in told:
        start, end = int(units.starts[number]), int(units.ends[number])
        kind, score = TYPES[best[number]], float(any_type[number])
        last = found[-1] if found and before == number - 1 else None
        before = number
        if last and last.type == kind and strong[number] == strong[number - 1]:
            gap = text[last.end : start]
            if not gap or (not units.begins[number] and not gap.strip()):
                found[-1] = Span(last.start, max(end, last.end), kind, max(score, last.score))
                continue
        found.append(Span(start, end, kind, score))
    return found


def _trimmed(text: str, span: Span) -> Span | None:
    """The span without signs around it and an English possessive; None where nothing is left."""
    start, end = span.start, span.end
    if span.type in NAMES:
        while start < end and not (text[start].isalnum() or text[start] == "@"):
            start += 1
        while start < end and not (text[end - 1].isalnum() or text[end - 1] == "."):
            end -= 1
        if found := _POSSESSIVE.search(text, start, end):
            end = found.start()
    else:
        while start < end and text[end - 1] in _BEHIND:
            end -= 1
        while start < end and text[start] in _BEFORE:
            start += 1
    if not any(map(str.isalnum, text[start:end])):
        return None
    return Span(start, end, span.type, span.score)
