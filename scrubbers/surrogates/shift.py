"""Dates of one record, moved by one secret number of days, or made coarse."""

from __future__ import annotations

from datetime import date, timedelta

from scrubbers.keys import digest
from scrubbers.surrogates.unit import Unit

# From three weeks on a month without a day moves too; less than 51, so that no month or day comes
# back to where it was in another year.
SHORTEST, LONGEST = 3, 50
PLAIN_YEARS, LEAP_YEAR = 2022, 2024  # a date without a year is reckoned in one of them
MONTH_DAYS = 365.2425 / 12
OLDEST = 90  # 45 CFR 164.514(b)(2)(i)(C): ages over 89 are one category, 90 or older


def offset(key: bytes, ident: str) -> int:
    """Days by which the dates of one record or person move: 3 to 50 whole weeks, either way.

    Whole weeks keep weekdays right, also where a text names one without a date.
    """
    choices = LONGEST - SHORTEST + 1
    number = int.from_bytes(digest(key, "date offset", ident), "big") % (2 * choices)
    weeks = SHORTEST + number // 2
    return 7 * (weeks if number % 2 else -weeks)


def moved(unit: Unit, dates: str, days: int) -> str:
    """The norm that takes the place of a "day" unit's: shifted, or coarse under "generalise"."""
    details = unit.space.partition(":")[2]
    if dates == "generalise":
        return coarse(unit.norm, details)
    return shifted(unit.norm, days, int(details or 0))


def shifted(norm: str, days: int, year: int = 0) -> str:
    """A date so many days later: `2024-03-14`, `2024-03`, `--03-14` or `--03`.

    A month moves by whole months, as many as the days make, at least one. `year` is what a date
    without one is reckoned in. Raises ValueError or OverflowError off the calendar.
    """
    if norm.count("-") == 2 and not norm.startswith("-"):
        return (date.fromisoformat(norm) + timedelta(days=days)).isoformat()
    if norm.startswith("--") and len(norm) == len("--03-14"):
        month, day = int(norm[2:4]), int(norm[5:])
        moved_day = date(year or nominal(norm), month, day) + timedelta(days=days)
        return f"--{moved_day:%m-%d}"
    month = int(norm[-2:]) - 1
    if norm.startswith("--"):
        return f"--{(month + months(days)) % 12 + 1:02d}"
    whole = int(norm[:-3]) * 12 + month + months(days)
    return f"{whole // 12:04d}-{whole % 12 + 1:02d}"


def unshifted(norm: str, days: int) -> tuple[str, ...]:
    """The norms that may have become this one: exactly one but for a day and month.

    The length of a date's year that has none is not known any more, so there may be two.
    """
    if not (norm.startswith("--") and len(norm) == len("--03-14")):
        return (shifted(norm, -days),)
    years = range(LEAP_YEAR - 4, LEAP_YEAR + 2)
    month, day = int(norm[2:4]), int(norm[5:])
    ends = [date(y, month, day) for y in years if norm != "--02-29" or y % 4 == 0]
    return tuple(sorted({f"--{end - timedelta(days=days):%m-%d}" for end in ends}))


def months(days: int) -> int:
    """Whole months nearest to so many days, never 0."""
    count = max(1, round(abs(days) / MONTH_DAYS))
    return count if days > 0 else -count


def nominal(norm: str) -> int:
    """The year that a day and month alone are reckoned in."""
    return LEAP_YEAR if norm == "--02-29" else PLAIN_YEARS


def coarse(norm: str, details: str) -> str:
    """The month or the year of a date; `details`: "month", "year", or "year:1934" with the oldest.

    An age ("age-93") becomes "age-90".
    """
    if norm.startswith("age-"):
        return f"age-{OLDEST}"
    kind, _, oldest = details.partition(":")
    if norm.startswith("--"):
        return norm[:4]
    if kind != "year":
        return norm[:7]
    return f"{max(int(norm[:4]), int(oldest or 0)):04d}"
