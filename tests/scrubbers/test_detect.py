from __future__ import annotations

from collections.abc import Sequence

import pytest

from scrubbers import detect
from scrubbers.catalog import DEFAULT, NAMES
from scrubbers.detect import AllowEntry, DetectorSettings, SettingsError, build
from scrubbers.finding import Finding
from scrubbers.passage import Passage
from tests.scrubbers.models_at_hand import need

RULES = ("rules",)


def found(text: str, settings: DetectorSettings) -> list[tuple[str, str]]:
    return [(f.type, text[f.start : f.end]) for f in build(settings)([Passage(text, "en")])[0]]


class Engine:
    """Calls every run of capital letters a PERSON, and counts what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, passages: Sequence[Passage]) -> list[list[Finding]]:
        self.asked += [passage.text for passage in passages]
        return [
            [
                Finding(start, start + len(word), "PERSON", 0.6, "made-up")
                for word in set(passage.text.split())
                if word.isupper() and (start := passage.text.find(word)) >= 0
            ]
            for passage in passages
        ]


@pytest.fixture
def engine(monkeypatch: pytest.MonkeyPatch) -> Engine:
    made = Engine()
    monkeypatch.setattr(detect, "builders", lambda _: [made])
    return made


def test_equal_passages_are_scanned_once_also_over_batches(engine: Engine) -> None:
    run = build(DetectorSettings(RULES))
    one, other = Passage("see ANA", "en"), Passage("see EVA", "en")
    first = run([one, other, one])
    assert first[0] == first[2] != []
    assert run([one]) == [first[0]]
    assert engine.asked == ["see ANA", "see EVA"]


def test_an_answer_may_be_changed_without_changing_the_next(engine: Engine) -> None:
    run = build(DetectorSettings(RULES))
    run([Passage("see ANA", "en")])[0].clear()
    assert run([Passage("see ANA", "en")])[0]


def test_offsets_are_those_of_the_disguised_text(engine: Engine) -> None:
    text = "see \uff21\u200bNA now"  # full-width A, zero-width space
    assert found(text, DetectorSettings(RULES)) == [("PERSON", "\uff21\u200bNA")]


def test_thresholds_drop_what_is_weaker(engine: Engine) -> None:
    assert found("see ANA", DetectorSettings(RULES, thresholds={"PERSON": 0.6})) != []
    assert found("see ANA", DetectorSettings(RULES, thresholds={"PERSON": 0.7})) == []


def test_an_engines_floor_decides_where_the_user_sets_no_threshold(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(detect, "floors", lambda _: {"made-up": {"PERSON": 0.7, "ADDRESS": 0.1}})
    assert found("see ANA", DetectorSettings(RULES)) == []
    assert found("see ANA", DetectorSettings(RULES, thresholds={"ADDRESS": 0.2})) == []
    assert found("see ANA", DetectorSettings(RULES, thresholds={"PERSON": 0.5})) != []
    monkeypatch.setattr(detect, "floors", lambda _: {"another": {"PERSON": 0.7}})
    assert found("see ANA", DetectorSettings(RULES)) != []


def test_a_threshold_for_no_type_is_refused(engine: Engine) -> None:
    with pytest.raises(SettingsError, match=r"privacy\.thresholds"):
        build(DetectorSettings(RULES, thresholds={"PERSONS": 0.5}))


def test_an_allowed_value_is_kept_whole_in_any_case(engine: Engine) -> None:
    settings = DetectorSettings(RULES, allow=(AllowEntry("Ana  Reyes", "the author"),))
    assert found("by ANA REYES", settings) == []
    assert found("by ANA SMITH", settings) != []
    assert found("by DANA REYES", settings) != []


def test_a_denied_value_is_found_as_a_whole_word(engine: Engine) -> None:
    settings = DetectorSettings(RULES, deny=("Blue Heron", "k-77"))
    assert found("the blue heron plan, k-77", settings) == [
        ("PERSON", "blue heron"),
        ("OTHER_ID", "k-77"),
    ]
    assert found("the blue herons, ak-77", settings) == []


@pytest.mark.parametrize("field", ["allow", "deny"])
@pytest.mark.parametrize("empty", ["", "  ", "\u200b"])
def test_an_empty_entry_is_refused(engine: Engine, field: str, empty: str) -> None:
    values = (AllowEntry("x"), AllowEntry(empty)) if field == "allow" else ("x", empty)
    with pytest.raises(SettingsError, match=rf"privacy\.{field}\[1\]"):
        build(DetectorSettings(RULES, **{field: values}))  # type: ignore[arg-type]


def test_settings_do_not_print_their_lists() -> None:
    settings = DetectorSettings(RULES, allow=(AllowEntry("Ana Reyes"),), deny=("Blue Heron",))
    assert "Reyes" not in repr(settings)
    assert "Heron" not in repr(settings)


def test_rules_alone_find_a_mail_address_and_claim_no_names() -> None:
    run = build(DetectorSettings(RULES))
    assert run.name_languages == frozenset()
    assert found("mail ana@acme.example", DetectorSettings(RULES)) == [
        ("EMAIL_ADDRESS", "ana@acme.example")
    ]


@pytest.mark.parametrize("detectors", [DEFAULT, NAMES])
def test_detectors_together_settle_on_spans_without_overlap(detectors: tuple[str, ...]) -> None:
    if "onnx" in detectors:
        need("en-md", "rampart")
    text = "I am Margaret Okonkwo (margaret.okonkwo@acme.com), card 4111 1111 1111 1111."
    assert found(text, DetectorSettings(detectors)) == [
        ("PERSON", "Margaret Okonkwo"),
        ("EMAIL_ADDRESS", "margaret.okonkwo@acme.com"),
        ("CREDIT_CARD", "4111 1111 1111 1111"),
    ]
