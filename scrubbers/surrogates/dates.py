"""Dates: drawn as another day of the same year, shifted, or made coarse; in the form that stood there.

Drawn: where day and month are both at most 12, a value alone does not say which is which. The unit
of such a date is its year and the two numbers in rising order, its surrogate is another such pair,
written in the same order. So `03/04/1985` agrees with `1985-03-04` and with `1985-04-03` alike,
whichever of the two was meant. The year stays, so that a stated age stays right.
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from scrubbers.surrogates.dateform import SECONDS, New, coarse_text, rewrite, spliced
from scrubbers.surrogates.dategroups import is_joined, joined
from scrubbers.surrogates.dateread import Reading, dated, readings
from scrubbers.surrogates.datewords import impossible_in_words, spoken
from scrubbers.surrogates.months import MONTHS, month_index
from scrubbers.surrogates.nodays import impossible
from scrubbers.surrogates.shift import OLDEST, coarse
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import fold
from scrubbers.surrogates.unit import ALONE, DAY, Context, Piece, Slot, Unit, Unwritable
from scrubbers.surrogates.weekdays import after_date, before_date

MISREAD = str.maketrans("OolI|SsB", "00111558")
# Runs of digits and letters like them that hold a digit: 1O/l4/2024, O4.ll., l979
_MISREAD = re.compile(
    r"(?<![\w./-])(?=[^\s]*\d)(?=[\d./-]*[OolI|SsB])[\dOolI|SsB]{1,4}(?:[-./][\dOolI|SsB]{1,4})*(?![\w/-])"
)
_EPOCH = re.compile(r"\s*(\d{10}(?:\d{3})?)\s*")
BIRTH = "DATE_OF_BIRTH"


class UnreadableDate(Unwritable):
    """Marked as a date, and not to be read as one. The record belongs in quarantine."""

    reason = "date-unreadable"


def date_pieces(text: str, context: Context = ALONE) -> list[Piece]:
    """Dates, alone or among other words. Raises UnreadableDate if none can be read."""
    is_coarse = context.dates in ("generalise", "year")
    if is_coarse and re.fullmatch(r"\d{2,3}", text):
        return [Slot((Unit(f"{DAY}:", f"age-{text}"),), lambda norms: norms[0][4:])]
    told = (context.order or "dmy") if context.dates else ""
    text, found = dates_of(text, told, context.language, lone_months=bool(context.dates))
    if not found and is_coarse and re.fullmatch(r"\d{4}", text):
        return [Slot((Unit(f"{DAY}:{_year_alone(context)}", text),), lambda norms: norms[0])]
    wrong = any(impossible(text, context.language)) or impossible_in_words(text, context.language)
    if wrong or not found:
        raise UnreadableDate("a date in a form that is not read: quarantine the record")
    if is_coarse:
        return _coarse_pieces(text, found, context)
    unit = _day_unit if context.dates else date_unit
    units = tuple(unit(reading, context) for reading in found)
    weekdays = not context.dates

    def render(norms: Sequence[str]) -> str:
        new = [new_parts(reading, norm) for reading, norm in zip(found, norms, strict=True)]
        return rewrite(text, found, new, weekdays=weekdays)

    return [Slot(units, render)]


def dates_of(
    text: str, told: str = "", language: str = "", *, lone_months: bool = False
) -> tuple[str, tuple[Reading, ...]]:
    """The text, with misread digits put right if need be, and its dates.

    `lone_months`: also the name of a month alone, weeks, days of a year, and seconds since 1970.
    """
    found = joined(text, readings(text, told, language))
    if not lone_months:
        found = tuple(reading for reading in found if reading.form != "W")
    copy = put_right(text)
    if copy != text:
        other = joined(copy, readings(copy, told, language))
        if _length(other) > _length(found):
            return copy, other
    if found:
        return text, found
    found = spoken(text, told, language)
    if found or not lone_months:
        return text, found
    day = dated(text)
    return text, (day,) if day else timestamp(text) or lone_month(text, language)


def put_right(text: str) -> str:
    """The text with letters that a scanner took for digits as digits; as long as it was."""
    return _MISREAD.sub(lambda found: found[0].translate(MISREAD), text)


def _length(found: Sequence[Reading]) -> int:
    return sum(r.span[1] - r.span[0] for r in found)


def timestamp(text: str) -> tuple[Reading, ...]:
    """Seconds or milliseconds since 1970, from 2001 to 2096 (ten or thirteen digits)."""
    match = _EPOCH.fullmatch(text)
    if match is None or int(match[1][:10]) not in SECONDS or not match[1].isascii():
        return ()
    day = datetime.fromtimestamp(int(match[1][:10]), UTC).date()
    part = (*match.span(1), "t", 0)
    return (Reading((part,), day.year, day.month, day.day, "", span=match.span(1), form="t"),)


def lone_month(text: str, language: str) -> tuple[Reading, ...]:
    """The name of one month, written out, without a day or year."""
    found = []
    for match in re.finditer(r"[^\W\d_]+", text):
        options = [o for o in month_index().get(fold(match[0]), ()) if o[0] in MONTHS]
        if options:
            table, number = next((o for o in options if o[0][:2] == language), options[0])
            part = (*match.span(), "n", number)
            found.append(Reading((part,), None, number, 0, table, span=match.span(), form="n"))
    return tuple(found) if len(found) == 1 else ()


def iso(reading: Reading) -> str:
    """`2024-03-14`, `2024-03`, `--03-14` or `--03`."""
    head = f"{reading.year:04d}-" if reading.year is not None else "--"
    return f"{head}{reading.month:02d}" + (f"-{reading.day:02d}" if reading.day else "")


def _day_unit(reading: Reading, context: Context) -> Unit:
    """The unit of a date that is shifted; one without a year says in which it is reckoned."""
    year = context.year if reading.year is None and reading.day else 0
    norm = iso(reading)
    fits = year and reading.day <= monthrange(year, reading.month)[1]
    return Unit(f"{DAY}:{year if fits else ''}", norm)


def _year_alone(context: Context) -> str:
    """What is left of a date of birth: its year, or the oldest that may be told."""
    return f"year:{context.year - OLDEST}" if context.year else "year"


def _coarse_pieces(text: str, found: Sequence[Reading], context: Context) -> list[Piece]:
    """Dates made coarse; a range that falls into one month is written once."""
    details = _year_alone(context) if context.dates == "year" else "month"
    first, last = found[0].span[0], found[-1].span[1]
    kept: list[tuple[int, int, str]] = []
    units = []
    for at, reading in enumerate(found):
        unit = Unit(f"{DAY}:{details}", iso(reading))
        after = found[at + 1] if at + 1 < len(found) else None
        norm = coarse(unit.norm, details)
        if after and is_joined(text, reading, after) and coarse(iso(after), details) == norm:
            kept.append((reading.span[0], after.span[0], ""))
            continue
        units.append(unit)
        kept.append((*reading.span, coarse_text(text, _lent(reading, found), norm)))
    head, tail = _without_day_words(text[:first]), _without_time(text[last:])
    inner = spliced(text[first:last], [(s - first, e - first, new) for s, e, new in kept])
    return [Slot(tuple(units), lambda _: head + inner + tail)]


def _lent(reading: Reading, found: Sequence[Reading]) -> Reading:
    """A day that borrows its month, with the parts of the date that lends it."""
    if not reading.borrows:
        return reading
    lender = min(
        (r for r in found if not r.borrows), key=lambda r: abs(r.span[0] - reading.span[0])
    )
    return replace(lender, day=reading.day, month=reading.month, year=reading.year)


def _without_day_words(before: str) -> str:
    article = re.search(r"(?<!\w)the\s$", before, re.IGNORECASE)
    match = before_date(before, len(before)) or article
    return before[: match.start()] if match else before


def _without_time(after: str) -> str:
    """What stands behind a date that was made coarse, without its weekday and time of day."""
    weekday = after_date(after, 0)
    rest = after[weekday.end() :] if weekday else after
    return re.sub(r"^[T ]\d{1,2}:?\d\d(?::?\d\d(?:[.,]\d+)?)?\s?(?:Z|[+-]\d\d:?\d\d)?", "", rest)


def date_unit(reading: Reading, _: Context = ALONE) -> Unit:
    """The unit of a date that is drawn: its class and year."""
    year, month, day = reading.year, reading.month, reading.day
    pool = f"{year:04d}" if year is not None else ""
    if not day:
        return Unit(f"date:month:{pool}", f"{pool}-{month:02d}")
    if day > 12:
        return Unit(f"date:day:{pool}", f"{pool}-{month:02d}-{day:02d}")
    low, high = sorted((month, day))
    kind = "same" if low == high else "pair"
    return Unit(f"date:{kind}:{pool}", f"{pool}:{low:02d}:{high:02d}")


def draw_date(details: str, stream: Stream) -> str:
    """A date of the class and year."""
    kind, pool = details.split(":")
    if kind == "month":
        return f"{pool}-{1 + stream.below(12):02d}"
    if kind == "same":
        number = 1 + stream.below(12)
        return f"{pool}:{number:02d}:{number:02d}"
    if kind == "pair":
        low, high = sorted((a := 1 + stream.below(12), (a + stream.below(11)) % 12 + 1))
        return f"{pool}:{low:02d}:{high:02d}"
    month = 1 + stream.below(12)
    day = 13 + stream.below(monthrange(int(pool or 2023), month)[1] - 12)
    return f"{pool}-{month:02d}-{day:02d}"


def capacity(details: str) -> int:
    """How many dates a space has, at least."""
    return {"month": 12, "same": 12, "pair": 66, "day": 12 * 16}[details.partition(":")[0]]


def new_parts(reading: Reading, norm: str) -> New:
    """Year, month and day of a surrogate (0 where there is none), in the order that stood there."""
    if norm.startswith("--"):
        month, _, day = norm[2:].partition("-")
        return 0, int(month), int(day or 0)
    numbers = [int(n or 0) for n in re.split(r"[-:]", norm)]
    if ":" not in norm:
        return numbers[0], numbers[1], numbers[2] if len(numbers) > 2 else 0
    year, low, high = numbers
    return (year, low, high) if reading.month <= reading.day else (year, high, low)
