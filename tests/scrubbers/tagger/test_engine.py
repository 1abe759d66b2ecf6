"""The tagger as a detector: the product's types, its guards, floors and thresholds."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from scrubbers.detect import DetectorSettings
from scrubbers.detect import build as detector
from scrubbers.entities import ENTITY_TYPES
from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.tagger import engine, model
from scrubbers.tagger.spans import Span

TAGGER = ("tagger",)
TEXT = "Please call Margaret Okonkwo about it."


def people(
    monkeypatch: pytest.MonkeyPatch, text: str, *names: str, language: str = "en"
) -> list[str]:
    """What is left of names that a model calls people."""

    def told(texts: Sequence[str]) -> list[list[Span]]:
        return [
            [Span(at := one.index(name), at + len(name), "PERSON", 0.9) for name in names]
            for one in texts
        ]

    monkeypatch.setattr(model, "shipped", lambda _: told)
    (found,) = engine.build(TAGGER)([Passage(text, language)])
    return [text[one.start : one.end] for one in found]


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        ("call Mr. Baker now", "Mr. Baker", ["Baker"]),
        ("call Prof. Dr. Ana Reyes now", "Prof. Dr. Ana Reyes", ["Ana Reyes"]),
        ("call Mr now", "Mr", ["Mr"]),
        ("call Mr bin Omar now", "Mr bin Omar", ["Mr bin Omar"]),
        ("Hello {{Name}} and", "Name", []),
        ("Hello [Your Name], and", "Your Name", []),
        ("Hello [Ana Reyes], and", "Ana Reyes", ["Ana Reyes"]),
        ("to <Customer> now", "Customer", []),
        ("<margaret> hello all", "margaret", ["margaret"]),
        ("please send JSON now", "JSON", []),
        ("pay 20 EUR now", "EUR", []),
        ("raise Lookup(name)", "Lookup", []),
        ('{"Aurora": [1, 2]}', "Aurora", []),
        ("for Ana Reyes", "Ana Reyes", ["Ana Reyes"]),
    ],
)
def test_titles_stay_and_what_machines_write_is_nobody(
    monkeypatch: pytest.MonkeyPatch, text: str, name: str, expected: list[str]
) -> None:
    assert people(monkeypatch, text, name) == expected


def test_a_title_of_one_language_is_an_initial_in_others(monkeypatch: pytest.MonkeyPatch) -> None:
    assert people(monkeypatch, "pour M. Roche", "M. Roche", language="fr") == ["Roche"]
    assert people(monkeypatch, "for M. Roche", "M. Roche") == ["M. Roche"]


def test_other_types_are_left_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = ("USERNAME", "ORG", "DOB")
    monkeypatch.setattr(
        model, "shipped", lambda _: lambda texts: [[Span(2, 6, k, 0.9) for k in kinds]]
    )
    (found,) = engine.build(TAGGER)([Passage("{{user}}", "en")])
    assert found == [
        Finding(2, 6, kind, 0.9, "tagger") for kind in ("USERNAME", "ORGANIZATION", "DATE_OF_BIRTH")
    ]


def test_a_day_alone_is_no_date_of_birth(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "12, 4 May, 1961"
    spans = [Span(0, 2, "DOB", 0.9), Span(4, 9, "DOB", 0.9), Span(11, 15, "DOB", 0.9)]
    monkeypatch.setattr(model, "shipped", lambda _: lambda texts: [spans])
    (found,) = engine.build(TAGGER)([Passage(text, "en")])
    assert [text[one.start : one.end] for one in found] == ["4 May", "1961"]


@pytest.mark.parametrize(
    ("label", "value", "read"),
    [
        ("due", "2026-03-12", '"due": "2026-03-12"'),
        ("", "2026-03-12", "2026-03-12"),
        ("content", "2026-03-12", "2026-03-12"),
        ("notes", "n" * (engine.SHORT + 1), "n" * (engine.SHORT + 1)),
    ],
)
def test_a_short_value_is_read_with_its_key(
    monkeypatch: pytest.MonkeyPatch, label: str, value: str, read: str
) -> None:
    """And what is found is placed in the value, without the key and the signs around it."""
    asked: list[str] = []

    def told(texts: Sequence[str]) -> list[list[Span]]:
        asked.extend(texts)
        return [[Span(0, len(text), "SECRET", 0.9), Span(1, 2, "SECRET", 0.9)] for text in texts]

    monkeypatch.setattr(model, "shipped", lambda _: told)
    (found,) = engine.build(TAGGER)([Passage(value, "en", label)])
    assert asked == [read]
    assert (found[0].start, found[0].end) == (0, len(value))
    assert (len(found) == 1) == (read != value)


def test_a_key_tells_what_a_value_is() -> None:
    run = detector(DetectorSettings(TAGGER))
    days = {"due": "2026-03-12", "date_of_birth": "1961-08-17"}
    due, born = run([Passage(day, "en", key) for key, day in days.items()])
    assert [one.type for one in born] == ["DATE_OF_BIRTH"]
    assert all(one.type == "DATE_TIME" for one in due)


def scored(monkeypatch: pytest.MonkeyPatch, score: float, **thresholds: float) -> int:
    """How many findings there are of a name that the model is so sure of."""
    told = [[Span(12, 28, "PERSON", score)]]
    monkeypatch.setattr(
        model, "shipped", lambda weak: lambda texts: told if score >= weak else [[]]
    )
    (found,) = detector(DetectorSettings(TAGGER, thresholds=thresholds))([Passage(TEXT, "en")])
    return len(found)


def test_the_cards_floor_decides_unless_the_user_does(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = engine.floors()["PERSON"]
    below = (floor + engine.WEAK) / 2
    assert scored(monkeypatch, floor) == 1
    assert scored(monkeypatch, below) == 0
    assert scored(monkeypatch, below, ADDRESS=0.0) == 0
    assert scored(monkeypatch, below, PERSON=engine.WEAK) == 1
    assert scored(monkeypatch, floor, PERSON=1.0) == 0


def test_every_type_has_a_floor_that_thresholds_can_go_below() -> None:
    assert set(engine.floors()) == set(ENTITY_TYPES)
    assert min(engine.floors().values()) >= engine.WEAK


def test_the_shipped_model_finds_a_plain_name() -> None:
    (found,) = detector(DetectorSettings(TAGGER))([Passage(TEXT, "en")])
    assert [(one.type, TEXT[one.start : one.end], one.detector) for one in found] == [
        ("PERSON", "Margaret Okonkwo", "tagger")
    ]


def test_disguised_letters_do_not_hide_a_name() -> None:
    text = TEXT.replace("Okonkwo", "O\u200bkonkwo")
    (found,) = detector(DetectorSettings(TAGGER))([Passage(text, "en")])
    assert [text[one.start : one.end] for one in found] == ["Margaret O\u200bkonkwo"]
