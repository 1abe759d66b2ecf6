"""Dates whose numbers stand in words beside the name of a month."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from scrubbers.rules import datecues
from scrubbers.surrogates.datewords import SPOKEN, impossible_in_words, spoken
from scrubbers.surrogates.months import month_index
from scrubbers.surrogates.text import fold

_WORD = re.compile(r"[^\W\d_]+")
_AROUND = 64  # characters before and after a month's name in which numbers in words are read


def in_words(text: str, language: str) -> Iterator[tuple[int, int]]:
    """Where they stand, those included whose day the month does not have."""
    for match in _WORD.finditer(text):
        if not _is_month(match[0]):
            continue
        first = max(0, match.start() - _AROUND)
        window = text[first : match.end() + _AROUND]
        for reading in spoken(window, "dmy", language):
            places = {kind: (s + first, e + first) for s, e, kind, _ in reading.parts}
            if places.get("n") == match.span() and "d" in places:
                said = text[slice(*places["d"])]
                if not any(map(str.isdigit, said)) and datecues.says_day(
                    text, reading.spoken, said, match.span(), full="y" in places
                ):
                    yield min(s for s, _ in places.values()), max(e for _, e in places.values())
        for start, end in impossible_in_words(window, language):
            if start + first <= match.start() < end + first:
                yield start + first, end + first


@lru_cache(maxsize=1 << 14)
def _is_month(word: str) -> bool:
    return any(table in SPOKEN for table, _ in month_index().get(fold(word), ()))
