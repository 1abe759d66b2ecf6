"""The model that ships: what it tells of a text does not depend on what is read with it."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubbers.tagger.card import checked
from scrubbers.tagger.labels import TYPES
from scrubbers.tagger.model import shipped
from scrubbers.tagger.pieces import LOOKS
from scrubbers.tagger.spans import Span

FILLER = "The parcel was sent on time and the invoice was paid in full last week. "
NAMED = "Please call Margaret Okonkwo about it. "
WEAK = 0.1


def alone(texts: list[str]) -> list[list[Span]]:
    return [shipped(WEAK)([text])[0] for text in texts]


def test_the_files_are_those_of_the_card() -> None:
    card = checked()
    assert set(card.floors) == set(TYPES)
    assert all(WEAK <= least < 1 for least in card.floors.values())
    assert card.temperature > 0


PARTS = (
    "Ana Reyes", "rang", "\n", "ana.reyes@mail.example", "4 Elm Rise,", "Hull", "+44 20 7946 0958",
    "der", "Kunde", "JSON", '{"a": 1}', "Größe", "2026-03-01", FILLER, "-", "王伟", "\u200b",
)  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(st.sampled_from(PARTS), max_size=12).map(" ".join), max_size=5))
def test_a_texts_spans_are_the_same_alone_and_in_any_company(texts: list[str]) -> None:
    expected = alone(texts)
    assert shipped(WEAK)(texts) == expected
    assert shipped(WEAK)(texts[::-1]) == expected[::-1]


@pytest.mark.parametrize("size", [3, 8, 17, 64, 129, 256])
def test_a_windows_bits_are_the_same_alone_and_in_any_company(size: int) -> None:
    model, rng = shipped(WEAK).model, np.random.default_rng(size)
    ids, looks = rng.integers(5, 9000, (5, size)), rng.integers(0, LOOKS, (5, size))
    alone = np.concatenate([model(ids[row : row + 1], looks[row : row + 1]) for row in range(5)])
    for rows in ([0, 1, 2, 3, 4], [4, 2, 0, 3, 1], [1, 1, 3]):
        assert (model(ids[rows], looks[rows]) == alone[rows]).all()


def test_long_sets_are_answered_part_by_part() -> None:
    texts = [f"{NAMED}{number}" for number in range(300)]
    assert shipped(WEAK)(texts)[255:258] == alone(texts[255:258])


@pytest.mark.parametrize("before", [0, 10, 13, 14, 15, 16, 17, 30])
def test_a_name_at_any_seam_is_found_once_and_whole(before: int) -> None:
    text = FILLER * before + NAMED + FILLER * 20
    found = [one for one in shipped()([text])[0] if one.type == "PERSON"]
    assert [text[one.start : one.end] for one in found] == ["Margaret Okonkwo"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Please call Margaret Okonkwo about the claim.", "Margaret Okonkwo"),
        ("Hola, me llamo Lucía Fernández y tengo una duda.", "Lucía Fernández"),
        ("Mein Name ist Jürgen Schröder, ich warte seit Montag.", "Jürgen Schröder"),
        ("Bonjour, je suis Hélène Lefebvre, cliente depuis 2019.", "Hélène Lefebvre"),
        ("Buongiorno, sono Giulia Bianchi e aspetto un pacco.", "Giulia Bianchi"),
        ("Goedemorgen, mijn naam is Pieter de Vries.", "Pieter de Vries"),
        ("Hej, jag heter Astrid Lindqvist och väntar på ett paket.", "Astrid Lindqvist"),
    ],
)
def test_plain_names_of_several_languages(text: str, name: str) -> None:
    (found,) = (one for one in shipped()([text])[0] if one.type == "PERSON")
    assert text[found.start : found.end] == name


def test_nothing_and_signs_alone_have_no_spans() -> None:
    assert shipped(WEAK)(["", "   ", "\n\n", "--- ... ***", "\u200b"]) == [[], [], [], [], []]


def test_another_process_tells_the_same() -> None:
    code = (
        "import sys; from scrubbers.tagger.model import shipped; "
        f"print(shipped({WEAK})([{NAMED!r}])[0])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(alone([NAMED])[0])
