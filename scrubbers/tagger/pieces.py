"""Texts as the tagger reads them: pieces, where they stand, and how each looks.

A piece's look is its letter case and what stands before it; the model gets it as the token type,
since its tokenizer knows no line breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from tokenizers import Encoding, Tokenizer

CASES = 4  # no capital, first letter, all letters, some letters
GAPS = 3  # glued to the piece before, a space before, a line break before
LOOKS = CASES * GAPS
_EDGES = (("[CLS]", "[SEP]"), ("<s>", "</s>"))
_PLANE = 0x10000  # characters whose kind is in a table; the rest counts as none
Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Pieces:
    """A text's pieces: `ids` and `looks`, and the places `starts` to `ends` in code points."""

    ids: Numbers
    looks: Numbers
    starts: Numbers
    ends: Numbers


def tokenizer(folder: Path) -> Tokenizer:
    """The tokenizer in a folder, without truncation and padding."""
    found = Tokenizer.from_file(str(folder / "tokenizer.json"))
    found.no_truncation()
    found.no_padding()
    return found


def edges(reader: Tokenizer) -> tuple[int, int]:
    """The ids that stand before and behind every window."""
    for first, last in _EDGES:
        found = reader.token_to_id(first), reader.token_to_id(last)
        if found[0] is not None and found[1] is not None:
            return found[0], found[1]
    raise ValueError("the tokenizer has no piece that begins a window")


def read(reader: Tokenizer, texts: Sequence[str]) -> list[Pieces]:
    """The pieces of each text."""
    encodings = reader.encode_batch(list(texts), add_special_tokens=False)
    return [_pieces(text, one) for text, one in zip(texts, encodings, strict=True)]


def _pieces(text: str, found: Encoding) -> Pieces:
    ids = np.array(found.ids, np.int64)
    places = np.array(found.offsets, np.int64).reshape(len(ids), 2)
    chars = kinds(text)
    starts, ends = _trimmed(chars, places[:, 0], places[:, 1])
    return Pieces(ids, _looks(chars, starts, ends), starts, ends)


@dataclass(frozen=True, slots=True)
class Kinds:
    """What each character of a text is: capital, letter, letter or digit, white space, break."""

    upper: NDArray[np.bool_]
    letter: NDArray[np.bool_]
    word: NDArray[np.bool_]
    space: NDArray[np.bool_]
    line: NDArray[np.bool_]


@cache
def _table() -> Kinds:
    chars = list(map(chr, range(_PLANE)))

    def flags(told: Callable[[str], bool]) -> NDArray[np.bool_]:
        return np.array([told(char) for char in chars], np.bool_)

    return Kinds(
        flags(str.isupper), flags(str.isalpha), flags(str.isalnum), flags(str.isspace),
        flags("\n".__eq__),
    )  # fmt: skip


def kinds(text: str) -> Kinds:
    """The kinds of a text's characters."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    codes = np.where(codes < _PLANE, codes, 0)
    table = _table()
    return Kinds(
        table.upper[codes], table.letter[codes], table.word[codes], table.space[codes],
        table.line[codes],
    )  # fmt: skip


def _trimmed(chars: Kinds, starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """Places without the white space that a cased piece takes along."""
    size = len(chars.space)
    dark = np.flatnonzero(~chars.space)
    after = np.append(dark, size)[np.searchsorted(dark, starts)]
    before = np.concatenate([[-1], dark])[np.searchsorted(dark, ends)] + 1
    starts = np.minimum(after, ends)
    return starts, np.maximum(starts, np.minimum(before, ends))


def _looks(chars: Kinds, starts: Numbers, ends: Numbers) -> Numbers:
    """Letter case and gap of each piece, one number: gap * CASES + case."""
    last = np.concatenate([[0], ends[:-1]]) if len(ends) else ends
    breaks = _between(chars.line, last, starts) > 0
    gap = np.where(breaks | (last == 0), 2, np.where(starts > last, 1, 0))
    letters, capitals = _between(chars.letter, starts, ends), _between(chars.upper, starts, ends)
    places = np.flatnonzero(chars.letter)
    first = np.append(places, len(chars.letter))[np.searchsorted(places, starts)]
    leads = np.append(chars.upper, [False])[first] & (first < ends) & (capitals == 1)
    every = np.where(letters > 1, 2, 1)
    some = np.where(leads, 1, 3)
    case = np.where(capitals == 0, 0, np.where(capitals == letters, every, some))
    return gap * CASES + case


def _between(flags: NDArray[np.bool_], starts: Numbers, ends: Numbers) -> Numbers:
    """How many characters of a kind stand from each start to each end."""
    sums = np.concatenate([[0], np.cumsum(flags)])
    found: Numbers = sums[np.maximum(ends, starts)] - sums[starts]
    return found
