"""What the rule families share: making findings, plain spelling, small checks."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache

from scrubbers.finding import Finding

DETECTOR = "rules"

# Values that stand for a value: template placeholders, masks, dummies.
PLACEHOLDER = re.compile(
    r"^\W*(?:\{.*\}|<[^<>]*>|\[[^\[\]]*\]|%\w+%|\$\{?\w+\}?|[xX*#•._\-\s]+|n/?a|null|none|nil|unknown"
    r"|tbd|todo|undefined|true|false|redacted|hidden|\?+|string|str|number|int|value|example)\W*$",
    re.IGNORECASE,
)


_DIGIT = re.compile(r"[0-9]+")
_PACKED = re.compile(r"[^\W_]+")
_RUN = re.compile(r"\d+")
_LETTERS = re.compile(r"[^\W\d_]+")


@lru_cache(maxsize=4)  # the rules read one text after the other
def lower(text: str) -> str:
    """The text in lower case, made once for all rules."""
    return text.lower()


@lru_cache(maxsize=4)
def runs(text: str) -> tuple[tuple[int, int], ...]:
    """Where digits stand: the span of each run of them."""
    return tuple(match.span() for match in _RUN.finditer(text))


@lru_cache(maxsize=4)
def words(text: str) -> frozenset[str]:
    """The runs of letters, in lower case."""
    return frozenset(_LETTERS.findall(lower(text)))


def at_runs(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """What `finditer` gives for a pattern that can only begin where a run of digits begins."""
    done = 0
    for start, _ in runs(text):
        if start >= done and (match := pattern.match(text, start)):
            done = match.end()
            yield match


def holds(text: str, hints: Iterable[str]) -> bool:
    """Whether one of the hints stands in the text."""
    return any(map(text.__contains__, hints))


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
    return "".join(_DIGIT.findall(text))


def compact(text: str) -> str:
    """Letters and digits only, upper case."""
    return "".join(_PACKED.findall(text)).upper()


def luhn(number: str) -> bool:
    """Whether a string of digits passes the Luhn check."""
    total = 0
    for place, char in enumerate(reversed(number)):
        value = int(char) * (2 if place % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
