"""A word that stands for a component of another name of its record, where exactly one name fits."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from scrubbers.surrogates.context import Value, contexts, lone_names
from scrubbers.surrogates.lists import name_norm
from scrubbers.surrogates.normal import units
from scrubbers.surrogates.text import fold
from scrubbers.surrogates.write import write
from tests.scrubbers.surrogates.lookup import LOOKUP
from tests.scrubbers.surrogates.people_made import Made, names_in, people


def values(*texts: str) -> list[Value]:
    kinds = {"@": "USERNAME", "<": "EMAIL_ADDRESS"}
    return [
        Value(kinds[text[0]], text[text[0] == "<" :]) if text[0] in kinds else Value("PERSON", text)
        for text in texts
    ]


def meant(*texts: str, language: str = "en") -> list[list[str]]:
    """The norms of each value's units in the record that they make up."""
    row = values(*texts)
    told = contexts(row, language)
    return [[u.norm for u in units(v.entity, v.text, c)] for v, c in zip(row, told, strict=True)]


def written(*texts: str, language: str = "en") -> list[str]:
    row = values(*texts)
    told = contexts(row, language)
    return [write(v.entity, v.text, c, LOOKUP) for v, c in zip(row, told, strict=True)]


@pytest.mark.parametrize(
    ("full", "form", "wanted"),
    [
        ("Ana Reyes", "A. Reyes", ["ana", "reyes"]),
        ("Okonkwo, Chioma", "C.O.", ["chioma", "okonkwo"]),
        ("Lin Wei", "W.L.", ["wei", "lin"]),
        ("Niamh O'Dowd-Farsi", "N.O'D.-F.", ["niamh", "odowd", "farsi"]),
        ("Bérénice de La Tour", "B. de L. T.", ["berenice", "tour"]),
        ("Rose-May Aubry", "R.-M. Aubry", ["rose", "may", "aubry"]),
        ("José de Ribamar dos Anjos", "Jose R. Anjos", ["jose", "ribamar", "anjos"]),
        ("Mécia de Noronha e Castro", "MÉCIA DE NORONHA E CASTRO", ["mecia", "noronha", "castro"]),
        ("Thandiwe Ndlovu", "Thandi", ["thandiwe"]),
        ("Ezequiel Ferrari", "Eze", ["ezequiel"]),
        ("Rosemarie Huber", "Rosi", ["rosemarie"]),
        ("Pierre Lacombe", "Pierrot", ["pierre"]),
        ("Francesca Zanetti", "Fran Zanetti", ["francesca", "zanetti"]),
        ("John Freddy Marulanda", "Jhon Freddy", ["john", "freddy"]),
        ("Ester Robichaux", "Robicheaux", ["robichaux"]),
        ("Waltraud Geraul", "Gerau1", ["geraul"]),
        ("Anne Marie Delacroix", "Annemarie Delacroix", ["anne", "marie", "delacroix"]),
        ("Nurul Huda Rahman", "Nurulhuda", ["nurul", "huda"]),
        ("Tilman Fuchs", "Tilmans", ["tilman"]),
        ("Ana Reyes", "<areyes@web.example", ["ana", "reyes"]),
        ("Rebecca Strand-Mbeki", "<bex.strandmbeki@web.example", ["bex", "strand", "mbeki"]),
        ("Annelies van der Zwaag", "<a.vanderzwaag@web.example", ["annelies", "zwag"]),
        ("Rose-May Saint-Aubry", "<rosemay.staubry@web.example", ["rose", "may", "aubry"]),
        ("Hans-Peter von Ostrau", "<hp.vonostrau@web.example", ["hans", "peter", "ostrau"]),
        ("Pilar Sá Moreira", "<pilarsm@web.example", ["pilar", "sa", "moreira"]),
        ("Anna-Lena Wolf", "<wolfannalena@web.example", ["wolf", "anna", "lena"]),
        ("Joséphine Dupuis-Martel", "@jdupuis-martel", ["josephine", "dupuis", "martel"]),
        ("Kerstin Großmann", "@KGROSSMANN", ["kerstin", "grossmann"]),
    ],
)  # fmt: skip
def test_a_form_has_the_units_of_the_name(full: str, form: str, wanted: list[str]) -> None:
    found = meant(full, form)[1]
    assert [norm for norm in found if not norm.endswith(".example")] == wanted


@pytest.mark.parametrize(
    ("record", "language"),
    [
        (("Jan Kowalski", "Kowalskiego"), "pl"),
        (("Anna Nowak", "Anny Nowak"), "pl"),
        (("Иван Петров", "Ивана Петрова"), "ru"),
        (("Мария Петрова", "Марии"), "ru"),
    ],
)
def test_a_case_has_the_units_of_the_name(record: tuple[str, str], language: str) -> None:
    full, form = meant(*record, language=language)
    assert set(form) <= set(full)


