"""What the rule families share: making findings, plain spelling, small checks."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from scrubbers.finding import Finding

DETECTOR = "rules"

# Values that stand for a value: template placeholders, masks, dummies.
PLACEHOLDER = re.compile(
    r"^\W*(?:\{.*\}|<[^<>]*>|\[[^\[\]]*\]|%\w+%|\$\{?\w+\}?|[xX*#•._\-\s]+|n/?a|null|none|nil|unknown"
    r"|tbd|todo|undefined|true|false|redacted|hidden|\?+|string|str|number|int|value|example)\W*$",
    re.IGNORECASE,
)


def finding(span: tuple[int, int], kind: str, score: float, country: str | None = None) -> Finding:
    """A finding of these rules."""
    return Finding(span[0], span[1], kind, score, DETECTOR, country)


@lru_cache(maxsize=16384)
def plain(word: str) -> str:
    """Lower case, without diacritics and dots: `C.F.` -> cf, `Número` -> numero."""
    low = word.casefold()
    if not low.isascii():
        split = unicodedata.normalize("NFKD", low)
        low = "".join(c for c in split if not unicodedata.combining(c))
    return low.replace(".", "")


def digits(text: str) -> str:
    """The ASCII digits of `text`."""
    return "".join(c for c in text if "0" <= c <= "9")


def compact(text: str) -> str:
    """Letters and digits only, upper case."""
    return "".join(c for c in text if c.isalnum()).upper()


def luhn(number: str) -> bool:
    """Whether a string of digits passes the Luhn check."""
    total = 0
    for place, char in enumerate(reversed(number)):
        value = int(char) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
