from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubbers.entities import BALANCED, ENTITY_TYPES
from scrubbers.finding import Finding
from scrubbers.overlaps import settle

TEXT = "Ana Reyes, 4 Elm Rise; ana.reyes@acme.example (Reyes & Sons Ltd) x" * 2

NUMBERS = {
    "PHONE_NUMBER", "CREDIT_CARD", "IBAN_CODE", "BANK_ACCOUNT", "DATE_OF_BIRTH", "IP_ADDRESS",
}  # fmt: skip


def found(start: int, end: int, kind: str, score: float = 0.8, by: str = "test") -> Finding:
    return Finding(start, end, kind, score, by)


findings = st.lists(
    st.builds(
        lambda start, size, kind, score, by: found(
            start, min(start + size, len(TEXT)), kind, score, by
        ),
        st.integers(0, len(TEXT) - 1),
        st.integers(1, 30),
        st.sampled_from(ENTITY_TYPES),
        st.floats(0, 1),
        st.sampled_from(["rules", "presidio", "tagger"]),
    ),
    max_size=12,
)


@given(findings)
def test_settled_findings_are_sorted_and_never_overlap(given_findings: list[Finding]) -> None:
    settled = settle(given_findings, TEXT)
    assert all(a.end <= b.start for a, b in pairwise(settled))


@given(findings)
def test_no_word_of_two_covered_letters_is_lost(given_findings: list[Finding]) -> None:
    """At most single characters and separators, and of a number what has no digit."""
    settled = settle(given_findings, TEXT)
    covered = {i for f in settled for i in range(f.start, f.end)}
    for f in given_findings:
        lost = "".join(TEXT[i] if i not in covered else "\0" for i in range(f.start, f.end))
        assert not any(_held(f.type, piece) for piece in lost.split("\0"))


def _held(kind: str, piece: str) -> bool:
    digits = any(map(str.isdecimal, piece))
    return sum(map(str.isalnum, piece)) >= 2 and (digits or kind not in NUMBERS)


@given(findings)
def test_settling_twice_changes_nothing_for_one_type(given_findings: list[Finding]) -> None:
    one_type = [found(f.start, f.end, "PERSON", f.score) for f in given_findings]
    once = settle(one_type, TEXT)
    assert settle(once, TEXT) == once


def test_a_structured_value_wins_over_a_surer_name_inside_it() -> None:
    mail = found(0, 22, "EMAIL_ADDRESS", 0.6)
    assert settle([mail, found(0, 3, "PERSON", 0.99)], "ana.reyes@acme.example") == [mail]


def test_a_type_that_is_kept_never_hides_one_that_is_replaced() -> None:
    number = found(0, 10, "PHONE_NUMBER", 0.5)
    assert settle([number, found(0, 10, "DATE_TIME", 0.9)], "0123456789") == [number]


def test_same_type_overlaps_become_their_union() -> None:
    merged = settle([found(0, 3, "PERSON", 0.4), found(2, 9, "PERSON", 0.9)], "Ana Reyes")
    assert [(f.start, f.end, f.score) for f in merged] == [(0, 9, 0.9)]


def test_what_a_loser_covers_beyond_the_winner_stays_found() -> None:
    settled = settle(
        [found(0, 8, "PHONE_NUMBER", 0.9), found(4, 14, "OTHER_ID", 0.5)], "0123456789abcd"
    )
    assert [(f.start, f.end, f.type) for f in settled] == [
        (0, 8, "PHONE_NUMBER"),
        (8, 14, "OTHER_ID"),
    ]
    assert all(f.type in BALANCED for f in settled)


def test_no_number_is_left_without_a_digit() -> None:
    text = "+44 20 7946 0958 both"
    rest = settle([found(0, 21, "PHONE_NUMBER", 0.5), found(0, 16, "OTHER_ID", 0.9)], text)
    assert [(f.start, f.end, f.type) for f in rest] == [(0, 16, "OTHER_ID")]


def test_digits_that_a_rule_knows_are_not_a_models() -> None:
    text = "order 884213"
    model = Finding(0, 12, "ADDRESS", 0.99, "onnx")
    rule = Finding(6, 12, "OTHER_ID", 0.85, "rules")
    assert [(f.start, f.type) for f in settle([model, rule], text)] == [
        (0, "ADDRESS"),
        (6, "OTHER_ID"),
    ]


IBAN = "DE89 3704 0044 0532 0130 00"


@pytest.mark.parametrize(
    ("text", "rule", "model", "settled"),
    [
        # a form and a check sum know better than any probability, wherever they stand
        (IBAN, (0, 27, "IBAN_CODE", 0.98), (0, 27, "OTHER_ID", 1.0), [(0, 27, "IBAN_CODE")]),
        (
            f"to {IBAN} now",
            (3, 30, "IBAN_CODE", 0.98),
            (0, 30, "SECRET", 1.0),
            [(0, 2, "SECRET"), (3, 30, "IBAN_CODE")],
        ),
        # a rule's kind of number, where a cue has told it
        ("884213", (0, 6, "MEDICAL_ID", 0.85), (0, 6, "PASSWORD", 1.0), [(0, 6, "MEDICAL_ID")]),
        # a number of no kind, and a kind
        ("884213", (0, 6, "OTHER_ID", 0.85), (0, 6, "NATIONAL_ID", 0.9), [(0, 6, "NATIONAL_ID")]),
        # what is longer, over a guess inside it
        (
            "12 Elm Rise 62704",
            (12, 17, "PHONE_NUMBER", 0.6),
            (0, 17, "ADDRESS", 0.9),
            [(0, 17, "ADDRESS")],
        ),
        # overlapping parts stay covered, whoever wins
        (
            "Ana Reyes 62704 Hull",
            (10, 20, "ADDRESS", 0.8),
            (0, 15, "PERSON", 0.9),
            [(0, 15, "PERSON"), (16, 20, "ADDRESS")],
        ),
    ],
)
def test_rules_and_the_tagger_settle_on_one_type(
    text: str,
    rule: tuple[int, int, str, float],
    model: tuple[int, int, str, float],
    settled: list[tuple[int, int, str]],
) -> None:
    done = settle([found(*rule, by="rules"), found(*model, by="tagger")], text)
    assert [(f.start, f.end, f.type) for f in done] == settled


def test_names_lose_the_function_words_at_their_edges() -> None:
    text = "I'm Margaret Ellison and"
    settled = settle([found(0, len(text), "PERSON")], text)
    assert [text[f.start : f.end] for f in settled] == ["Margaret Ellison"]


def test_a_surer_place_does_not_keep_the_name_in_it() -> None:
    text = "Ana Reyes Square"
    settled = settle([found(0, 16, "LOCATION", 0.95), found(0, 9, "PERSON", 0.4)], text)
    assert [(f.start, f.end, f.type) for f in settled] == [(0, 9, "PERSON"), (10, 16, "LOCATION")]
