"""The agreement invariant: a written surrogate is read back as exactly what was looked up."""

from __future__ import annotations

import os
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scrubbers.entities import ENTITY_TYPES
from scrubbers.surrogates.draw import draw
from scrubbers.surrogates.normal import Unwritable, units
from scrubbers.surrogates.unit import ALONE
from scrubbers.surrogates.write import write
from tests.scrubbers.surrogates.lookup import LOOKUP, looked_up, read_back, surrogate, unit_digest

NAMES = (
    "Ana", "Reyes", "María", "José", "O'Brien", "D'Ambrosi", "Jean-Luc", "Müller", "MÜLLER", "Łukasz",
    "van", "der", "de", "la", "Dr.", "Ms", "Frau", "Smith's", "Lindqvist", "Annas", "J.", "T.G.",
    "McDonald", "AnaReyes", "Quintanilla-Vega", "Иван", "Петров", "Παπαδόπουλος", "山田太郎", "김철수",
    "李小龙", "راشد", "राहुल", "สมชาย", "areyes", "anareyes", "x", "Xzqwv", "Wolf", "Grace", "Peters",
)  # fmt: skip
HANDLES = ("ana", "reyes", "areyes", "anareyes", "wolfannalena", "info", "svc", "jdupuis", "vandermeer",
           "McDonald", "JSmith", "darkwolf", "x", "84", "0007", "müller", "kenta", "de", "luciamontes")  # fmt: skip
STREETS = ("Blumenstr.", "12a", "C/", "Peñón", "3", "bajo", "48005", "Hauptstraße", "SW1A 1AA", "1012 AB",
           "Ds.", "van", "den", "Boschstraat", "40", "bis", "Elmhirst", "Ave", "7.º", "P.zza", "0301", "B0M1B0")  # fmt: skip
SEPARATORS = st.sampled_from((" ", "-", ".", ", ", "_", "", "/", "  ", "'", "’", "+", "·"))


def mixed(words: tuple[str, ...]) -> st.SearchStrategy[str]:
    pair = st.tuples(st.sampled_from(words), SEPARATORS)
    cases = st.sampled_from((str, str.upper, str.lower, str.title))
    joined = st.lists(pair, min_size=1, max_size=5).map(lambda pairs: "".join(map("".join, pairs)))
    return st.builds(lambda text, case: case(text), joined, cases)


CODES = st.text(string.ascii_letters + string.digits + "-/. #:", min_size=1, max_size=24)
ANYTHING = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20)
# Numerals that are no decimal digits (², ¼, ⑴, Ⅷ), and letters beyond ASCII, beside both.
ODD = st.text(
    st.one_of(
        st.sampled_from("0123456789abXZ"), st.sampled_from("éÉøßÅłЖи山田"), st.sampled_from("-_./ :"),
        st.sampled_from("¹²³¼¾⁴₂⑴①⒈❶Ⅷⅷↂ〇㊿"), st.characters(categories=("No", "Nl")),
    ),
    min_size=1, max_size=8,
)  # fmt: skip
VALUES = st.one_of(
    mixed(NAMES), mixed(HANDLES), mixed(STREETS), CODES, ANYTHING, ODD,
    st.builds("https://a.example/?{}={}".format, ODD, ODD), st.builds("{}@a.example".format, ODD),
    st.builds("{}@{}.{}".format, mixed(HANDLES), mixed(HANDLES), st.sampled_from(("com", "co.uk", "es"))),
    st.from_regex(r"(\+|00|\(\+)?[1-9][0-9]{0,2}[ )/-]?[0-9() ./-]{4,14}( ?(ext|x)\.? ?[0-9]{1,4})?", fullmatch=True),
    st.from_regex(r"[A-Z]{2}[0-9]{2}( ?[A-Z0-9]{4}){3,6}", fullmatch=True),
    st.from_regex(r"[0-9]{1,4}[-./ ][0-9]{1,2}[-./ ][0-9]{1,4}", fullmatch=True),
    st.from_regex(r"[0-9]{1,2}(st|\.|º)? (de )?(March|marzo|März|mai|VII) (de )?[0-9]{4}", fullmatch=True),
    st.from_regex(r"https?://[a-z]{1,8}\.[a-z]{1,5}/[a-zA-Z0-9/_?=&-]{0,20}", fullmatch=True),
    st.ip_addresses().map(str),
)  # fmt: skip

