"""Identity numbers that have a date or a sex inside: what may stand at which place."""

from __future__ import annotations

import re
from functools import lru_cache
from string import ascii_uppercase

DIGIT = "0123456789"
# Independent places are enough: months 01-09 and days 01-29 without the tens.
DATE = (DIGIT, DIGIT, "0", "123456789", "012", "123456789")
LETTER = ascii_uppercase
CONSONANT = "BCDFGHJKLMNPQRSTVWXYZ"
STAMP = r"\d\d(?:0[1-9]|1[0-2])(?:[0-2]\d|3[01])"
FORMS: dict[str, tuple[str, tuple[str, ...]]] = {
    # Italy, codice fiscale: month letter, day (+40 for women), cadastral code, check letter
    "cf": (
        r"[A-Z]{6}\d\d[ABCDEHLMPRST]\d\d[A-Z]\d{3}[A-Z]",
        (*[CONSONANT] * 6, DIGIT, DIGIT, "ABCDEHLMPRST", "01246", "123456789",
         "ABCDEFGHIL", DIGIT, DIGIT, DIGIT, LETTER),
    ),
    # Mexico: population register and tax number
    "curp": (
        rf"[A-Z]{{4}}{STAMP}[HM][A-Z]{{5}}[0-9A-Z]\d",
        (LETTER, "AEIOU", LETTER, LETTER, *DATE, "HM", LETTER, LETTER, *[CONSONANT] * 3, "", DIGIT),
    ),
    "rfc": (
        rf"[A-Z]{{4}}{STAMP}[0-9A-Z]{{3}}",
        (LETTER, "AEIOU", LETTER, LETTER, *DATE, "", "", ""),
    ),
    # France, NIR: sex, year, month, place, order, key
    "nir": (r"[12]\d\d(?:0[1-9]|1[0-2])\d{10}", ("12", DIGIT, DIGIT, "0", "123456789", *[DIGIT] * 10)),
    # Poland, PESEL: date, order, check digit
    "pesel": (rf"{STAMP}\d{{5}}", (*DATE, *[DIGIT] * 5)),
}  # fmt: skip
PATTERNS = {name: re.compile(pattern) for name, (pattern, _) in FORMS.items()}


@lru_cache(maxsize=1 << 14)
def form_of(norm: str) -> str:
    """The form that a compact number has, or ""; it says nothing about check digits."""
    return next((name for name, pattern in PATTERNS.items() if pattern.fullmatch(norm)), "")


def narrowed(name: str, places: tuple[str, ...]) -> tuple[str, ...]:
    """The characters of each place, narrowed to what the form allows there.

    The first place keeps its class, and so does a place for letters or digits (empty above).
    """
    if not name:
        return places
    allowed = FORMS[name][1]
    both = ("".join(c for c in old if c in new) for old, new in zip(places, allowed, strict=True))
    return tuple(some or old for some, old in zip(both, places, strict=True))
