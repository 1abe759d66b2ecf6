"""The ends of known numbers, in words, behind masks and under keys."""

from __future__ import annotations

import pytest

from scrubbers.detect import DetectorSettings, build
from scrubbers.finding import Finding
from scrubbers.jsontext import leaves
from scrubbers.passage import Passage
from scrubbers.record_scan import scan_records
from scrubbers.tail_search import tail_findings

CARD = "4539 1488 0343 6467"


def found(text: str, label: str = "", known: str = CARD, kind: str = "CREDIT_CARD") -> list[str]:
    """Types and texts of the ends found in `text` beside a known number."""
    whole = Passage(known, "en")
    told = tail_findings(
        [whole, Passage(text, "en", label)], [[Finding(0, len(known), kind, 1.0, "rules")], []]
    )
    assert told[0] == []
    assert {one.type for one in told[1]} <= {kind}
    return [text[one.start : one.end] for one in told[1]]


@pytest.mark.parametrize(
    "text",
    [
        "The last four digits are 6467.",
        "last four 6467",
        "last 4: 6467",
        "a card ending in 6467",
        "it ends with 6467",
        "6467 are the last four digits",
        "6467 (last 4)",
        "la tarjeta terminada en 6467",
        "los últimos 4 son 6467",
        "acaba en 6467",
        "les quatre derniers chiffres sont 6467",
        "se terminant par 6467",
        "Endziffern 6467",
        "die letzten vier Ziffern lauten 6467",
        "letzte vier: 6467",
        "endet auf 6467",
        "ultime quattro cifre 6467",
        "che finisce con 6467",
        "laatste vier cijfers 6467",
        "eindigend op 6467",
        "os últimos quatro dígitos: 6467",
        "terminado em 6467",
        "ostatnie cztery cyfry: 6467",
        "kończy się na 6467",
        "x6467",
        "*6467",
        "****6467",
        "•••• 6467",
        "**** **** **** 6467",
        "XX-6467",
        "…6467",
        "my card 6467",
        "6467",
    ],
)
def test_an_end_is_found_behind_the_usual_words_and_masks(text: str) -> None:
    assert found(text) == ["6467"]


@pytest.mark.parametrize(
    "text",
    [
        "The total is 6467 euros.",
        "max6467",
        "12.6467 is the last one",
        "64670 are the last five digits",
        "It ends here. We have 6467 of them.",
        "the last four digits are 6468",
    ],
)
def test_the_same_digits_elsewhere_are_no_end(text: str) -> None:
    assert found(text) == []


def test_a_year_needs_more_than_the_word_last() -> None:
    known = "4539 1488 0343 2025"
    assert found("last seen in 2025, at the end of 2025", known=known) == []
    assert found("2025", known=known) == []
    assert found("the last four digits are 2025", known=known) == ["2025"]
    assert found("2025", "card_last4", known=known) == ["2025"]


@pytest.mark.parametrize(
    "label",
    ["last4", "card_last_four", "cardLast4", "iban_end", "ending", "ultime4", "ultimos4",
     "derniers_chiffres", "letzteVier", "laatste4", "tail", "terminacion"],
)  # fmt: skip
def test_keys_that_ask_for_an_end(label: str) -> None:
    assert found("467", label) == ["467"]
    assert found("467", "total") == []


def test_an_end_has_the_type_of_the_number_that_the_words_name() -> None:
    said = "SSN 219-09-9999, card 4539 1488 0343 9999"
    known = [
        Finding(4, 15, "NATIONAL_ID", 1.0, "rules"),
        Finding(22, 41, "CREDIT_CARD", 1.0, "rules"),
    ]
    asked = Passage("card ending 9999", "en")
    told = tail_findings([Passage(said, "en"), asked], [known, []])
    assert [one.type for one in told[1]] == ["CREDIT_CARD"]


def test_five_digits_of_an_american_express_card() -> None:
    known = "3782 822463 10005"
    assert found("ending in 10005, last 4 0005", known=known) == ["10005", "0005"]


def test_what_is_found_already_stays() -> None:
    text = f"{CARD} ending in 6467"
    known = [Finding(0, 19, "CREDIT_CARD", 1.0, "rules"), Finding(30, 34, "OTHER_ID", 1.0, "rules")]
    assert tail_findings([Passage(text, "en")], [known]) == [[]]


def test_a_short_json_number_is_read_for_an_end_alone() -> None:
    record = leaves(f'{{"card": "{CARD}", "last4": 6467, "total": 1234}}')
    detector = build(DetectorSettings(detectors=("rules",)))
    (told,) = scan_records([record], detector, ["en"])
    texts = [record[index].text for index, one in told.findings]
    assert texts == [CARD, "6467"]
