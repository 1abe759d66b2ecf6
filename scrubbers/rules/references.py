"""Booking codes without a digit; references with digits are found by their cues (cued.py)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import cues
from scrubbers.rules.common import finding, holds, lower
from scrubbers.words import phrases

_LOCATOR = re.compile(r"(?<![A-Za-z0-9])[A-Z]{6}(?![A-Za-z0-9])")
_HINTS = ("pnr", "locali", "locator", "refer", "booking", "loc", "ref")
_CUES = phrases(
    "pnr, loc, localizador, record locator, locator, booking reference, booking, reference, ref"
)


def locators(passage: Passage) -> Iterable[Finding]:
    """Six capitals directly behind a booking cue (airline record locators)."""
    text = passage.text
    if not holds(lower(text), _HINTS) or text.isupper():
        return
    for match in _LOCATOR.finditer(text):
        cue = cues.before(text, match.start())
        if cue and cue.phrase in _CUES and not cue.unknown:
            yield finding(match.span(), "OTHER_ID", 0.75)
