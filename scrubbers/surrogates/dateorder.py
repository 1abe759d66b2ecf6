"""What the dates of one record tell about each other: the order of day and month, and years."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date

from scrubbers.surrogates.dateread import Reading, is_date
from scrubbers.surrogates.dates import BIRTH, dates_of, iso
from scrubbers.surrogates.months import month_index
from scrubbers.surrogates.text import fold
from scrubbers.surrogates.unit import Value

UNKNOWN = "und"  # the language of a record that tells too little
MONTH_FIRST = frozenset({"US", "PH"})  # Unicode CLDR 44, short dates with the month first


def date_contexts(
    values: Sequence[Value], language: str, dates: str, order: str = ""
) -> tuple[str, list[int]]:
    """The order ("dmy" or "mdy"; `order` where it is known already) and each value's year.

    The year is what a date without one is reckoned in: its place nearest to a full date of the
    record. Under "generalise" it is the record's latest. 0: the record has no year.
    """
    texts = [value.text if value.entity.startswith("DATE_") else "" for value in values]
    order = order or record_order(values, language)
    read = [dates_of(text, order, language)[1] if text else () for text in texts]
    full = [date(r.year, r.month, r.day) for found in read for r in found if r.year and r.day]
    if dates == "generalise":
        latest = max([*(day.year for day in full), _told_by_age(texts)])
        return order, [latest] * len(values)
    leap = any((r.month, r.day) == (2, 29) and r.year is None for found in read for r in found)
    return order, [_nearest(found, full, leap=leap) for found in read]


def _told_by_age(texts: Sequence[str]) -> int:
    """The year in which someone of the record has the age that it states, 0 where it states none."""
    numbers = [int(text) for text in texts if text.isdecimal() and len(text) < 5]
    years = [number for number in numbers if number > 999]
    old = [number for number in numbers if number < 999]
    return min(years) + max(old) if years and old else 0


def born(values: Sequence[Value], language: str, order: str) -> list[bool]:
    """For each value whether it is, or elsewhere in the record is called, a date of birth."""
    read = [
        {iso(r) for r in dates_of(value.text, order, language)[1] if r.year and r.day}
        if value.entity.startswith("DATE_")
        else set()
        for value in values
    ]
    births = [days for value, days in zip(values, read, strict=True) if value.entity == BIRTH]
    named = set().union(*births)
    return [
        value.entity == BIRTH or bool(days & named)
        for value, days in zip(values, read, strict=True)
    ]


def _nearest(found: Sequence[Reading], full: Sequence[date], *, leap: bool) -> int:
    """The year in which the first date without one lies nearest to one of the full dates."""
    bare = next((r for r in found if r.year is None and r.day), None)
    if bare is None or not (full or leap):
        return 0
    years = {day.year + step for day in full for step in (-1, 0, 1)} or {2024}
    both = {"d": bare.day}
    fitting = [y for y in years if is_date(y, bare.month, bare.day, both)]
    if not full:
        return min(fitting, default=0)
    ranked = (
        (min(abs(date(y, bare.month, bare.day) - day).days for day in full), y) for y in fitting
    )
    return min(ranked, default=(0, 0))[1]


def record_order(values: Sequence[Value], language: str) -> str:
    """How a date like 03/04/1985 is read in a record.

    By its dates that leave no doubt, by a full date that is one of the two, by the countries of
    its telephone numbers and accounts, by its language: English alone puts the month first.
    """
    read = [
        (value.text, r)
        for value in values
        if value.entity.startswith("DATE_")
        for r in dates_of(value.text)[1]
        if r.parts
    ]
    votes = Counter(_votes(read))
    if votes["dmy"] != votes["mdy"]:
        return "dmy" if votes["dmy"] > votes["mdy"] else "mdy"
    if language != "en" and not (language == UNKNOWN and _is_english(read)):
        return "dmy"
    countries = set(_countries(values))
    return "dmy" if countries and not countries & MONTH_FIRST else "mdy"


def _is_english(read: Sequence[tuple[str, Reading]]) -> bool:
    """Whether a month stands there in a word that no other language has."""
    words = [
        fold(text[start:end])
        for text, reading in read
        for start, end, kind, _ in reading.parts
        if kind == "n"
    ]
    return any({table[:2] for table, _ in month_index()[word]} == {"en"} for word in words)


def _votes(read: Sequence[tuple[str, Reading]]) -> Iterator[str]:
    known = {(r.year, r.month, r.day) for _, r in read if not r.is_open}
    for text, reading in read:
        if not reading.form.startswith("pq") or "." in text[slice(*reading.span)]:
            continue
        kinds = [kind for _, _, kind, _ in reading.parts[:2]]
        if not reading.is_open:
            yield "dmy" if kinds == ["d", "m"] else "mdy"
            continue
        year, month, day = reading.year, reading.month, reading.day  # read with the day first
        first, second = (year, month, day) in known, (year, day, month) in known
        if first != second:
            yield "dmy" if first else "mdy"


def _countries(values: Sequence[Value]) -> Iterator[str]:
    for value in values:
        if value.entity == "IBAN_CODE" and value.text[:2].isalpha():
            yield value.text[:2].upper()
        elif value.entity == "PHONE_NUMBER" and value.text.lstrip("( ").startswith("+"):
            yield "US" if value.text.lstrip("( +").startswith("1") else "other"
        elif value.country and not value.entity.startswith("DATE_"):
            yield value.country
