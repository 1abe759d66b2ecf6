"""Surrogates that hold their original, or are held by it, are left out before anything else."""

from __future__ import annotations

from scrubbers.surrogates.draw import draw
from scrubbers.surrogates.unit import Unit

SHORTEST = 4
SHORTEST_NAME = 2
ENDING = 3  # characters of a code that may stand alone (`tails`)
TRIES = 16


def overlaps(unit: Unit, norm: str) -> bool:
    """Whether a surrogate is, contains or is part of its original (from 4 characters on).

    Names also if they begin alike, codes if they end alike: initials and short forms would stay.
    """
    if norm == unit.norm or (unit.family == "name" and norm[0] == unit.norm[0]):
        return True
    if unit.family == "code" and norm[-ENDING:] == unit.norm[-ENDING:] and len(norm) > ENDING:
        return True
    shortest = SHORTEST_NAME if unit.family == "name" else SHORTEST
    if min(len(norm), len(unit.norm)) < shortest:
        return False
    return norm in unit.norm or unit.norm in norm


def is_inside(unit: Unit, norm: str) -> bool:
    """Whether a surrogate is a part of its original or the other way round, and not the same.

    From 4 characters on; of an IP address the digits of another one say nothing.
    """
    shortest = min(len(norm), len(unit.norm))
    if unit.family == "ip" or shortest < SHORTEST or norm == unit.norm:
        return False
    return norm in unit.norm or unit.norm in norm


def first_counter(unit: Unit, digest: bytes) -> int:
    """The first candidate that does not overlap, nearly always 0; for `settle`'s `starts`.

    Known only where the value is: in the scan. The settle pass has digests alone.
    """
    for counter in range(TRIES):
        if not overlaps(unit, draw(unit.space, digest, counter)):
            return counter
    return 0
