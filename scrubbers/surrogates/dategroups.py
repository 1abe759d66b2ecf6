"""Dates that share a month or a year: 3 to 5 March 2025, March 3-5, 30 December to 2 January 2025."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scrubbers.surrogates.dateread import Reading
from scrubbers.surrogates.text import digits_of

_WORDS = (
    "and|to|till|until|through|or|und|bis|oder|y|e|o|a|al|hasta|et|au|ou|ed|fino al|ao|até|en|t/m|tot|i|do|lub"
    "|și|la|och|till|til|og|и|по"
)
JOIN = rf"\s{{0,3}}(?:(?<!\w)(?:{_WORDS})(?:\s{{1,3}}(?:the|el|le|den|dem|zum|il|o|de|au))?(?!\w)|[-‐‑–—/&])\s{{0,3}}"
_JOINED = re.compile(JOIN, re.I)
_ORDINAL = r"(st|nd|rd|th|er|\.?[ºª°]|e|ste|de|\.|)"
_DAY_BEFORE = re.compile(rf"(?<![\w.,:/€$£+-])(\d{{1,2}}){_ORDINAL}(?={JOIN}$)", re.I)
_LIST_BEFORE = re.compile(rf"(?<![\w.,:/€$£+-])(\d{{1,2}}){_ORDINAL}(?=\s?,\s{{0,3}}$)", re.I)
_DAY_AFTER = re.compile(
    r"\s{0,3}(?:[-‐‑–—&]|(?:and|to|through|or)\s)\s{0,3}(?:the\s)?(\d{1,2})(st|nd|rd|th|)"
    r"(?:(?:,\s{0,3}|\s{1,3})(\d{4}))?(?!\w|[:.%/-]?\d|\s{0,3}(?:[ap]\.?m\b|%|[^\W\d_]))", re.I
)  # fmt: skip
REACH = 24  # characters before a date in which another day of its month ends


def joined(text: str, found: Sequence[Reading]) -> tuple[Reading, ...]:
    """The dates of a text with the days that borrow their month, and the years that are shared."""
    more: list[Reading] = []
    for at, date in enumerate(found):
        free = found[at - 1].span[1] if at else 0
        until = found[at + 1].span[0] if at + 1 < len(found) else len(text)
        more += _with_days(text, date, free, until)
    for at in range(len(more) - 2, -1, -1):
        first, second = more[at], more[at + 1]
        if first.year is None and first.day and second.year and is_joined(text, first, second):
            more[at] = replace(first, year=_year_before(first, second))
    return tuple(more)


def is_joined(text: str, first: Reading, second: Reading) -> bool:
    """Whether the text between two dates makes them a range or a list."""
    between = text[first.span[1] : second.span[0]]
    return bool(_JOINED.fullmatch(between)) or (first.borrows and between.strip() in (",", "."))


def _year_before(first: Reading, second: Reading) -> int:
    """The year of a date without one that comes before `second`."""
    if not second.year:
        raise ValueError("the second date has no year")
    crosses = second.day and (first.month, first.day) > (second.month, second.day)
    year = second.year - bool(crosses)
    return year if first.day <= monthrange(year, first.month)[1] else second.year


def _with_days(text: str, date: Reading, free: int, until: int) -> Iterator[Reading]:
    """A date with the bare days before or after it, between the dates around."""
    yield from reversed(list(_days_before(text, date, free)))
    after = _day_after(text, date, until)
    if after is None:
        yield date
        return
    yield replace(date, year=after.year)
    yield after


def _days_before(text: str, date: Reading, free: int) -> Iterator[Reading]:
    leads = [(s, e) for s, e, kind, _ in date.parts if kind == "d"]
    dotted = date.form == "pqy" and "." in text[slice(*date.span)]
    if not leads or not (date.form.startswith("do") or dotted) or date.spoken:
        return
    own = _ending(text, leads[0][1])
    start, last, pattern = date.span[0], date.day, _DAY_BEFORE
    while match := pattern.search(text, max(free, start - REACH), start):
        day = int(digits_of(match[1]))
        if not 0 < day < last or match[2].lower() not in (own, "er" if day == 1 else own):
            return
        begin, end = match.span(1)
        yield replace(
            date, parts=((begin, end, "d", day), (end, match.end(2), "o", 0)), day=day,
            span=(begin, match.end(2)), borrows=True,
        )  # fmt: skip
        start, last, pattern = begin, day, _LIST_BEFORE


def _ending(text: str, at: int) -> str:
    match = re.compile(_ORDINAL, re.I).match(text, at)
    return match[1].lower() if match else ""


def _day_after(text: str, date: Reading, until: int) -> Reading | None:
    if date.form != "n.do" or date.spoken:
        return None
    match = _DAY_AFTER.match(text, date.span[1])
    if match is None or match.end() > until:
        return None
    day, year = int(digits_of(match[1])), int(match[3]) if match[3] else None
    if not date.day < day <= monthrange(year or 2024, date.month)[1]:
        return None
    parts = [(*match.span(1), "d", day), (*match.span(2), "o", 0)]
    parts += [(*match.span(3), "y", year)] if year else []
    span = (match.start(1), match.end())
    return replace(date, parts=tuple(parts), year=year, day=day, span=span, borrows=True)
