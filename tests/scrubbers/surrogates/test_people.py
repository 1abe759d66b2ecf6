"""All forms of a person's name agree by construction; the surrogate keeps what can be kept."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings

from scrubbers.surrogates import lists
from scrubbers.surrogates.components import name_unit
from scrubbers.surrogates.draw import draw
from scrubbers.surrogates.lists import name_norm
from scrubbers.surrogates.normal import units
from scrubbers.surrogates.overlap import first_counter
from scrubbers.surrogates.text import fold
from tests.scrubbers.surrogates.lookup import LOOKUP, looked_up, read_back, surrogate, unit_digest
from tests.scrubbers.surrogates.people_made import Made, forms, names_in, people


@given(people())
@settings(max_examples=150, deadline=None)
def test_all_forms_of_a_name_have_its_components(person: Made) -> None:
    for what, (entity, text) in forms(person).items():
        assert names_in(entity, text) == person.norms, what


@given(people())
@settings(max_examples=100, deadline=None)
def test_the_surrogates_of_all_forms_are_read_back(person: Made) -> None:
    for entity, text in forms(person).values():
        assert read_back(entity, surrogate(entity, text)) == looked_up(entity, text)


@given(people(), people())
@settings(max_examples=100, deadline=None)
def test_different_people_differ(one: Made, other: Made) -> None:
    shared = set(one.norms) & set(other.norms)
    assert set(names_in("PERSON", one.full)) & set(names_in("PERSON", other.full)) == shared


@given(people())
@settings(max_examples=100, deadline=None)
def test_a_surrogate_has_as_many_words_and_the_same_particles(person: Made) -> None:
    made = surrogate("PERSON", person.full)
    assert len(re.split("[ -]", made)) == len(re.split("[ -]", person.full))
    assert [w for w in made.split() if w.islower()] == [
        w for w in person.full.split() if w.islower()
    ]


@given(people())
@settings(max_examples=100, deadline=None)
def test_no_surrogate_holds_a_component_or_begins_alike(person: Made) -> None:
    for unit in units("PERSON", person.full):
        digest = unit_digest(unit)
        norm = draw(unit.space, digest, first_counter(unit, digest))
        assert unit.norm not in norm
        assert norm[0] != unit.norm[0]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Maximilian Freiherr v. d. Tann", ["maximilian", "tann"]),
        ("Max von der Tann", ["max", "tann"]),
        ("Van 't Hoff", ["hoff"]),
        ("Faisal bin Rashid al-Harthy", ["faisal", "harthy", "rashid"]),
        ("Nurul binti Ahmad", ["ahmad", "nurul"]),
        ("Deborah St. Clair", ["clair", "deborah"]),
        ("Rose Saint-Aubin", ["aubin", "rose"]),
        ("Nicoletta d'Ambrosi", ["dambrosi", "nicoletta"]),
        ("NICOLETTA D’AMBROSI", ["dambrosi", "nicoletta"]),
        ("Friederike Graf", ["friederike", "graf"]),
        ("Niamh O'Dowd-Farsi", ["farsi", "niamh", "odowd"]),
        ("Mr. Ben Carter", ["ben", "carter"]),
        ("Zine Ben Salah", ["salah", "zine"]),
        ("Eskil\u200bHaugland", ["eskil", "haugland"]),
        ('Ngozi \\"Zee\\" O\'Halloran', ["ngozi", "ohalloran", "zee"]),
        ("Wa1traud K1ein", ["klein", "waltraud"]),
        ("Ma|te Te1ford", ["malte", "telford"]),
        ("r o b i c h a u x", ["robichaux"]),
        ("A-N-A R-E-Y-E-S", ["ana", "reyes"]),
        ("Lena R-E-Y-E-S", ["lena", "reyes"]),
        ("Bego\\u00f1a N\\u00fa\\u00f1ez", ["begona", "nunez"]),
    ],
)  # fmt: skip
def test_components(text: str, wanted: list[str]) -> None:
    assert names_in("PERSON", text) == wanted


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("r o b i c h a u x", r"[a-z]( [a-z]){3,}"),
        ("R-E-Y-E-S", r"[A-Z](-[A-Z]){2,}"),
        ("Maximilian Freiherr v. d. Tann", r"[A-Z]\w+ Freiherr v\. d\. [A-Z]\w+"),
        ("B.Th. Visser", r"[A-Z]\.[A-Z][a-z]\. [A-Z]\w+"),
        ("getAnaReyesInvoice", r"get[A-Z][a-z]+[A-Z][a-z]+Invoice"),
        ("Te1ford", r"[A-Z][a-z]+"),
    ],
)
def test_written_forms(text: str, pattern: str) -> None:
    entity = "USERNAME" if text.startswith("get") else "PERSON"
    assert re.fullmatch(pattern, surrogate(entity, text))


@pytest.mark.parametrize(
    ("man", "woman", "ending"),
    [("Jan Kowalski", "Anna Kowalska", ("ski", "ska")), ("Иван Петров", "Анна Петрова", ("ов", "ова"))],
)  # fmt: skip
def test_a_surname_keeps_its_gender_and_its_family(
    man: str, woman: str, ending: tuple[str, str]
) -> None:
    his, hers = (surrogate("PERSON", name).split()[1] for name in (man, woman))
    assert name_norm(his) == name_norm(hers)
    assert fold(hers) != fold(his)
    assert units("PERSON", man)[1] == units("PERSON", woman)[1]


@pytest.mark.parametrize("name", ["Ewa", "Katarzyna", "Bartholomew", "Lu", "李", "王小明"])
def test_lengths_stay_close(name: str) -> None:
    sizes = []
    for counter in range(8):
        for unit in units("PERSON", name):
            norm = draw(unit.space, unit_digest(unit), counter)
            sizes.append(abs(len(norm) - len(unit.norm)))
    assert max(sizes) <= 4
    assert sum(sizes) / len(sizes) < 2.5


@pytest.mark.parametrize("name", ["Thandiwe", "Marijke", "Katarzyna", "Giulia"])
def test_women_stay_women(name: str) -> None:
    unit = name_unit(fold(name))
    assert unit.space.split(":")[3] == "f"
    assert "f" in lists.given_genders(LOOKUP(unit))


@pytest.mark.parametrize(
    ("form", "full", "honorific"),
    [("山田さん", "山田太郎", "さん"), ("大野様", "大野健一", "様"), ("王女士", "王小明", "女士"),
     ("王先生", "王小明", "先生"), ("김민수님", "김민수", "님"), ("김 선생님", "김민수", " 선생님")],
)  # fmt: skip
def test_what_is_written_behind_a_name_stays(form: str, full: str, honorific: str) -> None:
    made, whole = surrogate("PERSON", form), surrogate("PERSON", full)
    assert made.endswith(honorific)
    assert whole.startswith(made.removesuffix(honorific))
    assert (len(made), len(whole)) == (len(form), len(full))


@pytest.mark.parametrize(
    ("name", "form", "endings"),
    [("Иван Петров", "Ивану Петрову", r"\w+[ую] \w+ву"),
     ("Анна Иванова", "Анной Ивановой", r"\w+[ое]й \w+вой"),
     ("Олександр", "Олександру", r"\w+[ую]"), ("Чайковский", "Чайковская", r"\w+ая|\w+ва")],
)  # fmt: skip
def test_a_case_has_the_units_of_the_name(name: str, form: str, endings: str) -> None:
    assert units("PERSON", form) == units("PERSON", name)
    assert re.fullmatch(endings, surrogate("PERSON", form))
    assert read_back("PERSON", surrogate("PERSON", form)) == looked_up("PERSON", name)


@pytest.mark.parametrize(
    ("name", "languages", "gender"),
    [("José", "es pt", "m"), ("María", "es pt it", "f"), ("Jean", "fr", "m"), ("Pierre", "fr", "m"),
     ("Simone", "it", "m"), ("Nicola", "it", "m"), ("Emily", "en", "f"), ("Femke", "nl", "f"),
     ("João", "pt", "m"), ("Beatriz", "pt es", "f"), ("Ana", "pt es", "f"), ("Michael", "de en", "m")],
)  # fmt: skip
def test_a_given_name_is_at_home_where_most_have_it(name: str, languages: str, gender: str) -> None:
    kind, home, its, _ = name_unit(fold(name)).space.removeprefix("name:").split(":")
    assert (kind, its) == ("given", gender)
    assert home in languages.split()


def test_both_parts_of_a_polish_name_in_a_case_are_replaced() -> None:
    made = surrogate("PERSON", "Krzysztofa Wójcika").split()
    assert len(made) == 2
    assert not {"Krzysztofa", "Wójcika"} & set(made)
