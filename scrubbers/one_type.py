"""One number in one record has one type, whatever stood beside it in each place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from scrubbers.catalog import MODELS
from scrubbers.entities import BALANCED
from scrubbers.finding import Finding
from scrubbers.rules.common import compact, digits

_WORDED = frozenset({"PERSON", "USERNAME", "EMAIL_ADDRESS", "PASSWORD", "SECRET", "IP_ADDRESS"})
_LEAST = 4  # digits: fewer are a house number here and a tail of a card there


def one_type(
    texts: Mapping[int, str], found: Mapping[int, Sequence[Finding]]
) -> dict[int, list[Finding]]:
    """The findings by leaf; those of one number get the type of the best of them.

    A rule's type, which a cue or a check sum told, goes before a model's, an address last.
    """
    best: dict[str, Finding] = {}
    for index, group in found.items():
        for one in group:
            if number := _number(one, texts[index]):
                best[number] = min(one, best.get(number, one), key=_rank)
    return {
        index: [_typed(one, best.get(_number(one, texts[index]))) for one in group]
        for index, group in found.items()
    }


def _number(found: Finding, text: str) -> str:
    """What makes two findings the same number; "" where the finding is none."""
    if found.type not in BALANCED or found.type in _WORDED:
        return ""
    packed = compact(text[found.start : found.end])
    count = len(digits(packed))
    return packed if count >= _LEAST and 2 * count > len(packed) else ""


def _rank(found: Finding) -> tuple[bool, bool, float, str, str]:
    """Sort key, best first; nothing in it depends on the order of the leaves."""
    by_model = found.detector in MODELS
    return (by_model, found.type == "ADDRESS", -found.score, found.type, found.country or "")


def _typed(found: Finding, best: Finding | None) -> Finding:
    if best is None or best.type == found.type:
        return found
    return replace(found, type=best.type, country=best.country)
