"""Days that no month has: 31 April, 30 February. They are dates, and no calendar has them."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator

from scrubbers.surrogates.months import month_index
from scrubbers.surrogates.text import fold

_OF = r"(?:de\s|of\s|di\s|d['’])?"
_ORDINAL = r"(?:st|nd|rd|th|er|ste|de|º|°|\.)?"
_DAY_AND_MONTH = re.compile(
    rf"(?<![\w.,:/-])(?:(?P<day>\d{{2}}){_ORDINAL}\s{{1,2}}{_OF}(?P<month>[^\W\d_]{{3,12}})\.?"
    rf"|(?P<first>[^\W\d_]{{3,12}})\.?\s(?P<later>\d{{2}})(?:st|nd|rd|th)?(?!\d|[:.]\d|\s[^\W\d_]{{3}}))"
    rf"(?:,?\s{{1,2}}{_OF}\d{{4}}(?!\d))?",
    re.IGNORECASE,
)


def impossible(text: str) -> Iterator[tuple[int, int]]:
    """Where such a day stands with the name of its month."""
    for match in _DAY_AND_MONTH.finditer(text):
        day, month = match["day"] or match["later"], match["month"] or match["first"]
        number = next((n for _, n in month_index().get(fold(month), ())), 0)
        if number and monthrange(2024, number)[1] < int(day) <= 31:
            yield match.span()
