"""Every calendar date of a text, in numbers, names of months or words; for dates that are moved.

What is found here is moved or made coarse, so it must be a date beyond doubt, and no date may be
missed: numbers that could be a fraction, a version or a paragraph need a word or a key beside them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from scrubbers.catalog import MODELS
from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import datecues
from scrubbers.rules.ages import ages, birth_years
from scrubbers.rules.common import finding
from scrubbers.rules.datesaid import in_words
from scrubbers.surrogates.dateform import coarse_text
from scrubbers.surrogates.dategroups import is_joined, joined
from scrubbers.surrogates.dateread import Accept, Reading, is_roman, scan
from scrubbers.surrogates.dates import dates_of, iso, put_right
from scrubbers.surrogates.shift import coarse
from scrubbers.surrogates.weekdays import around

_SCORE = 0.5
_SIGNS = "-./‐‑–年月"
_YEARS = range(1800, 2200)
_LONGEST = 48  # of a value that is a date and nothing else


def days(passage: Passage, dates: str) -> list[Finding]:
    """The dates of a passage, and what is one but cannot be read (`datecues.UNREADABLE`).

    `dates`: "shift", "generalise", under which what is coarse already is no finding, or "draw", under
    which the name of a month alone is none.
    """
    text = passage.text
    found = {*_spans(passage, dates), *datecues.unreadable(text, passage.language)}
    taken: list[tuple[int, int]] = []
    for start, end in sorted(found, key=lambda span: (span[0], -span[1])):
        if not taken or start >= taken[-1][1]:
            taken.append((start, end))
    found_days = [finding(span, "DATE_TIME", _SCORE) for span in taken]
    if dates != "generalise":
        return found_days
    alone = {*ages(text, passage.label), *birth_years(text, passage.label)}
    old = [
        finding(span, "DATE_OF_BIRTH", _SCORE) for span in sorted(alone) if _is_clear(span, taken)
    ]
    return [*found_days, *old]


def _is_clear(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    return not any(start < span[1] and span[0] < end for start, end in taken)


def only_dates(
    found: Iterable[Finding], own: Sequence[Finding], passage: Passage, dates: str
) -> list[Finding]:
    """The findings, those of dates cut to the dates inside and dropped where there is none.

    `own`: what `days` found there. What a model or a person has marked is read more freely; "next
    Friday", "8 years" and "10:30" are true under any shift of whole weeks and stay.
    """
    kept: list[Finding] = []
    for one in found:
        if one.type not in ("DATE_TIME", "DATE_OF_BIRTH"):
            kept.append(one)
            continue
        inside = [d for d in own if one.start <= d.start and d.end <= one.end]
        if inside:
            kept += [replace(one, start=d.start, end=d.end) for d in inside]
        elif _is_acted_on(one, passage, dates):
            kept.append(one)
    return sorted(kept)


def _is_acted_on(one: Finding, passage: Passage, dates: str) -> bool:
    """Whether what is marked as a date is one that changes, or cannot be read as it should."""
    marked = passage.text[one.start : one.end]
    read = dates_of(marked, "dmy", passage.language, lone_months=dates != "draw")[1]
    if not read:
        return _must_be_read(one, marked)
    return dates != "generalise" or one.type == "DATE_OF_BIRTH" or not _is_coarse(marked, read)


def _must_be_read(one: Finding, marked: str) -> bool:
    """Whether what is marked, and holds no date that can be read, may not stay."""
    sure = one.type == "DATE_OF_BIRTH" and one.detector not in MODELS
    return sure or datecues.is_dated(marked)


def _spans(passage: Passage, dates: str) -> Iterator[tuple[int, int]]:
    text, language = put_right(passage.text), passage.language
    yield from _whole(passage, dates)
    found = joined(text, tuple(scan(text, "", language, _accepted(language, dates))))
    for span, group in _grouped(text, found):
        if dates != "generalise":
            yield around(text, span) if dates == "draw" else span
        elif not _is_coarse(text, group):
            yield datecues.with_weekday_and_time(text, span)
    for span in in_words(text, language):
        yield span if dates == "shift" else datecues.with_weekday_and_time(text, span)
    if dates == "shift":
        yield from datecues.lone_months(text, language)
    if dates != "draw":
        yield from datecues.days_of_year(text)


def _is_coarse(text: str, found: Sequence[Reading]) -> bool:
    """Whether the dates of a text stand as they would be written when made coarse."""
    return all(
        coarse_text(text, reading, coarse(iso(reading), "month")) == text[slice(*reading.span)]
        for reading in found
    )


def _grouped(
    text: str, found: Sequence[Reading]
) -> Iterator[tuple[tuple[int, int], tuple[Reading, ...]]]:
    """Dates of one range together, since they share what is written once."""
    group: list[Reading] = []
    for reading in found:
        if group and not (_shares(group[-1], reading) and is_joined(text, group[-1], reading)):
            yield (group[0].span[0], group[-1].span[1]), tuple(group)
            group = []
        group.append(reading)
    if group:
        yield (group[0].span[0], group[-1].span[1]), tuple(group)


def _shares(first: Reading, second: Reading) -> bool:
    has_year = any(kind == "y" for _, _, kind, _ in first.parts)
    return first.borrows or second.borrows or (bool(first.table) and not has_year)


def _whole(passage: Passage, dates: str) -> Iterator[tuple[int, int]]:
    """A leaf that is a date and nothing else, where its key says so."""
    value = passage.text.strip()
    if not value or len(value) > _LONGEST or not datecues.announced(passage.label):
        return
    start = passage.text.index(value)
    found = dates_of(value, "dmy", passage.language, lone_months=dates != "draw")[1]
    whole = any(reading.span == (0, len(value)) for reading in found)
    if whole and (dates != "generalise" or not _is_coarse(value, found)):
        yield start, start + len(value)


def _accepted(language: str, dates: str) -> Accept:
    def accept(text: str, reading: Reading) -> bool:
        start, end = reading.span
        if not datecues.is_free(text, start, end):
            return False
        if reading.form in ("w", "W"):
            return reading.form == "w" or dates != "draw"
        if reading.year is not None and reading.year not in _YEARS:
            return False
        if any(kind == "n" for _, _, kind, _ in reading.parts):
            return _named(text, reading, language)
        return _numeric(text, reading, language)

    return accept


def _gaps(text: str, reading: Reading) -> list[str]:
    parts = [part for part in reading.parts if part[2] != "o" and part[2] != "."]
    return [text[a[1] : b[0]] for a, b in pairwise(parts)]


def _numeric(text: str, reading: Reading, language: str) -> bool:
    gaps = _gaps(text, reading)
    signs = {gap.strip() for gap in gaps}
    if reading.form == "pqy" and signs in ({"/", ""}, {".", ""}):  # 5/3 2024
        signs -= {""}
    if "" in signs:  # 20250314
        return reading.form == "ymd" and signs == {""}
    single = len(signs) == 1 or bool(signs & {"年", "月"})
    known = all(sign in _SIGNS for sign in signs)
    if not (single and known) or any("\n" in gap for gap in gaps):
        return False
    if "年" in signs or "月" in signs or reading.form == "ymd":
        return True
    return _told_apart(text, reading, min(signs), language)


def _told_apart(text: str, reading: Reading, sign: str, language: str) -> bool:
    """Whether numbers are no paragraph, file, version, fraction or span of years."""
    start, year = reading.span[0], reading.year or 0
    digits = [end - first for first, end, kind, _ in reading.parts if kind in "dmpqy"]
    if reading.form == "pq":
        return datecues.is_day_and_month(text, reading, language)
    if text[start - 1 : start] == "/" and reading.form in ("ym", "my"):  # a path
        return False
    if reading.form == "ym":
        return 1900 <= year < 2100 and reading.month <= year % 100
    if datecues.is_number(text, start):
        return False
    if reading.form == "my":
        return 1900 <= year < 2100 and (digits[0] == 2 or sign == "/")
    return digits[2] == 4 or sign != "." or not datecues.is_version(text, start)


def _named(text: str, reading: Reading, language: str) -> bool:
    places = {kind: (s, e) for s, e, kind, _ in reading.parts}
    word = text[slice(*places["n"])]
    if sum(gap.count("\n") for gap in _gaps(text, reading)) > 1:
        return False
    year = text[slice(*places["y"])] if "y" in places else ""
    if is_roman(text, reading):
        return word.isupper() and (
            len(year) == 4 or bool(year and "." in text[slice(*reading.span)])
        )
    if len(year) == 4:
        return True
    marked = bool(text[slice(*places.get("o", (0, 0)))]) or " of " in text[slice(*reading.span)]
    return marked or datecues.is_month(text, places["n"][0], reading.span[0], word, language)
