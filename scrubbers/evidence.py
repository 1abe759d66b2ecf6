"""What a model says about single words, before anything is decided."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Hit:
    """One word or span that a model put into a group.

    Code points in the text, `end` exclusive. `group` is one of our entity types, or ZIP for a
    postal code; `score` is 0..1.
    """

    start: int
    end: int
    group: str
    score: float
