"""What a record says about each of its values beyond the value's own text.

Told anew from the record's values wherever it is needed, never stored. The surrogates of a record
tell the same about each other, so that what was written can be read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrubbers.surrogates import tails
from scrubbers.surrogates.unit import ALONE, Context, Value

__all__ = ["ALONE", "Context", "Value", "contexts"]


def contexts(values: Sequence[Value], language: str = "", dates: str = "") -> list[Context]:
    """One context for each value, in order. `language`: the record's; `dates`: see `Context`."""
    del language
    plans, codes = tails.telephone_plans(values), tails.stands_for(values)
    return [
        replace(
            ALONE,
            plan=plan,
            stands_for=(code,) if code else (),
            dates=dates if value.entity.startswith("DATE_") else "",
        )
        for value, plan, code in zip(values, plans, codes, strict=True)
    ]
