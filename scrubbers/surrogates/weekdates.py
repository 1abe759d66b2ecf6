"""ISO 8601 week dates and days of the year: 2025-W10-1, 2025W101, 2025-W10, 2025-062."""

from __future__ import annotations

import re
from datetime import date, timedelta

WEEK = re.compile(r"(?<![\w.,/-])((?:19|20)\d\d)(-?)W(\d\d)(?:\2([1-7]))?(?!\w)(?!-\d)")
ORDINAL = re.compile(r"(?<![\w.,/-])((?:19|20)\d\d)-(\d{3})(?![\w/-]|[.,]\d)")


def day_of(text: str) -> date | None:
    """The day that such a date stands for, of a week alone its Monday; None if there is none."""
    try:
        if match := WEEK.fullmatch(text):
            return date.fromisocalendar(int(match[1]), int(match[3]), int(match[4] or 1))
    except ValueError:
        return None
    match = ORDINAL.fullmatch(text)
    day = date(int(match[1]), 1, 1) + timedelta(days=int(match[2]) - 1) if match else None
    return day if match and day and day.year == int(match[1]) else None


def is_whole_week(text: str) -> bool:
    """Whether it names a week, and no day of it."""
    match = WEEK.fullmatch(text)
    return bool(match and not match[4])


def week_text(old: str, day: date) -> str:
    """Another day in the form of the old one."""
    match = WEEK.fullmatch(old)
    if match is None:
        return f"{day:%Y-%j}"
    year, week, number = day.isocalendar()
    last = f"{match[2]}{number}" if match[4] else ""
    return f"{year:04d}{match[2]}W{week:02d}{last}"
