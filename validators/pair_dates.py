"""Dates of texts by day: the same one in another order, language or with words for months."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubbers.surrogates.dateread import Reading, scan
from scrubbers.surrogates.months import weekday_index
from scrubbers.surrogates.text import fold as fold_word
from validators.pair_index import Hit, Index

Key = tuple[int, int, int]  # year (0: none), month, day (0: none)

LONGEST = 48  # of a value that is a date and nothing else
_REST = re.compile(r"[^\W_]+")
_TIME = re.compile(r"(?<![^\W_])T?\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:\s*[ap]m)?Z?", re.I)
_SMALL = frozenset({"t", "z", "of", "de", "del", "di", "the", "den", "le", "el", "il", "o", "om"})


def date_keys(text: str) -> frozenset[Key]:
    """What a text says that is a date and nothing else but a weekday or a time of day."""
    if len(text) > LONGEST or not any(map(str.isdigit, text)):
        return frozenset()
    for reading in _dates(text):
        start, end = reading.span
        rest = _TIME.sub(" ", f"{text[:start]} {text[end:]}")
        words = {fold_word(word) for word in _REST.findall(rest)}
        return _keys(reading) if words <= _SMALL | weekday_index().keys() else frozenset()
    return frozenset()


def _dates(text: str) -> Iterator[Reading]:
    return scan(text, "", "", _is_told)


def _is_told(_: str, reading: Reading) -> bool:
    """Two numbers without a year (2.5, `X 14`) are rather something else."""
    return reading.year is not None or reading.table not in ("", "roman")


def _keys(reading: Reading) -> frozenset[Key]:
    """The date, where day and month are not told apart both, and the month of 20240301.

    That is how dates of digits alone are written when they are made coarse.
    """
    year, month, day = reading.year or 0, reading.month, reading.day
    keys = {(year, month, day), (year, day, month) if reading.is_open else (year, month, day)}
    start, end = reading.span
    if day == 1 and reading.form == "ymd" and end - start == 8:
        keys.add((year, month, 0))
    return frozenset(keys)


class Dates:
    """The dates of an index, read when the first one is asked for."""

    def __init__(self, index: Index) -> None:
        self._index = index
        self._read = 0
        self._hits: dict[Key, list[Hit]] = {}

    def of(self, key: Key) -> Iterator[Hit]:
        """Where a date stands, newest first."""
        for segment in self._index.segments[self._read :]:
            for reading in _dates(segment.words.read.text):
                hit = self._index.words_at(segment, *reading.span)
                for one in _keys(reading):
                    self._hits.setdefault(one, []).append(hit)
        self._read = len(self._index.segments)
        yield from self._hits.get(key, [])[: -self._index.tries - 1 : -1]
