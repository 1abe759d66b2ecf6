"""What a record says about each of its values beyond the value's own text.

Told anew from the record's values wherever it is needed, never stored. The surrogates of a record
tell the same about each other, so that what was written can be read back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from scrubbers.surrogates import aliases, dateorder, tails
from scrubbers.surrogates.forms import NAMES, plain_text
from scrubbers.surrogates.hosts import mailbox
from scrubbers.surrogates.unit import ALONE, Context, Value

__all__ = ["ALONE", "Context", "Value", "contexts", "lone_names"]


def contexts(
    values: Sequence[Value],
    language: str = "",
    dates: str = "",
    order: str = "",
    *,
    keep_area: bool = False,
) -> list[Context]:
    """One context for each value, in order.

    `language`: the record's; `dates`: see `Context`; `order`: that of day and month where it is
    known already, as in a record whose dates were shifted; `keep_area`: see `Context`.
    """
    plans, codes = tails.telephone_plans(values), tails.stands_for(values)
    found = [
        replace(
            ALONE,
            plan=plan,
            stands_for=(code,) if code else (),
            keep_area=keep_area and value.entity == "ADDRESS",
        )
        for value, plan, code in zip(values, plans, codes, strict=True)
    ]
    named(found, values, language)
    return dated(found, values, language, dates, order) if dates else found


def named(found: list[Context], values: Sequence[Value], language: str) -> None:
    """What the words of names, user names and mailboxes stand for, into the contexts."""
    places = [place for place, value in enumerate(values) if value.entity in NAMES]
    texts = [(values[place].entity, name_text(values[place])) for place in places]
    for place, told in zip(places, aliases.stand_ins(texts, language), strict=True):
        if told:
            found[place] = replace(found[place], stands_for=told)


def name_text(value: Value) -> str:
    """The name in a value: of an address its local part."""
    plain = plain_text(value.entity, value.text)
    start, end, _ = mailbox(plain) if value.entity == "EMAIL_ADDRESS" else (0, len(plain), 0)
    return plain[start:end]


def lone_names(values: Sequence[Value], told: Sequence[Context]) -> int:
    """Mentions of a single name, in a record that also holds full names, which is part of none.

    They may be nicknames that share no letters with the full name, or other people.
    """
    places = [place for place, value in enumerate(values) if value.entity == "PERSON"]
    texts = [name_text(values[place]) for place in places]
    return aliases.lone_count(texts, [told[place].stands_for for place in places])


def dated(
    found: Sequence[Context], values: Sequence[Value], language: str, dates: str, order: str
) -> list[Context]:
    """The contexts, those of dates with what they need to be shifted or made coarse."""
    order, years = dateorder.date_contexts(values, language, dates, order)
    born = (
        dateorder.born(values, language, order) if dates == "generalise" else [False] * len(years)
    )
    return [
        replace(one, dates="year" if birth else dates, order=order, year=year, language=language)
        if value.entity.startswith("DATE_")
        else one
        for one, value, year, birth in zip(found, values, years, born, strict=True)
    ]
