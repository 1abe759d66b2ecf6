"""Days that no month has: 31 April, 30 February. They are dates, and no calendar has them."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator

from scrubbers.surrogates.dateread import FORMS, anchors, full_year, months_of
from scrubbers.surrogates.text import digits_of

LAST = 39  # higher numbers beside a month are no day that somebody got wrong
# What has the name of a month and a day, in the orders that are read.
_NAMED = tuple((pattern, order) for pattern, order in FORMS if {"n", "d"} <= set(order))
# Two digits for the year; dashes may be a bank's sort code.
_SHORT_YEAR = re.compile(r"(?<![\w.,/-])(\d{1,2})([./])(\d{1,2})\2(\d\d)(?![\w/-]|\.\d)")
_MORE = re.compile(r"\s[^\W\d_]{3}")
IsMonth = Callable[[str, int, int, str], bool]  # text, place of the word, of the date, the word


def impossible(
    text: str, language: str = "", is_month: IsMonth | None = None
) -> Iterator[tuple[int, int]]:
    """Where such a day stands; `is_month`: asked about a word where no year tells that it is one."""
    for anchor in anchors(text):
        for pattern, order in _NAMED:
            match = (
                pattern.match(text, anchor) if (order[0] == "n") is text[anchor].isalpha() else None
            )
            if match and _is_impossible(match, order, language, is_month):
                yield match.span()
                break
    for match in _SHORT_YEAR.finditer(text):
        first, second, year = int(match[1]), int(match[3]), full_year(match[4])
        orders = [(first, second)] if match[2] == "." else [(first, second), (second, first)]
        months = [(day, month) for day, month in orders if 1 <= month <= 12]
        clear = months and all(monthrange(year, m)[1] < day <= 31 for day, m in months)
        if clear and (match[2] != "." or len(match[1] + match[3]) == 4):
            yield match.span()


def _is_impossible(
    match: re.Match[str], order: str, language: str, is_month: IsMonth | None
) -> bool:
    groups = dict(zip(order, match.groups(), strict=True))
    day, word = int(digits_of(groups["d"])), groups["n"]
    text, has_year = match.string, "y" in order
    month = months_of(text[max(0, match.start() - 9) : match.end() + 9], word, language)
    if month is None or month[0] == "roman" or not (day or has_year) or day > LAST:
        return False
    year = full_year(groups["y"]) if has_year else 2024
    if day and (not 1000 <= year <= 2999 or day <= monthrange(year, month[1])[1]):
        return False
    if has_year and len(groups["y"]) == 4:
        return True
    if order == "n.do" and _MORE.match(text, match.end()):
        return False
    at = match.start(order.index("n") + 1)
    return is_month is None or is_month(text, at, match.start(), word)
