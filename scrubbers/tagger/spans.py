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
NUMBERS = frozenset({
    "PHONE", "DOB", "IBAN", "CARD", "BANK_ACCOUNT", "NATIONAL_ID", "PASSPORT", "LICENCE_PLATE", "IP",
    "MEDICAL_ID",
})  # fmt: skip
# Types whose values have no inner gap, and the characters that go on in one.
GLUED = {"EMAIL": re.compile(r"[\w.+%@-]"), "IP": re.compile(r"[\w.:/]")}
_CLOSES = {"(": ")", "[": "]", "{": "}", "<": ">"}
_OPENS = {close: opening for opening, close in _CLOSES.items()}
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
    least = np.array([floors[kind] for kind in TYPES], np.float32)
    best = units.shares.argmax(axis=1)
    any_type = units.shares.sum(axis=1)
    strong = any_type >= least[best]
    told = np.flatnonzero(strong | (any_type >= weak))
    found = _joined(text, units, told.tolist(), best, any_type, strong)
    return _apart(text, [span for one in found if (span := _trimmed(text, one)) is not None])


def _apart(text: str, found: Sequence[Span]) -> list[Span]:
    """Spans without overlaps: where one was widened into the next, the first keeps the place."""
    apart: list[Span] = []
    for span in found:
        start = max(span.start, apart[-1].end) if apart else span.start
        if start < span.end and any(map(str.isalnum, text[start : span.end])):
            apart.append(Span(start, span.end, span.type, span.score))
    return apart


def _units(text: str, pieces: Pieces, logits: Floats, seen: Numbers) -> _Units:
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
    # A piece may hold a sign as well ("/08"): it is the word's then, until spans are trimmed.
    first_start, last_end = starts[heads], ends[np.append(heads[1:], len(ends)) - 1]
    best = mean.argmax(axis=1)
    begins = shares[heads, 1 + 2 * best] > shares[heads, 2 + 2 * best]
    return _Units(
        np.where(at > 0, np.minimum(edges[0][at - 1], first_start), first_start),
        np.where(at > 0, np.maximum(edges[1][at - 1], last_end), last_end),
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
        start = max(start, found[-1].end) if found else start
        if start >= end:
            continue
        if last and last.type == kind and strong[number] == strong[number - 1]:
            gap = text[last.end : start]
            if not gap or (not units.begins[number] and not gap.strip()):
                found[-1] = Span(last.start, max(end, last.end), kind, max(score, last.score))
                continue
        found.append(Span(start, end, kind, score))
    return found


def _trimmed(text: str, span: Span) -> Span | None:
    """The span with what belongs to its value and no more; None where nothing is left."""
    start, end = span.start, span.end
    if span.type in NAMES:
        while start < end and not (text[start].isalnum() or text[start] == "@"):
            start += 1
        while start < end and not (text[end - 1].isalnum() or text[end - 1] == "."):
            end -= 1
        if found := _POSSESSIVE.search(text, start, end):
            end = found.start()
    else:
        start, end = _bare(text, *_whole(text, start, end, span.type))
    value = text[start:end]
    if not any(map(str.isalnum, value)) or (span.type in NUMBERS and not _is_number(value)):
        return None
    return Span(start, end, span.type, span.score)


def _whole(text: str, start: int, end: int, kind: str) -> tuple[int, int]:
    """The value to its ends: no mail address stops at a hyphen, and a handle has its sign."""
    if kind in GLUED:
        while start and GLUED[kind].match(text[start - 1]):
            start -= 1
        while end < len(text) and GLUED[kind].match(text[end]):
            end += 1
    elif kind == "USERNAME" and text[start - 1 : start] == "@":
        start -= 1
    return start, end


def _bare(text: str, start: int, end: int) -> tuple[int, int]:
    """Without signs around, and brackets that only open or only close."""
    while start < end:
        if text[end - 1] in _BEHIND or _OPENS.get(text[end - 1], "") not in text[start:end]:
            end -= 1
        elif text[start] in _BEFORE or _CLOSES.get(text[start], "") not in text[start:end]:
            start += 1
        else:
            break
    return start, end


def _is_number(value: str) -> bool:
    """Whether it has a digit, or is said in words: a row of capitals is no number."""
    return any(map(str.isdigit, value)) or value.islower()
