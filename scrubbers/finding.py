"""A finding: what kind of identifier stands where. It has no field for the matched text."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Finding:
    """One identifier in one text.

    `start` and `end` are code points in that text, `end` exclusive. `type` is a name from
    `scrubbers.entities`, `score` lies in 0..1, `detector` is a row of `scrubbers.catalog`,
    `country` an ISO 3166 code where the kind of number tells it.
    """

    start: int
    end: int
    type: str
    score: float
    detector: str
    country: str | None = None
