import pytest

from scrubbers.not_names import is_ordinary, nowhere

NONE = [
    ("thanks\nend", "end"),
    ("seen Fri 3rd", "Fri"),
    ("due 12 Jan", "Jan"),
    ("in May 2025", "May"),
    ("UNITS 101-105", "UNITS"),
    ("Step 3 of it", "Step"),
    ("use Bayes' theorem", "Bayes"),
    ("Murphy's law", "Murphy"),
    ("the Turing test", "Turing"),
    ("el teorema de Bayes", "Bayes"),
    ("run Apache Kafka", "Kafka"),
    ("Jackson vs Gson", "Jackson"),
    ("Jackson vs. Gson", "Gson"),
    ("with Docker", "Docker"),
]
SOME = [
    ("kevin phoned", "kevin"),
    ("I met Jan on Friday", "Jan"),
    ("with May today", "May"),
    ("REYES 12345678", "REYES"),
    ("Reyes's test was late", "Reyes"),
    ("Mrs Reyes' disease", "Reyes"),
    ("the Reyes family", "Reyes"),
    ("Reyes, 40", "Reyes"),
]


def asked(text: str, word: str, *, agreed: bool = False) -> bool:
    start = text.index(word)
    return is_ordinary(text, start, start + len(word), agreed=agreed, odds=0.9)


@pytest.mark.parametrize(("text", "word"), NONE)
def test_ordinary_words(text: str, word: str) -> None:
    assert asked(text, word)


@pytest.mark.parametrize(("text", "word"), SOME)
def test_words_that_can_be_names(text: str, word: str) -> None:
    assert not asked(text, word)


def test_a_short_word_in_lower_case_needs_both_models() -> None:
    assert asked("and so bob said", "bob")
    assert not asked("and so bob said", "bob", agreed=True)


@pytest.mark.parametrize(
    "text", ["Kia ora", "dzień dobry", "Lorem ipsum dolor sit amet", "Selamat pagi"]
)
def test_fixed_phrases_are_no_names(text: str) -> None:
    assert nowhere(text) == [(0, len(text))]


def test_versus_stands_between_two_names_but_von_within_one() -> None:
    assert nowhere("Vogel v. Acme") == [(6, 8)]
    assert nowhere("Otto v. Vogel", german=True) == []
    assert nowhere("Otto v. d. Vogel") == []
