"""The model's answers as spans: whole words, one type each, at or above the type's floor."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubbers.tagger.labels import LABELS
from scrubbers.tagger.pieces import Pieces
from scrubbers.tagger.spans import spans
from tests.scrubbers.tagger.small import FLOORS, pieces_of, told

Told = dict[str, tuple[str, float]]


def found(text: str, labels: Told, weak: float = 1.0) -> list[tuple[str, str]]:
    pieces = pieces_of(text)
    done = spans(text, pieces, told(text, pieces, labels), FLOORS, weak)
    return [(one.type, text[one.start : one.end]) for one in done]


B, I = ("B-PERSON", 0.9), ("I-PERSON", 0.9)  # noqa: E741  the labels' own letters


@pytest.mark.parametrize(
    ("text", "labels", "expected"),
    [
        ("so Ana Reyes rang", {"Ana": B, "Reyes": I}, [("PERSON", "Ana Reyes")]),
        ("so Ana Reyes rang", {"Ana": B, "Reyes": B}, [("PERSON", "Ana"), ("PERSON", "Reyes")]),
        ("Ana or Eva", {"Ana": B, "Eva": I}, [("PERSON", "Ana"), ("PERSON", "Eva")]),
        ("Ana Hull", {"Ana": B, "Hull": ("I-LOCATION", 0.9)},
         [("PERSON", "Ana"), ("LOCATION", "Hull")]),
        ("Ana Reyes", {"Ana": B, "Reyes": ("I-PERSON", 0.4)}, [("PERSON", "Ana")]),
        ("call Ana's", {"Ana": B, "'": I, "s": I}, [("PERSON", "Ana")]),
        ('("Ana")', {'"': B, "Ana": I}, [("PERSON", "Ana")]),
        ("hm ...", {".": ("B-SECRET", 0.9)}, []),
        ("key a-b!", {"a": ("B-SECRET", 0.9), "-": ("I-SECRET", 0.9), "b": ("I-SECRET", 0.9),
         "!": ("I-SECRET", 0.9)}, [("SECRET", "a-b!")]),
    ],
)  # fmt: skip
def test_words_become_spans(text: str, labels: Told, expected: list[tuple[str, str]]) -> None:
    assert found(text, labels) == expected


def test_pieces_of_a_word_count_by_their_letters() -> None:
    """Four of five letters are sure of a name; of another word one of five."""
    text = "Reyes"
    for size, expected in ((4, [(0, 5)]), (1, [])):
        pieces = Pieces(
            np.array([2, 2]), np.array([0, 0]), np.array([0, size]), np.array([size, 5])
        )
        answer = np.full((2, len(LABELS)), np.log(1e-9), np.float32)
        answer[0, LABELS.index("B-PERSON")] = answer[1, 0] = 0.0
        done = spans(text, pieces, answer, FLOORS)
        assert [(one.start, one.end) for one in done] == expected


def test_what_is_weaker_than_its_floor_stands_alone_where_it_is_asked_for() -> None:
    labels: Told = {"Ana": B, "Reyes": ("I-PERSON", 0.3), "Vance": ("I-PERSON", 0.2)}
    text = "Ana Reyes Vance"
    assert found(text, labels) == [("PERSON", "Ana")]
    assert found(text, labels, 0.25) == [("PERSON", "Ana"), ("PERSON", "Reyes")]
    assert found(text, labels, 0.1) == [("PERSON", "Ana"), ("PERSON", "Reyes Vance")]


def test_a_word_between_two_types_is_found_when_their_shares_together_suffice() -> None:
    text = "Reyes"
    pieces = pieces_of(text)
    answer = np.full((1, len(LABELS)), np.log(1e-9), np.float32)
    for label, share in (("O", 0.3), ("B-PERSON", 0.4), ("B-LOCATION", 0.3)):
        answer[0, LABELS.index(label)] = np.log(share)
    (one,) = spans(text, pieces, answer, FLOORS)
    assert one.type == "PERSON"
    assert one.score == pytest.approx(0.7, abs=1e-3)


@given(
    st.lists(st.sampled_from(["Ana", "Reyes", "-", "'s", "12", "a.b", "\n", "  ", "Ö", "\u200b"])),
    st.data(),
)
def test_spans_are_in_order_and_hold_something_whatever_the_answer(
    words: list[str], data: st.DataObject
) -> None:
    text = " ".join(words)
    pieces = pieces_of(text)
    shape = (len(pieces.ids), len(LABELS))
    seed = data.draw(st.integers(0, 2**16))
    answer = np.random.default_rng(seed).normal(0, 3, shape).astype(np.float32)
    done = spans(text, pieces, answer, FLOORS, 0.2)
    assert all(a.end <= b.start for a, b in pairwise(done))
    for one in done:
        assert any(map(str.isalnum, text[one.start : one.end]))
        assert 0.2 <= one.score <= 1.0001
