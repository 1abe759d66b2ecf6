"""Umlauts and the letters that stand for them are one norm; few different names share it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubbers.surrogates import namebooks
from scrubbers.surrogates.people import name_unit
from scrubbers.surrogates.text import fold, fold_name
from tests.scrubbers.surrogates.lookup import looked_up, read_back, surrogate
from tests.scrubbers.surrogates.test_agreement import norms


@pytest.mark.parametrize(
    ("left", "right"),
    [("Jürgen Krüger", "Juergen Krueger"), ("Jürgen Krüger", "Jurgen KRUGER"), ("Åge Sørås", "Aage Soeraas"), ("Bjørn", "Bjoern"),
     ("Kjær", "Kjar"), ("Groß", "Gross"), ("Schäfer", "SCHAEFER"), ("Goethe", "Göthe"), ("Michael", "MICHAEL")],
)  # fmt: skip
def test_spellings_of_an_umlaut_share_a_unit(left: str, right: str) -> None:
    assert norms("PERSON", left) == norms("PERSON", right)


@pytest.mark.parametrize(
    "mail", ["juergen.krueger@web.example", "jurgen.kruger@web.example", "j.krueger@web.example"]
)
def test_a_mailbox_agrees_with_the_name(mail: str) -> None:
    given, surname = (fold_name(word) for word in surrogate("PERSON", "Jürgen Krüger").split())
    first, last = mail.partition("@")[0].split(".")
    made = [fold_name(word) for word in surrogate("EMAIL_ADDRESS", mail).split("@")[0].split(".")]
    assert made[1] == surname
    assert made[0] == given or len(first) == 1
    assert norms("PERSON", "Krüger") == norms("EMAIL_ADDRESS", last)


@pytest.mark.parametrize("name", ["Joel", "Michael", "Manuel", "Miguel", "Raoul", "Phoebe", "Aaron", "Ae", "Oe"])  # fmt: skip
def test_names_with_these_letters_are_read_back(name: str) -> None:
    assert read_back("PERSON", surrogate("PERSON", name)) == looked_up("PERSON", name)


@pytest.mark.parametrize("name", ["Krüger", "Krueger", "Schäfer", "Schröder", "Müller", "Mueller"])
def test_german_surnames_get_german_ones(name: str) -> None:
    assert name_unit(fold(name)).space.split(":")[2] == "de"


@given(st.text("aeoubs", min_size=1, max_size=9))
def test_the_norm_of_a_norm_is_itself(text: str) -> None:
    assert fold_name(fold_name(text)) == fold_name(text)


def test_few_names_of_the_lists_share_a_norm() -> None:
    spelled = {fold(name) for names in every_name() for name in names}
    latin = {name for name in spelled if re.fullmatch("[a-z]+", name)}
    assert len(latin) > 20_000
    assert len(latin) - len({fold_name(name) for name in latin}) < 110


def every_name() -> list[list[str]]:
    """All words of Faker's lists, before they are keyed by norm."""
    found = []
    for locale in sorted({name for names in namebooks.LOCALES.values() for name in names}):
        provider = namebooks.import_module(f"faker.providers.person.{locale}").Provider
        attributes = {name for group in (namebooks.GIVEN, namebooks.SURNAMES) for names in group.values() for name in names}  # fmt: skip
        found += [
            str(entry).replace("-", " ").split()
            for name in attributes
            for entry in names_of(provider, name)
        ]
    return found


def names_of(provider, attribute):
    entries = getattr(provider, attribute, ())
    return () if isinstance(entries, property) else entries
