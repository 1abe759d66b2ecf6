"""Full names inside identifiers and handles, with initials, and in the plural."""

import pytest

from scrubbers.finding import Finding
from scrubbers.glued_names import with_glued

FIRST = "I am {}."


def added(name: str, text: str, *more: Finding) -> list[tuple[str, str]]:
    first = FIRST.format(name)
    known = Finding(5, 5 + len(name), "PERSON", 0.9, "rules")
    found = with_glued([first, text], [[known], list(more)])[1]
    return [(text[f.start : f.end], f.type) for f in sorted(found)]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("Maria Keller", "https://linkedin.com/in/mariakeller", ("mariakeller", "USERNAME")),
        ("Maria Keller", "getMariaKellerReport()", ("MariaKeller", "PERSON")),
        ("Lena Fischer", "class LenaFischerClient:", ("LenaFischer", "PERSON")),
        ("Lena Fischer", "lena_fischer_2024.csv", ("lena_fischer", "PERSON")),
        ("Lena Fischer", "see lena-fischer-backup.zip", ("lena-fischer", "PERSON")),
        ("Lena Fischer", "LENA_FISCHER_TOKEN=1", ("LENA_FISCHER", "PERSON")),
        ("Lena Fischer", "fischer_lena.pdf", ("fischer_lena", "PERSON")),
        ("Ana Reyes", "/users/ana-reyes?owner=1", ("ana-reyes", "USERNAME")),
        ("Ana Reyes", "to ana%2Ereyes", ("ana%2Ereyes", "PERSON")),
        ("Paul Neumann", "login pneumann", ("pneumann", "USERNAME")),
        ("Paul Neumann", "as neumannp", ("neumannp", "USERNAME")),
        ("Paul Neumann", "pneumann2 wrote", ("pneumann", "USERNAME")),
        ("Sean O'Brien", "sobrien", ("sobrien", "USERNAME")),
        ("Sam Miller", "username smiller", ("smiller", "USERNAME")),
        ("Jean-Paul Dupont", "jpdupont", ("jpdupont", "USERNAME")),
        ("Thomas Müller", "th.mueller", ("th.mueller", "USERNAME")),
        ("Pieter van der Meer", "pvandermeer", ("pvandermeer", "USERNAME")),
        ("Pieter van der Meer", "new PieterVanDerMeer()", ("PieterVanDerMeer", "PERSON")),
        ("Ana García López", "garcia-lopez-ana.docx", ("garcia-lopez-ana", "PERSON")),
        ("Tom Baker", "We met the Bakers.", ("Bakers", "PERSON")),
        ("Tom Baker", "Bakers' house", ("Bakers", "PERSON")),
        ("Petra Novak", "The Novaks.", ("Novaks", "PERSON")),
        ("Peter Jones", "The Joneses", ("Jones", "PERSON")),
        ("Ana Reyes", "A. Reyes signed", ("A. Reyes", "PERSON")),
    ],
)
def test_a_known_name_is_one_span(name: str, text: str, found: tuple[str, str]) -> None:
    assert added(name, text) == [found]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Ana Reyes", "Anagram, banana, montanareyes"),
        ("Sarah Hill", "a chill; hills and uphill; shill"),
        ("Ana Head", "we went ahead"),
        ("Tom Baker", "bread of the bakers. Bakers sell it. tbakers"),
        ("Paul Neumann", "qneumann and Gneumannin"),
        ("Will Power", "use powerw"),
        ("Robin Hood", "our neighbourhood"),
    ],
)
def test_ordinary_words_are_no_names(name: str, text: str) -> None:
    assert added(name, text) == []


@pytest.mark.parametrize(
    ("name", "text", "surname", "whole"),
    [
        ("Ana Reyes", "A. Reyes signed", "Reyes", "A. Reyes"),
        ("Ana Reyes", "Q. Reyes signed", "Reyes", "Q. Reyes"),
        ("Ana Reyes", "Reyes A. signed", "Reyes", "Reyes A."),
        ("Jean-Paul Dupont", "J.-P. Dupont", "Dupont", "J.-P. Dupont"),
        ("Pieter van der Meer", "P. van der Meer", "van der Meer", "P. van der Meer"),
        ("Ana García López", "A. García López", "García López", "A. García López"),
        ("Lena Fischer", "Plan B. Fischer agreed", "Fischer", "Fischer"),
        ("Lena Fischer", "L Fischer", "Fischer", "L Fischer"),
        ("Anna Fischer", "What A Fischer", "Fischer", "Fischer"),
        ("Lena Fischer", "A. Fischermann", "Fischermann", "Fischermann"),
    ],
)
def test_initials_belong_to_a_known_surname(name: str, text: str, surname: str, whole: str) -> None:
    start = text.index(surname)
    found = Finding(start, start + len(surname), "PERSON", 0.8, "onnx")
    assert added(name, text, found) == [(whole, "PERSON")]


def test_a_single_m_is_monsieur_in_french() -> None:
    texts = ["Je suis Ana Vallet.", "pour M. Vallet"]
    known = [Finding(8, 18, "PERSON", 0.9, "rules")], [Finding(8, 14, "PERSON", 0.8, "onnx")]
    assert with_glued(texts, known, ["fr", "fr"])[1] == known[1]
    assert with_glued(texts, known, ["en", "en"])[1][0].start == 5


def test_a_name_takes_the_place_of_its_halves_and_of_a_file_name() -> None:
    text = "lena-fischer-2024.zip"
    half = Finding(0, 4, "PERSON", 0.8, "propagate")
    file = Finding(0, len(text), "OTHER_ID", 0.8, "rules")
    assert added("Lena Fischer", text, half) == [("lena-fischer", "PERSON")]
    assert added("Lena Fischer", text, file) == [("lena-fischer", "PERSON")]


def test_what_is_an_address_or_number_with_a_name_in_it_stays_one() -> None:
    text = "lena.fischer@acme.example LENA-FISCHER-88123456"
    mail = Finding(0, 25, "EMAIL_ADDRESS", 0.9, "rules")
    code = Finding(26, len(text), "OTHER_ID", 0.9, "rules")
    assert added("Lena Fischer", text, mail, code) == [
        ("lena.fischer@acme.example", "EMAIL_ADDRESS"),
        ("LENA-FISCHER-88123456", "OTHER_ID"),
    ]
