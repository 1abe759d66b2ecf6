from __future__ import annotations

import json
from collections.abc import Sequence

from scrubbers.detect import Detector
from scrubbers.finding import Finding
from scrubbers.jsontext import leaves
from scrubbers.passage import Passage
from scrubbers.record_scan import RecordFindings, scan_records

ALL = ("en", "es", "fr", "de", "it", "pt", "nl")
NAME = "Okonkwo"


class Seen:
    """A detector that finds NAME, and remembers what it read."""

    def __init__(self) -> None:
        self.passages: list[Passage] = []

    def __call__(self, passages: Sequence[Passage]) -> list[list[Finding]]:
        self.passages += passages
        return [
            [Finding(at, at + len(NAME), "PERSON", 0.9, "made-up")]
            if (at := p.text.find(NAME)) >= 0
            else []
            for p in passages
        ]


def scan(value: object, names: bool = True, **options: bool) -> tuple[RecordFindings, list[str]]:
    seen = Seen()
    detector = Detector(seen, frozenset(ALL) if names else frozenset())
    text = json.dumps(value, ensure_ascii=False)
    result = scan_records([leaves(text)], detector, ALL, **options)[0]
    return result, [passage.text for passage in seen.passages]


def test_roles_short_numbers_and_plain_keys_are_not_read() -> None:
    _, read = scan({"role": "user", "n": 1234, "id": 12345, "from": "gpt", "Ana Reyes": "hello"})
    assert read == ["12345", "Ana Reyes", "hello"]


def test_an_unknown_role_is_read() -> None:
    assert scan({"role": NAME})[0].findings != []


def test_labels_and_languages_reach_the_detectors() -> None:
    seen = Seen()
    turns = ["Please change my address in the system.", "Bitte ändern Sie meine Adresse im System."]
    text = json.dumps({"mail": "a@acme.example", "turns": turns}, ensure_ascii=False)
    scan_records([leaves(text)], Detector(seen), ALL)
    assert seen.passages[0].label == "mail"
    assert [p.language for p in seen.passages[1:]] == ["en", "de"]


def test_inner_json_is_read_once_as_its_own_leaves() -> None:
    inner = json.dumps({"name": f"Ms {NAME}"})
    result, read = scan({"content": f"Here it is: {inner} as asked."})
    assert sum(NAME in text for text in read) == 1
    ((index, finding),) = result.findings
    leaf = result.leaves[index]
    assert leaf.inner_steps is not None
    assert leaf.text[finding.start : finding.end] == NAME


def test_a_finding_over_inner_json_is_cut_to_the_prose() -> None:
    def everything(passages: Sequence[Passage]) -> list[list[Finding]]:
        return [[Finding(0, len(p.text), "PERSON", 0.9, "made-up")] for p in passages]

    record = leaves(json.dumps({"content": 'ab {"x": "cd"} ef'}))
    result = scan_records([record], Detector(everything), ALL, propagation=False)[0]
    outer = [f for i, f in result.findings if result.leaves[i].text.startswith("ab")]
    assert [(f.start, f.end) for f in outer] == [(0, 3), (14, 17)]


def test_values_found_once_are_found_in_every_leaf() -> None:
    value = ["Who is Margaret Okonkwo?", "OKONKWO rang."]
    assert len(scan(value)[0].findings) == 2
    assert len(scan(value, propagation=False)[0].findings) == 1


def test_a_record_does_not_depend_on_its_neighbours() -> None:
    values: list[object] = [[f"I am {NAME}"], ["OKONKWO rang"], {}, [f"{NAME}!"]]
    records = [leaves(json.dumps(value)) for value in values]
    alone = [scan_records([r], Detector(Seen()), ALL)[0].findings for r in records]
    assert [r.findings for r in scan_records(records, Detector(Seen()), ALL)] == alone
    assert alone[1] == []


def test_a_language_without_a_name_detector_is_reported() -> None:
    polish = "Dzień dobry, nie mogę zalogować się na swoje konto od wczoraj wieczorem"
    result, _ = scan({"a": polish, "b": "The weather is fine today, thank you."})
    assert [(result.leaves[i].text, why) for i, why in result.unscanned] == [
        (polish, "no-name-detector:pl")
    ]


def test_a_name_in_another_script_is_reported_however_short() -> None:
    result, _ = scan({"q": "Please write to this person for me", "name": "田中太郎"})
    assert [why for _, why in result.unscanned] == ["no-name-detector:zh"]


def test_configured_languages_narrow_what_counts_as_looked_at() -> None:
    record = leaves(json.dumps(["Bitte ändern Sie meine Adresse im System."]))
    detector = Detector(Seen(), frozenset(ALL))
    assert scan_records([record], detector, ("en",))[0].unscanned == [(0, "no-name-detector:de")]
    assert scan_records([record], detector, ("en", "de"))[0].unscanned == []


def test_without_name_models_the_result_says_so_instead() -> None:
    result, _ = scan({"name": "田中太郎"}, names=False)
    assert not result.names_scanned
    assert result.unscanned == []


def test_a_result_does_not_print_values() -> None:
    assert NAME not in repr(scan({"a": f"I am {NAME}"})[0])
