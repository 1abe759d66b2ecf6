"""Given findings of dates, cut to what is shifted or made coarse."""

from __future__ import annotations

from dataclasses import replace

from pipeline.reading import RawRecord
from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.record_scan import RecordFindings
from scrubbers.rules import calendar


def only_dates(raw: RawRecord, found: RecordFindings, dates: str) -> RecordFindings:
    """The findings of a record where some were given, its dates cut as the detector would.

    "next Friday" and "8 years" hold under a shift of whole weeks and are left out.
    """
    if not dates or raw.given is None:
        return found
    kept = []
    for index in sorted({index for index, _ in found.findings}):
        leaf = found.leaves[index]
        passage = Passage(leaf.text, found.languages.get(index, found.language), leaf.label)
        mine = [one for at, one in found.findings if at == index]
        own = [d for d in calendar.days(passage, dates) if _is_free(d, mine)]
        kept += [(index, one) for one in calendar.only_dates(mine, own, passage, dates)]
    return replace(found, findings=kept)


def _is_free(day: Finding, mine: list[Finding]) -> bool:
    """Whether no finding of another type takes a part of the place."""
    return not any(
        one.start < day.end and day.start < one.end and not one.type.startswith("DATE_")
        for one in mine
    )
