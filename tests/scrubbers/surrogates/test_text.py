"""Folding is idempotent, and the form of the old word is kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubbers.surrogates.text import digit_like, fold, like, refill


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@pytest.mark.parametrize(
    ("old", "new", "shown"),
    [("REYES", "López", "LOPEZ"), ("reyes", "López", "lopez"), ("Núñez", "López", "López"),
     ("NÚÑEZ", "López", "LÓPEZ"), ("Reyes", "McDonald", "McDonald"), ("A", "bo", "Bo")],
)  # fmt: skip
def test_case_and_alphabet_of_the_old_word(old: str, new: str, shown: str) -> None:
    assert like(old, new) == shown


def test_digits_keep_their_script() -> None:
    assert digit_like("４", "7") == "７"
    assert refill("tel ٤٢-1", "905") == "tel ٩٠-5"
