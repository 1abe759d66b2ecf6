"""What models took too much of beside a name that the record knows."""

import pytest

from scrubbers.finding import Finding
from scrubbers.known_names import without_neighbours

NAMES = "Mark Hunter, Paul Neumann, Pieter van der Meer, Peter Jones"


def left(text: str, *found: tuple[str, str]) -> list[tuple[str, str]]:
    known = [
        Finding(NAMES.index(one), NAMES.index(one) + len(one), "PERSON", 0.9, "rules")
        for one in NAMES.split(", ")
    ]
    marked = [
        Finding(text.index(part), text.index(part) + len(part), kind, 0.9, "onnx")
        for part, kind in found
    ]
    results = without_neighbours([NAMES, text], [known, marked])[1]
    return [(text[f.start : f.end], f.type) for f in sorted(results)]


@pytest.mark.parametrize(
    ("text", "found", "right"),
    [
        ("Let Hunter mark it", "Hunter mark", "Hunter"),
        ("Frau Neumanns Konto", "Neumanns Konto", "Neumanns"),
        ("The Joneses came", "Joneses", "Jones"),
        ("ask Hunter Mark", "Hunter Mark", "Hunter Mark"),
        ("ask Anna Jones", "Anna Jones", "Anna Jones"),
    ],
)
def test_a_word_beside_a_name_is_none_of_it(text: str, found: str, right: str) -> None:
    assert left(text, (found, "PERSON")) == [(right, "PERSON")]


def test_a_surname_keeps_its_particles_and_its_last_word() -> None:
    text = "De heer Van der Meer. Kerkstraat 5."
    assert left(text, ("Van der", "PERSON"), ("Meer. Kerkstraat 5", "ADDRESS")) == [
        ("Van der Meer", "PERSON"),
        ("Kerkstraat 5", "ADDRESS"),
    ]


def test_other_surnames_with_the_same_particles_stay() -> None:
    assert left("Jan van der Berg", ("Jan van der Berg", "PERSON")) == [
        ("Jan van der Berg", "PERSON")
    ]
