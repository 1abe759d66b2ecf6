"""Dates of texts by day: the same one in another order, language or with words for months."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubbers.surrogates.dates import FORMS, Reading, interpret
from scrubbers.surrogates.months import weekday_index
from scrubbers.surrogates.text import fold as fold_word
from validators.pair_index import Hit, Index

Key = tuple[int, int, int]  # year (0: none), month, day (0: none)

LONGEST = 48  # of a value that is a date and nothing else
_REST = re.compile(r"[^\W_]+")
_TIME = re.compile(r"T?\b\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[ap]m)?Z?", re.I)
_SMALL = frozenset({"t", "z", "of", "de", "del", "di", "the", "den", "le", "el", "il", "o", "om"})


def date_keys(text: str) -> frozenset[Key]:
    """What a text says that is a date and nothing else but a weekday or a time of day."""
    if len(text) > LONGEST or not any(map(str.isdigit, text)):
        return frozenset()
    for start, end, reading in _dates(text):
        rest = _TIME.sub(" ", f"{text[:start]} {text[end:]}")
        words = {fold_word(word) for word in _REST.findall(rest)}
        bare = reading.year is None and not reading.table  # 2.5 is rather a number
        if not bare and words <= _SMALL | weekday_index().keys():
            return _keys(reading)
        break
    return frozenset()


def _keys(reading: Reading) -> frozenset[Key]:
    """The date, and where day and month are not told apart both."""
    year, month, day = reading.year or 0, reading.month, reading.day
    either = any(kind == "p" for _, _, kind, _ in reading.parts)
    return frozenset({(year, month, day), (year, day, month) if either else (year, month, day)})


def _dates(text: str) -> list[tuple[int, int, Reading]]:
    """All dates of a text that do not overlap, in its order; of two forms the first one listed."""
    found: list[tuple[int, int, Reading]] = []
    taken = bytearray(len(text))
    for pattern, order in FORMS:
        for match in pattern.finditer(text):
            start, end = match.span()
            reading = None if any(taken[start:end]) else interpret(text, match, order)
            if reading is not None:
                taken[start:end] = b"\1" * (end - start)
                found.append((start, end, reading))
    return sorted(found, key=lambda one: one[:2])


class Dates:
    """The dates of an index, read when the first one is asked for."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._read = 0
        self._hits: dict[Key, list[Hit]] = {}

    def of(self, key: Key) -> Iterator[Hit]:
        """Where a date stands, newest first."""
        for segment in self._index.segments[self._read :]:
            for start, end, reading in _dates(segment.words.read.text):
                hit = self._index.words_at(segment, start, end)
                for one in _keys(reading):
                    self._hits.setdefault(one, []).append(hit)
        self._read = len(self._index.segments)
        yield from self._hits.get(key, [])[: -self._index.tries - 1 : -1]
