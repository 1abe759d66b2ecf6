"""What a record says about each of its values beyond the value's own text.

Told anew from the record's values wherever it is needed, never stored. The surrogates of a record
tell the same about each other, so that what was written can be read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrubbers.surrogates import dateorder, tails
from scrubbers.surrogates.unit import ALONE, Context, Value

__all__ = ["ALONE", "Context", "Value", "contexts"]


def contexts(
    values: Sequence[Value], language: str = "", dates: str = "", order: str = ""
) -> list[Context]:
    """One context for each value, in order.

    `language`: the record's; `dates`: see `Context`; `order`: that of day and month where it is
    known already, as in a record whose dates were shifted.
    """
    plans, codes = tails.telephone_plans(values), tails.stands_for(values)
    found = [
        replace(ALONE, plan=plan, stands_for=(code,) if code else ())
        for plan, code in zip(plans, codes, strict=True)
    ]
    return dated(found, values, language, dates, order) if dates else found


def dated(
    found: Sequence[Context], values: Sequence[Value], language: str, dates: str, order: str
) -> list[Context]:
    """The contexts, those of dates with what they need to be shifted or made coarse."""
    order, years = dateorder.date_contexts(values, language, dates, order)
    return [
        replace(one, dates=dates, order=order, year=year, language=language)
        if value.entity.startswith("DATE_")
        else one
        for one, value, year in zip(found, values, years, strict=True)
    ]
