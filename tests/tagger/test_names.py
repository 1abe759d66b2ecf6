"""Names: forms of one person, cases, Latin letters."""

import random

import pytest

from tagger import nameforms
from tagger.inflect import inflected, possessive
from tagger.namelists import ORIGINS, book, native_name
from tagger.names import HOME, NEAR, Person, person
from tagger.romanise import romanised
from tagger.slots import LANGUAGES

ANNA = Person("f", "Anna", "M.", "Reyes", "Soto", "", "Ani", "es", "western")


@pytest.mark.parametrize(
    ("word", "case", "language", "gender", "form"),
    [
        ("Anna", "gen", "pl", "f", "Anny"), ("Marek", "gen", "pl", "m", "Marka"),
        ("Kowalski", "ins", "pl", "m", "Kowalskim"), ("Kowalska", "dat", "pl", "f", "Kowalskiej"),
        ("Nowak", "gen", "pl", "f", "Nowak"), ("Virtanen", "gen", "fi", "m", "Virtasen"),
        ("Matti", "gen", "fi", "m", "Matin"), ("Maria", "gen", "ro", "f", "Mariei"),
        ("Hans", "gen", "de", "m", "Hans'"), ("Anna", "gen", "nl", "f", "Anna's"),
        ("Erik", "gen", "sv", "m", "Eriks"), ("Ana", "gen", "es", "f", "Ana"),
    ],
)  # fmt: skip
def test_cases(word, case, language, gender, form):
    assert inflected(word, case, language, gender) == form


def test_english_possessive_stays_outside_the_name():
    assert possessive([("Anna", "PERSON")], "en", "f") == [("Anna", "PERSON"), ("'s", None)]
    assert possessive([("Anna", "PERSON")], "de", "f") == [("Annas", "PERSON")]


def test_forms_of_one_name():
    rng = random.Random(1)
    assert nameforms.full(ANNA) == "Anna M. Reyes Soto"
    assert nameforms.titled(ANNA, "en", rng)[1][0] in ("Reyes", "Reyes Soto", "Anna")
    assert nameforms.ascii_name("Müller-Øst ß") == "muller-ostss"
    shown = {nameforms.last_first(ANNA, random.Random(i)).casefold() for i in range(30)}
    assert "reyes soto, anna" in shown


@pytest.mark.parametrize(
    ("name", "latin"),
    [("Щербаков", "Shcherbakov"), ("Αγγέλου", "Angelou"), ("Zoë", "Zoë"), ("明美", "")],
)
def test_other_scripts_in_latin_letters(name, latin):
    assert romanised(name) == latin


def test_every_origin_has_names_and_every_language_people():
    for origin in ORIGINS:
        assert all(book(origin).given.values()), origin
    assert set(NEAR) == set(LANGUAGES)
    for country in HOME:
        rng = random.Random(country)
        for _ in range(30):
            who = person(rng, "en", country)
            assert who.given
            assert who.surname


def test_names_in_their_own_script():
    assert any(ord(char) > 0x370 for char in native_name(random.Random(4)))
