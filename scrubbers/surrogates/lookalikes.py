"""Letters read for digits by machines and typists: O and 0, l and 1, S and 5, B and 8."""

from __future__ import annotations

import re

from scrubbers.surrogates.checksums import mod97
from scrubbers.surrogates.readings import Reading
from scrubbers.surrogates.text import digit_value

ALIKE = str.maketrans("OoQDIlSsB", "000011558")
CAPITALS = str.maketrans("OQDILSBZ", "00011582")
# Countries whose IBANs have digits only behind the country code (SWIFT IBAN registry).
DIGITS_ONLY = frozenset(
    "AE AT BA BE CZ DE DK EE ES FI HR HU IL IS LT ME NO PL PT RS SE SI SK TN XK".split()  # noqa: SIM905
)
SHORTEST_IBAN = 14
MOST = 0.6  # of the characters must be digits as they stand


def reading(text: str, entity: str) -> Reading | None:
    """A card, telephone number or IBAN with letters for some of its digits; else None.

    These have digits alone, so nothing is lost. In other codes a letter may be right: there the
    record must hold the other form (`tails`).
    """
    start = 0
    if entity == "IBAN_CODE":
        country = re.match(r"\W*([A-Za-z]{2})(?=[\s-]?[0-9OoIlSB]{2})", text)
        if not country or country[1].upper() not in DIGITS_ONLY:
            return None
        start = country.end()
    elif entity not in ("CREDIT_CARD", "PHONE_NUMBER"):
        return None
    plain = text[:start] + clean(text[start:])
    if plain == text or (start and not checked(plain)):
        return None
    return Reading(plain, lambda new: new)


def checked(iban: str) -> bool:
    """Whether an IBAN has the right check digits; no surrogate with letters of its own has."""
    norm = "".join(char for char in iban.upper() if char.isascii() and char.isalnum())
    return len(norm) > SHORTEST_IBAN and mod97(norm[4:] + norm[:4]) == 1


def clean(text: str) -> str:
    """Digits for letters, if all letters are such and most characters are digits."""
    marks = [char for char in text if char.isalpha()]
    digits = sum(digit_value(char) is not None for char in text)
    folded = text.translate(ALIKE)
    if not marks or digits < MOST * (digits + len(marks)) or any(c.isalpha() for c in folded):
        return text
    return folded


def digits_for(norm: str) -> str:
    """A compact code in capitals with a digit for each letter that looks like one."""
    return norm.translate(CAPITALS)
