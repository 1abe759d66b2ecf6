"""What a record says about each of its values beyond the value's own text.

Told anew from the record's values wherever it is needed, never stored. The surrogates of a record
tell the same about each other, so that what was written can be read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrubbers.surrogates.phones import plan_told
from scrubbers.surrogates.unit import ALONE, Context, Value

__all__ = ["ALONE", "Context", "Value", "contexts"]


def contexts(values: Sequence[Value], language: str = "", dates: str = "") -> list[Context]:
    """One context for each value, in order. `language`: the record's; `dates`: see `Context`."""
    del language
    plans = telephone_plans(values)
    return [
        replace(ALONE, plan=plan, dates=dates if value.entity.startswith("DATE_") else "")
        for value, plan in zip(values, plans, strict=True)
    ]


def telephone_plans(values: Sequence[Value]) -> list[str]:
    """One telephone number gets one plan in a record, whatever its forms look like.

    `0612345678` alone can be French or Dutch; beside `+31 6 12345678` it is Dutch. "" where the
    form alone decides.
    """
    told: dict[str, str] = {}
    guessed: dict[str, set[str]] = {}
    norms = []
    for value in values:
        norm, plan, certain = (
            plan_told(value.text) if value.entity == "PHONE_NUMBER" else ("", "", False)
        )
        norms.append(norm)
        guessed.setdefault(norm, set()).add(plan)
        if certain:
            told[norm] = plan
    torn = {norm: several for norm, several in guessed.items() if norm and len(several) > 1}
    plans = {norm: min(several - {""}) for norm, several in torn.items()} | told
    return [plans.get(norm, "") for norm in norms]
