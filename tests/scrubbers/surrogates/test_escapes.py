"""Escaped values agree with the plain ones and are written with the same escaping."""

from __future__ import annotations

import json
from html import escape
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubbers.entities import ENTITY_TYPES
from scrubbers.surrogates import escapes
from scrubbers.surrogates.normal import Unwritable, units
from tests.scrubbers.surrogates.lookup import looked_up, read_back, surrogate


def in_json(text: str) -> str:
    return json.dumps(text)[1:-1]


WAYS = {
    "percent": quote,
    "html": lambda text: escape(text, quote=True),
    "json": in_json,
    "json twice": lambda text: in_json(in_json(text)),
    "percent in html": lambda text: escape(quote(text, safe="@ &"), quote=True),
}
PLAIN = st.text("abÑéß09 .-_@/&\"'\\😀", min_size=1, max_size=16)


@pytest.mark.parametrize("way", WAYS)
@given(text=PLAIN, new=PLAIN)
@settings(max_examples=150, deadline=None)
def test_what_is_written_reads_as_what_was_meant(way: str, text: str, new: str) -> None:
    reading = escapes.reading(WAYS[way](text), "PERSON")
    if reading is None or reading.plain != text:
        return  # nothing to escape, or a text that shows an escape itself
    assert reading.write(text) == WAYS[way](text)
    again = escapes.reading(reading.write(new), "PERSON")
    plain = again.plain if again else reading.write(new)
    assert plain in (new, new.replace("&", "~").replace("%", "~").replace("\\", "~"))


@pytest.mark.parametrize(
    ("entity", "plain", "forms"),
    [
        ("PASSWORD", "t9@Wren-moth", ["t9%40Wren-moth", "t9&#64;Wren-moth", "t9&commat;Wren-moth", "t9\\u0040Wren-moth"]),
        ("PERSON", "Bego\u00f1a Ruiz", ["Bego\\u00f1a Ruiz", "Bego\\\\u00f1a Ruiz", "Bego&ntilde;a Ruiz", "Bego%C3%B1a%20Ruiz"]),
        ("PERSON", "Se\u00e1n O'Rourke", ["Se\\u00e1n O&#x27;Rourke", "Se%C3%A1n O%27Rourke"]),
        ("PHONE_NUMBER", "+44 7700 900123", ["%2B44 7700 900123", "%2B44%207700%20900123", "+44&nbsp;7700&nbsp;900123"]),
        ("USERNAME", "CORP\\noor.bakker", ["CORP\\\\noor.bakker", "CORP%5Cnoor.bakker"]),
        ("EMAIL_ADDRESS", "ana@posta.example", ["ana%40posta.example", "ana&#64;posta.example", "ana&#x40;posta.example"]),
        ("ORGANIZATION", "Aldous & Frith Ltd", ["Aldous &amp; Frith Ltd", "Aldous %26 Frith Ltd"]),
        ("OTHER_ID", "AK/20931", ["AK%2F20931", "AK\\/20931"]),
    ],
)  # fmt: skip
def test_escaped_forms_share_the_units_of_the_plain_one(
    entity: str, plain: str, forms: list[str]
) -> None:
    new = surrogate(entity, plain)
    for form in forms:
        assert units(entity, form) == units(entity, plain)
        made = surrogate(entity, form)
        reading = escapes.reading(made, entity)
        assert (reading.plain if reading else made) == new.replace(
            " ", "\u00a0" if "nbsp" in form else " "
        )


@pytest.mark.parametrize(
    "text", ["CORP\\nora", "CORP\\u0041902", "C:\\temp", "50%zz", "R&D;", "a&b", "100%"]
)
def test_signs_that_escape_nothing_stay(text: str) -> None:
    reading = escapes.reading(text, "USERNAME")
    assert reading is not None
    assert reading.plain == text == reading.write(text)


def test_line_ends_are_read_where_no_backslash_belongs() -> None:
    assert units("ADDRESS", "Lindenweg 4\\nOstrau") == units("ADDRESS", "Lindenweg 4\nOstrau")
    assert "\\n" in surrogate("ADDRESS", "Lindenweg 4\\nOstrau")


@pytest.mark.parametrize("entity", [e for e in ENTITY_TYPES if not e.startswith("DATE_")])
@given(text=st.text("aB7%&;\\un#x4 -.@", min_size=1, max_size=14))
@settings(max_examples=40, deadline=None)
def test_an_escape_that_a_surrogate_makes_by_chance_is_not_read(entity: str, text: str) -> None:
    try:
        wanted = looked_up(entity, text)
        made = surrogate(entity, text)
    except Unwritable:
        return
    assert read_back(entity, made) == wanted
