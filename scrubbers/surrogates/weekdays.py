"""Weekdays beside dates: where they stand, and which one fits another date."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cache

from scrubbers.surrogates.dateread import Reading
from scrubbers.surrogates.months import WEEKDAYS, WEEKDAYS_BESIDE
from scrubbers.surrogates.text import cased, fold

ALL = {**WEEKDAYS, **WEEKDAYS_BESIDE}
_CJK = "|".join(f"{WEEKDAYS['ja']} {WEEKDAYS['zh']}".split())


def _any_of(tables: Sequence[str]) -> str:
    words = {word for table in tables for word in ALL[table].split()}
    longest_first = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word).replace("’", "['’ʼ]") for word in longest_first)


_LONG = _any_of([t for t in WEEKDAYS if t not in ("ja", "zh", "de2")])
_SHORT = _any_of(["de2", *(t for t in WEEKDAYS_BESIDE if t != "ja1")])
_WORD = f"{_LONG}|{_SHORT}"
# "Monday the 3rd", "Montag, den 3.", "poniedziałek, 3"; "Mo, 3" and "di. 3", but not "di 3"
BEFORE = re.compile(
    rf"(?<![\w.,'’-])(?:(?P<word>{_LONG}|{_CJK})(?:\.?,?\s{{1,3}}|,)"
    rf"|(?P<short>{_SHORT})(?:\.?,\s{{0,3}}|\.\s{{1,3}}))"
    r"(?:(?:on\s)?(?:the|den|dem|le|el|il|dia|día|em)\s{1,3})?$",
    re.IGNORECASE,
)
# "(Mon)", ", Monday" with nothing behind it, 3日(月), 3日月曜日
AFTER = re.compile(
    rf"\s?[(（\[](?P<word>{_WORD}|{_CJK}|[月火水木金土日])\.?[)）\]]"
    rf"|,?\s?(?P<cjk>{_CJK})"
    rf"|\.?,\s(?P<last>{_LONG})(?=\s*(?:[.;:)!?\n]|$))",
    re.IGNORECASE,
)
REACH = 40  # characters before a date in which its weekday begins
Edit = tuple[int, int, str]


def around(text: str, span: tuple[int, int]) -> tuple[int, int]:
    """The place of a date with the weekdays that stand beside it."""
    before, after = before_date(text, span[0]), after_date(text, span[1])
    return before.start() if before else span[0], after.end() if after else span[1]


def before_date(text: str, start: int) -> re.Match[str] | None:
    """The weekday in front of a date."""
    return BEFORE.search(text, max(0, start - REACH), start)


def after_date(text: str, end: int) -> re.Match[str] | None:
    """The weekday behind a date."""
    return AFTER.match(text, end)


def right_weekdays(
    text: str, found: Sequence[Reading], new: Sequence[tuple[int, int, int]]
) -> Iterator[Edit]:
    """The words for weekdays beside dates that are replaced, put right where the year is known."""
    for reading, values in zip(found, new, strict=True):
        if not (values[0] and values[2]):
            continue
        number = date(*values).weekday()
        start, end = reading.span
        for match in (before_date(text, start), after_date(text, end)):
            if match:
                group = match.lastgroup or "word"
                yield (*match.span(group), fitting(match[group], number, reading.table[:2]))


def fitting(word: str, number: int, language: str) -> str:
    """Another weekday in the language, length and case of the word."""
    options = _tables().get(fold(word), [])
    table = next((t for t in options if t[:2] == language), options[0] if options else "")
    return cased(word, ALL[table].split()[number]) if table else word


@cache
def _tables() -> dict[str, list[str]]:
    """Normal form of a weekday -> the lists that have it."""
    found: dict[str, list[str]] = {}
    for table, words in ALL.items():
        for word in words.split():
            found.setdefault(fold(word), []).append(table)
    return found
