"""Pieces stand where their letters do, and their look is what a reader sees there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers

from scrubbers.tagger.card import HOME
from scrubbers.tagger.pieces import CASES, LOOKS, edges, read, tokenizer
from tests.scrubbers.tagger.small import pieces_of, reader

NO, FIRST, ALL, SOME = range(CASES)
GLUED, SPACE, LINE = range(3)


@pytest.mark.parametrize(
    ("text", "case"),
    [
        ("ana", NO),
        ("Ana", FIRST),
        ("ANA", ALL),
        ("A", FIRST),
        ("McCoy", SOME),
        ("aNa", SOME),
        ("42", NO),
        ("Émile", FIRST),
        ("ÖLANDS", ALL),
    ],
)
def test_letter_case(text: str, case: int) -> None:
    (look,) = pieces_of(text).looks
    assert look % CASES == case


def test_what_stands_before() -> None:
    gaps = pieces_of("one, two\nthree \n four").looks // CASES
    assert list(gaps) == [LINE, GLUED, SPACE, LINE, LINE]


def test_a_piece_that_takes_its_space_along_stands_at_its_letters() -> None:
    made = Tokenizer(models.WordLevel({"[UNK]": 0}, unk_token="[UNK]"))
    made.pre_tokenizer = pre_tokenizers.Split(" ", "merged_with_next")
    (found,) = read(made, ["so  Ana"])
    assert [(s, e) for s, e in zip(found.starts, found.ends, strict=True) if e > s] == [
        (0, 2),
        (4, 7),
    ]


@given(st.text(max_size=60))
def test_places_are_in_order_and_inside_whatever_the_text(text: str) -> None:
    for made in (reader(), tokenizer(HOME)):
        (found,) = read(made, [text])
        assert (found.starts >= 0).all()
        assert (found.starts <= found.ends).all()
        assert (found.ends <= len(text)).all()
        assert ((found.looks >= 0) & (found.looks < LOOKS)).all()
        dark = {i for i, char in enumerate(text) if char.isalnum() and char < "\u0250"}
        covered = {i for s, e in zip(found.starts, found.ends, strict=True) for i in range(s, e)}
        assert dark <= covered


@given(st.lists(st.text(max_size=30), max_size=4))
def test_texts_are_read_as_if_alone(texts: list[str]) -> None:
    made = tokenizer(HOME)
    together = [one.ids.tolist() for one in read(made, texts)]
    assert together == [read(made, [text])[0].ids.tolist() for text in texts]


def test_windows_begin_and_end_with_the_tokenizers_own_pieces() -> None:
    assert edges(reader()) == (0, 1)
    first, last = edges(tokenizer(HOME))
    assert first != last
    with pytest.raises(ValueError, match="begins a window"):
        edges(Tokenizer(models.WordLevel({"a": 0}, unk_token="a")))
