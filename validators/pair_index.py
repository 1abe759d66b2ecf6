"""The words of texts, filed so that a value is found again without reading the texts anew.

Words are folded (case, accents, full width, digits of other scripts), and a value is looked for as
the letters and digits of whole words: separators, spaces, zero-width characters and escapes do not
count. Look-ups go through chains of words that begin alike, newest first, and end after a fixed
number of tries: a record of a million characters takes seconds, whatever stands in it.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import unquote

from scrubbers.folding import Folded, fold
from scrubbers.surrogates.text import fold as fold_word
from scrubbers.surrogates.text import squeeze

# One word: a character of a script that puts no space between words, else a run of letters and digits.
_ALONE = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
ALONE = re.compile(f"[{_ALONE}]")
_WORD = re.compile(f"[{_ALONE}]|[^\\W_{_ALONE}]+")
_ESCAPES = re.compile(r"%[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}")
_UNICODE = re.compile(r"\\u([0-9A-Fa-f]{4})")
JOINS = re.compile(r"[\s().+/\-‐‑‒–—]{0,3}")  # what may stand between the groups of one number
HEADS = (2, 3, 6)  # lengths of the beginnings that words are filed by
TRIES = 64  # places that are looked at for one value, where nothing else is said
LONGEST = 64  # longer words are blobs: they are folded without being remembered
RUN = 40  # letters and digits of a number that are looked back over


@dataclass(frozen=True, slots=True)
class Words:
    """A text as folded words: `norms`, their spans in `read.text`, and all norms joined."""

    read: Folded
    norms: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]

    @property
    def packed(self) -> str:
        """All letters and digits, folded."""
        return "".join(self.norms)


def words_of(text: str) -> Words:
    """The words of a text."""
    read = fold(text)
    norms, spans = [], []
    for match in _WORD.finditer(read.text):
        word = match[0]
        norm = fold_word(word) if len(word) <= LONGEST else word.casefold()
        if norm:
            norms.append(norm)
            spans.append(match.span())
    return Words(read, tuple(norms), tuple(spans))


def readings(text: str) -> Iterator[str]:
    """The text, and, where it holds escapes of URLs or of string literals, what they stand for."""
    yield text
    if _ESCAPES.search(text):
        plain = _UNICODE.sub(lambda found: chr(int(found[1], 16)), unquote(text))
        if plain != text:
            yield plain


@dataclass(frozen=True, slots=True)
class Segment:
    """A text that was filed: its leaf, its first word, whether it is the leaf's own text.

    `outer`: the outer leaf that it stands in.
    """

    leaf: int
    outer: int
    role: str
    text: str
    first: int
    words: Words
    own: bool


@dataclass(frozen=True, slots=True)
class Hit:
    """Words `first` to `last` of all words filed, both inclusive; all of one segment."""

    first: int
    last: int


@dataclass(slots=True)
class Chain:
    """Words by a key: the newest word of each, and for each word the one before it."""

    newest: dict[str, int] = field(default_factory=dict)
    older: dict[int, int] = field(default_factory=dict)

    def add(self, key: str, word: int) -> None:
        """File a word, which must be newer than all before."""
        before = self.newest.get(key)
        if before is not None:
            self.older[word] = before
        self.newest[key] = word

    def walk(self, key: str, tries: int) -> Iterator[int]:
        """The words of a key, newest first, so many at most."""
        word = self.newest.get(key)
        while word is not None and tries > 0:
            yield word
            word = self.older.get(word)
            tries -= 1


class Index:
    """All words that were said so far; `tries`: places that are looked at for one value."""

    def __init__(self, tries: int = TRIES) -> None:
        self.tries = tries
        self.segments: list[Segment] = []
        self.norms: list[str] = []
        self.squeezed: list[str] = []  # norms with umlauts as one letter
        self._segment = array("l")
        self._packed: list[str] = []
        self._offsets = array("l")
        self._bounds: dict[int, tuple[int, int]] = {}  # outer leaf -> its first word, and the end
        self._heads = {size: Chain() for size in HEADS}
        self.whole, self.sevens, self.ends = Chain(), Chain(), Chain()

    def add(self, leaf: int, outer: int, role: str, text: str) -> None:
        """File the words of a leaf; the leaves of one outer leaf must come one after the other."""
        for number, reading in enumerate(readings(text)):
            words = words_of(reading)
            segment = Segment(leaf, outer, role, reading, len(self.norms), words, number == 0)
            self.segments.append(segment)
            self._packed.append(words.packed)
            self._file(words)
            self._file_numbers(segment)
            first, _ = self._bounds.get(outer, (segment.first, 0))
            self._bounds[outer] = first, len(self.norms)

    def _file(self, words: Words) -> None:
        packed, at = self._packed[-1], 0
        for norm in words.norms:
            number = len(self.norms)
            self.norms.append(norm)
            self._segment.append(len(self.segments) - 1)
            self._offsets.append(at)
            for size, chain in self._heads.items():
                if at + size <= len(packed):
                    chain.add(packed[at : at + size], number)
            self.squeezed.append(squeeze(norm))
            self.whole.add(self.squeezed[-1], number)
            at += len(norm)

    def _file_numbers(self, segment: Segment) -> None:
        """File the words that end a number by its last seven digits, and at its very end by four."""
        run, before = "", 0
        count = len(segment.words.norms)
        for place, norm in enumerate(segment.words.norms):
            if not has_digit(norm):
                run = ""
                continue
            joined = run and JOINS.fullmatch(
                segment.words.read.text, before, segment.words.spans[place][0]
            )
            run = ((run if joined else "") + norm)[-RUN:]
            before = segment.words.spans[place][1]
            if len(run) >= 7 and run[-7:].isdigit():
                self.sevens.add(run[-7:], segment.first + place)
            if len(run) >= 8 and run[-4:].isdigit() and not self._goes_on(segment, place, count):
                self.ends.add(run[-4:], segment.first + place)

    @staticmethod
    def _goes_on(segment: Segment, place: int, count: int) -> bool:
        if place + 1 == count or not has_digit(segment.words.norms[place + 1]):
            return False
        spans = segment.words.spans
        gap = spans[place][1], spans[place + 1][0]
        return JOINS.fullmatch(segment.words.read.text, *gap) is not None

    def segment(self, word: int) -> Segment:
        """The segment of a word."""
        return self.segments[self._segment[word]]

    def standing(self, packed: str) -> Iterator[Hit]:
        """Where whole words have these letters and digits, newest first."""
        size = next((n for n in reversed(HEADS) if n <= len(packed)), 0)
        if not size:
            return
        for first in self._heads[size].walk(packed[:size], self.tries):
            number, at = self._segment[first], self._offsets[first]
            if not self._packed[number].startswith(packed, at):
                continue
            last, left = first, len(packed) - len(self.norms[first])
            while left > 0:
                last += 1
                left -= len(self.norms[last])
            if left == 0:
                yield Hit(first, last)

    def around(self, word: int, before: int, after: int) -> tuple[int, int]:
        """The words around a word, inside its outer leaf: the first of them, and the end."""
        first, end = self._bounds[self.segment(word).outer]
        return max(first, word - before), min(end, word + after + 1)

    def span(self, hit: Hit) -> tuple[int, int]:
        """Where a hit stands in `read.text` of its segment."""
        segment = self.segment(hit.first)
        spans = segment.words.spans
        return spans[hit.first - segment.first][0], spans[hit.last - segment.first][1]

    def source(self, hit: Hit) -> str:
        """What a hit says, as it stands in the leaf or in its unescaped reading."""
        segment = self.segment(hit.first)
        start, end = segment.words.read.original(*self.span(hit))
        return segment.text[start:end]

    def words_at(self, segment: Segment, start: int, end: int) -> Hit:
        """The words that touch a stretch of a segment's `read.text`."""
        spans = segment.words.spans
        first = bisect_right(spans, start, key=lambda span: span[1])
        last = bisect_left(spans, end, key=lambda span: span[0]) - 1
        return Hit(segment.first + first, segment.first + max(first, last))

    def digits_before(self, word: int) -> list[str]:
        """The groups of the number that ends with a word, last first."""
        segment = self.segment(word)
        place = word - segment.first
        groups, spans = [segment.words.norms[place]], segment.words.spans
        while place > 0 and sum(map(len, groups)) < RUN:
            before = segment.words.norms[place - 1]
            gap = spans[place - 1][1], spans[place][0]
            if not before.isdigit() or not JOINS.fullmatch(segment.words.read.text, *gap):
                break
            groups.append(before)
            place -= 1
        return groups


def has_digit(word: str) -> bool:
    """Whether a word has a digit."""
    return any(map(str.isdigit, word))