EXAMPLES = int(os.environ.get("READ_BACK_EXAMPLES", "150"))


@pytest.mark.parametrize("entity", ENTITY_TYPES)
@given(text=VALUES)
@example("?0¹")
@example("?¼5")
@example("?1①/a²/Ⅷ9")
@example("?ñ8&é=ß4")
@example("?É-123/ÉLODIE_204")
@example("?BERNADETT-123")
@example("é12345")
@example("⑴12345")
@example("0b")
@example("0⑴")
@example("5ʼ")
@example("0ʼ")
@example("0山0Ø¼")
@example("ↇ¼0º-")
@example("¹7Z5’ʼ10")
@example("ÆZ49-𡉌reyes")
@example("0bß①ÉLODIEº")
@example("⒈ª956BERNHARDⅷ")
@example("Z'aZß6½:a")
@example("ÉLODIEↂ́6øß")
@example("e.Reyes")
@example("é.³")
@example("7Æ4ß0")
@example("?ⅷ=ł4")
@example("?0=Ⅿ")
@example("getSzőkeInvoice")
@settings(max_examples=EXAMPLES, deadline=None)
def test_a_surrogate_is_read_back_as_what_was_looked_up(entity: str, text: str) -> None:
    try:
        wanted = looked_up(entity, text)
    except Unwritable:
        return
    assert read_back(entity, surrogate(entity, text)) == wanted


@pytest.mark.parametrize("entity", ENTITY_TYPES)
@given(text=VALUES)
@settings(max_examples=60, deadline=None)
def test_family_and_norm_tell_the_space(entity: str, text: str) -> None:
    try:
        found = units(entity, text)
    except Unwritable:
        return
    for unit in found:
        again = {
            u.space for u in units(entity, text) if (u.family, u.norm) == (unit.family, unit.norm)
        }
        assert again == {unit.space}


@pytest.mark.parametrize("entity", ENTITY_TYPES)
@given(text=VALUES, counter=st.integers(1, 40))
@settings(max_examples=60, deadline=None)
def test_redrawn_surrogates_are_read_back_too(entity: str, text: str, counter: int) -> None:
    def lookup(unit):
        return draw(unit.space, unit_digest(unit), counter)

    try:
        wanted = [lookup(unit) for unit in units(entity, text)]
    except Unwritable:
        return
    assert [unit.norm for unit in units(entity, write(entity, text, ALONE, lookup))] == wanted


@pytest.mark.parametrize(
    "entity",
    [
        "OTHER_ID",
        "BANK_ACCOUNT",
        "PHONE_NUMBER",
        "NATIONAL_ID",
        "CREDIT_CARD",
        "PASSWORD",
        "USERNAME",
        "ADDRESS",
    ],
)
@given(number=st.integers(1, 10**18))
@example(10**11)
@settings(max_examples=60, deadline=None)
def test_a_json_number_stays_one_of_as_many_digits(entity: str, number: int) -> None:
    text = surrogate(entity, str(number))
    assert text.isdigit()
    assert len(text) == len(str(number))
    assert str(int(text)) == text


def test_the_lookup_of_the_tests_is_the_first_candidate() -> None:
    unit = units("PERSON", "Ana")[0]
    assert LOOKUP(unit) == draw(unit.space, unit_digest(unit), 0)


@pytest.mark.parametrize("text", ["⑴", "12 ⑴ Main St", "5² High Street"])
def test_digits_that_are_no_decimals_are_read_back(text: str) -> None:
    assert read_back("ADDRESS", surrogate("ADDRESS", text)) == looked_up("ADDRESS", text)