@pytest.mark.parametrize(
    "record",
    [
        ("Ana Reyes", "Alberto Reyes", "A. Reyes"),
        ("Marie Dupont", "Maria Conti"),
        ("Ana Reyes", "Anna Berg"),
        ("Mario Rossi", "Maria"),
        ("Martin Weiss", "Martina"),
        ("Martina Weiss", "Martin"),
        ("Max Huber", "Maximilian Berg", "Max Berger"),
        ("Carla Berg", "Carl"),
        ("Anna Klein", "Anna Kleinert"),
        ("Jayden Smith", "Kayden Smith"),
        ("Ana Reyes", "Tobias"),
        ("Ana Reyes", "J. Smith"),
        ("Maximilian Berg", "Maxwell Stone", "Max"),
        ("Rebecca Strand", "Bex"),
    ],
)
def test_what_fits_none_or_several_stands_for_itself(record: tuple[str, ...]) -> None:
    row = values(*record)
    assert not any(context.stands_for for context in contexts(row, "en"))


def test_surrogates_are_written_as_the_form_stood() -> None:
    full, initial, initials, short, low = written(
        "Francesca Zanetti", "F. Zanetti", "F.Z.", "Fran", "fran"
    )
    given, surname = full.split()
    assert initial == f"{given[0]}. {surname}"
    assert initials == f"{given[0]}.{surname[0]}."
    assert given.startswith(short)
    assert low == short.lower()
    assert len(short) in (3, 4, len(given))


def test_a_slip_is_written_right_and_a_spelled_name_spelled() -> None:
    full, slip, misread, spelled = written("Jane Telford", "Telfrod", "Te1ford", "T-E-L-F-O-R-D")
    surname = full.split()[1]
    assert slip == misread == surname
    assert spelled == "-".join(surname.upper())


def test_the_account_of_a_name_is_made_of_its_surrogate() -> None:
    full, mail, user = written(
        "Kerstin Großmann-Vega", "<k.grossmannvega@web.example", "@KGROSSMANN"
    )
    given, one, two = (fold(part) for part in full.replace("-", " ").split())
    assert mail.startswith(f"{given[0]}.{one}{two}@")
    assert user == f"@{given[0]}{one}".upper()


def test_single_names_that_share_nothing_are_counted() -> None:
    row = values("Rebecca Strand-Mbeki", "Bex", "Strand", "R. Strand", "Tobias")
    assert lone_names(row, contexts(row)) == 2
    assert lone_names(values("Bex"), contexts(values("Bex"))) == 0


def shortened(person: Made) -> list[tuple[str, str]]:
    """(form, the component that it stands for)."""
    given, surname = person.given[0], person.surnames[0]
    made = [(f"{given[0]}. {person.surname}", given), (given[: len(given) - 2], given)]
    if len(surname) > 6:
        made.append((surname[:3] + surname[4:], surname))
        made.append((surname[:2] + surname[3] + surname[2] + surname[4:], surname))
    return made


@given(st.lists(people(), min_size=1, max_size=4), st.data())
@settings(max_examples=150, deadline=None)
def test_an_alias_means_the_one_it_was_made_of_or_itself(
    row: list[Made], data: st.DataObject
) -> None:
    norms = [norm for person in row for norm in person.norms]
    assume(len(set(norms)) == len(norms))
    form, source = data.draw(st.sampled_from(shortened(data.draw(st.sampled_from(row)))))
    alone = names_in("PERSON", form)
    assume((len(form) > 2 and not set(alone) & set(norms) - {name_norm(source)}) or "." in form)
    texts = [person.full for person in row]
    found = [n for n in meant(*texts, form)[-1] if len(n) > 1]
    assert set(found) <= {*alone, *norms}
    fitting = {n for n in found if n in norms and n not in alone}
    assert fitting <= {name_norm(source)} or not name_norm(source).startswith(fold(form)[:3])


@given(st.lists(people(), min_size=1, max_size=3))
@settings(max_examples=100, deadline=None)
def test_the_order_of_values_tells_nothing(row: list[Made]) -> None:
    texts = [text for p in row for text in (p.full, f"{p.given[0][0]}. {p.surname}", p.given[0])]
    forward = dict(zip(texts, meant(*texts), strict=True))
    back = dict(zip(texts[::-1], meant(*texts[::-1]), strict=True))
    assert forward == back


@given(people(), st.data())
@settings(max_examples=100, deadline=None)
def test_an_alias_is_read_back_in_the_new_record(person: Made, data: st.DataObject) -> None:
    form, _ = data.draw(st.sampled_from(shortened(person)))
    row = values(person.full, form)
    told = contexts(row, "en")
    made = [write(v.entity, v.text, c, LOOKUP) for v, c in zip(row, told, strict=True)]
    wanted = [LOOKUP(u) for v, c in zip(row, told, strict=True) for u in units(v.entity, v.text, c)]
    assume(len(set(wanted[: len(person.norms)])) == len(set(person.norms)))
    again = [norm for found in meant(*made) for norm in found]
    assert again == wanted
