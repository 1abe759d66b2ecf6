"""A day and month in numbers (09/08) that another date of the record shows to be one."""

from __future__ import annotations

from collections.abc import Mapping

from scrubbers.finding import Finding
from scrubbers.overlaps import settle
from scrubbers.passage import Passage
from scrubbers.rules import datecues
from scrubbers.surrogates.dateread import Reading, scan
from scrubbers.surrogates.dates import dates_of

DETECTOR = "propagate"
_SCORE = 0.5


def with_twins(
    plan: Mapping[int, Passage], found: Mapping[int, list[Finding]]
) -> dict[int, list[Finding]]:
    """The findings by leaf, with bare days and months that some date of the record has too."""
    known = {
        day
        for index, group in found.items()
        for one in group
        if one.type.startswith("DATE_")
        for day in _days(plan[index].text[one.start : one.end], plan[index].language)
    }
    if not known:
        return dict(found)
    return {index: _with(plan[index], group, known) for index, group in found.items()}


def _with(passage: Passage, group: list[Finding], known: set[tuple[int, int]]) -> list[Finding]:
    text = passage.text

    def accept(_: str, reading: Reading) -> bool:
        start, end = reading.span
        signs = reading.form == "pq" and datecues.is_free(text, start, end)
        return (
            signs and not datecues.is_version(text, start) and not known.isdisjoint(_both(reading))
        )

    spans = [reading.span for reading in scan(text, "", passage.language, accept)]
    free = [
        Finding(start, end, "DATE_TIME", _SCORE, DETECTOR)
        for start, end in spans
        if not any(one.start < end and start < one.end for one in group)
    ]
    return settle([*group, *free], text) if free else group


def _days(text: str, language: str) -> set[tuple[int, int]]:
    return {day for reading in dates_of(text, "", language)[1] for day in _both(reading)}


def _both(reading: Reading) -> set[tuple[int, int]]:
    """Month and day, and where the numbers do not tell them apart both ways."""
    day = (reading.month, reading.day)
    if not reading.day:
        return set()
    return {day, day[::-1]} if reading.is_open else {day}
