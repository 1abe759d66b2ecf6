"""Dates of one record, moved by one secret number of days."""

from __future__ import annotations

from datetime import date, timedelta

from scrubbers.keys import digest

WEEKS = 52


def offset(key: bytes, ident: str) -> int:
    """Days by which the dates of one record or person move: whole weeks, up to a year, never 0.

    Whole weeks keep weekdays right, also where a text names one without a date.
    """
    number = int.from_bytes(digest(key, "date offset", ident), "big") % (2 * WEEKS)
    return 7 * (number - WEEKS if number < WEEKS else number - WEEKS + 1)


def shifted(norm: str, days: int) -> str:
    """An ISO date so many days later; raises ValueError or OverflowError off the calendar."""
    return (date.fromisoformat(norm) + timedelta(days=days)).isoformat()
