"""Gates and limits end to end: off, warned, accepted, failed, and what each leaves behind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pipeline.gates import GATE_OF
from tests.conftest import write_rows
from tests.pipeline.rows import chat, plain
from tests.pipeline.runs import configure, counts, gates, prep, report, rows
from validators import faults

CUT = '{"prompt": "zqcanary@mail.example'


def broken_lines(work: Path, whole: int, broken: int) -> None:
    """Records of one format, the last ones cut off in the middle."""
    good = [json.dumps(plain(n)) for n in range(whole)]
    (work / "rows.jsonl").write_text("\n".join([*good, *[CUT] * broken]) + "\n")


@pytest.mark.parametrize(
    ("whole", "broken", "limit", "code"),
    [
        (19, 1, None, 0),  # exactly the default share of 5 %
        (18, 2, None, 1),
        (38, 2, None, 0),
        (37, 3, None, 1),
        (1, 18, None, 0),  # sets under 20 may lose any share
        (1, 19, None, 1),
        (19, 1, 0, 1),
        (18, 1, 0, 0),
        (2, 38, 1, 0),
        (30, 10, 0.25, 0),
        (29, 11, 0.25, 1),
    ],
)
def test_the_share_of_quarantined_records_has_a_limit(
    work: Path, whole: int, broken: int, limit: float | None, code: int
) -> None:
    broken_lines(work, whole, broken)
    configure(["rows.jsonl"], data={} if limit is None else {"max_quarantine": limit})
    assert prep() == code
    out = "out.refused" if code else "out"
    total, train, holdout, quarantine, dropped = counts(out)
    assert (total, quarantine, dropped) == (whole + broken, broken, 0)
    assert train + holdout == whole
    if code:
        assert gates(out)["max_quarantine"] == "failed"
        assert not (work / "out").exists()


def test_a_set_of_nothing_but_quarantine_is_refused(work: Path) -> None:
    broken_lines(work, 0, 3)
    configure(["rows.jsonl"])
    assert prep() == 1
    assert gates("out.refused")["nothing_left"] == "failed"


FAULTY: dict[str, list[Any]] = {
    "empty_answer": [{"instruction": "Say nothing.", "input": "", "output": ""}],
    "duplicates": [plain(3)],
    "mixed_formats": [{"prompt": "a", "completion": "b"}],
    "format": [{"instruction": 3, "output": "b"}],
    "turns": [{"messages": [{"role": "user", "content": "Only a question."}]}],
}


@pytest.mark.parametrize("gate", FAULTY)
@pytest.mark.parametrize(
    ("level", "accepted", "state"),
    [
        ("off", False, "off"),
        ("warn", False, "warned"),
        ("fail", False, "failed"),
        ("fail", True, "accepted"),
        ("warn", True, "accepted"),
    ],
)
def test_a_gate_does_what_it_was_set_to(
    work: Path, gate: str, level: str, accepted: bool, state: str
) -> None:
    write_rows(work / "rows.jsonl", [*map(plain, range(25)), *FAULTY[gate]])
    accept = [{"violation": gate, "reason": "a test"}] if accepted else []
    configure(["rows.jsonl"], gates={gate: level}, accept=accept)
    assert prep() == (1 if state == "failed" else 0)
    out = "out.refused" if state == "failed" else "out"
    assert gates(out)[gate] == state
    assert report(out)["accepted"] == accept


@pytest.mark.parametrize("gate", FAULTY)
def test_a_gate_passes_where_there_is_nothing(work: Path, gate: str) -> None:
    write_rows(work / "rows.jsonl", [*map(plain, range(25))])
    configure(["rows.jsonl"], gates={gate: "fail"})
    assert prep() == 0
    assert gates()[gate] == "passed"


SYSTEM = "Answer as JSON."
CONTRACTS: dict[str, tuple[dict[str, Any], list[Any]]] = {
    "system_prompt": ({"system": SYSTEM}, [{"messages": [
        {"role": "user", "content": "Hello"}, {"role": "assistant", "content": "{}"}]}]),
    "turn_pattern": ({"turns": "single"}, [{"messages": [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": "a"}, {"role": "assistant", "content": "{}"},
        {"role": "user", "content": "b"}, {"role": "assistant", "content": "{}"}]}]),
    "answer_schema": ({"answer_schema": "schema.json"}, [{"messages": [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": "a"}, {"role": "assistant", "content": '{"nr": "one"}'}]}]),
    "required_fields": ({"required_fields": ["messages", "id"]}, []),
    "forbidden_fields": ({"forbidden_fields": ["debug"]}, [chat(30) | {"debug": 1}]),
}  # fmt: skip


@pytest.mark.parametrize("gate", CONTRACTS)
def test_a_broken_contract_fails_unless_the_gate_says_otherwise(work: Path, gate: str) -> None:
    contract, more = CONTRACTS[gate]
    (work / "schema.json").write_text('{"properties": {"nr": {"type": "integer"}}}')
    write_rows(work / "rows.jsonl", [*map(chat, range(20)), *more])
    configure(["rows.jsonl"], contract=contract)
    assert prep() == 1
    assert gates("out.refused")[gate] == "failed"
    configure(["rows.jsonl"], contract=contract, gates={gate: "warn"})
    assert prep() == 0
    assert gates()[gate] == "warned"
    places = [p for group in report()["faults"].values() for p in group["places"]]
    assert places[-1]["record"] == (5 if gate == "required_fields" else 21)


def test_a_kept_contract_passes(work: Path) -> None:
    (work / "schema.json").write_text('{"properties": {"nr": {"type": "integer"}}}')
    write_rows(work / "rows.jsonl", [*map(chat, range(20))])
    contract = {
        "system": SYSTEM, "turns": "single", "answer_schema": "schema.json",
        "required_fields": ["messages"], "forbidden_fields": ["debug"],
    }  # fmt: skip
    configure(["rows.jsonl"], contract=contract)
    assert prep() == 0
    assert {gates()[name] for name in CONTRACTS} == {"passed"}


def test_faults_of_records_that_do_not_ship_do_not_count(work: Path) -> None:
    lost = {"instruction": "Card 4111 1111 1111 1111", "output": ""}
    write_rows(work / "rows.jsonl", [*map(plain, range(25)), lost])
    privacy = {"types": {"CREDIT_CARD": "quarantine"}}
    configure(["rows.jsonl"], gates={"empty_answer": "fail"}, privacy=privacy)
    assert prep() == 0
    assert counts()[3] == 1
    assert rows("quarantine.jsonl")[0]["reasons"] == ["policy:CREDIT_CARD"]


@pytest.mark.parametrize(("name", "code"), [("max_quarantine", 0), ("volume", 1)])
def test_the_quarantine_limit_can_be_accepted_by_its_name(work: Path, name: str, code: int) -> None:
    broken_lines(work, 18, 2)
    configure(["rows.jsonl"], accept=[{"violation": name, "reason": "a test"}])
    assert prep() == code


@pytest.mark.parametrize("name", ["nothing_left", "table-books", "table-duplicate"])
def test_what_must_hold_cannot_be_accepted(
    work: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pipeline import table

    if name == "nothing_left":
        broken_lines(work, 0, 3)
    else:
        write_rows(work / "rows.jsonl", [*map(plain, range(5))])
        fault = faults.fault("table", "", "made up")
        fault = type(fault)(name, fault.path, fault.message, fault.openai)
        monkeypatch.setattr(table, "check_frame", lambda *_, **__: [fault])
    configure(["rows.jsonl"], accept=[{"violation": name, "reason": "a test"}])
    assert prep() == 2
    configure(["rows.jsonl"])
    assert prep() == 1
    assert gates("out.refused")[name] == "failed"


def test_a_misspelt_violation_is_refused_with_the_nearest_name(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write_rows(work / "rows.jsonl", [*map(plain, range(5))])
    configure(["rows.jsonl"], accept=[{"violation": "surrogate-is-orignal", "reason": "a test"}])
    assert prep() == 2
    assert "did you mean `surrogate-is-original`?" in capsys.readouterr().err


def test_a_record_that_the_books_lost_fails_the_run(
    work: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Invariant 7: the table and the counts must tell the same number."""
    from pipeline import prep as prep_module

    write_rows(work / "rows.jsonl", [*map(plain, range(25))])
    add = prep_module.Table.add
    monkeypatch.setattr(
        prep_module.Table, "add", lambda self, one: None if len(self) == 24 else add(self, one)
    )
    configure(["rows.jsonl"])
    assert prep() == 1
    assert gates("out.refused")["table-books"] == "failed"


def test_every_fault_of_a_record_counts_for_a_known_gate() -> None:
    from pipeline.fields import GATES

    assert set(GATE_OF.values()) <= set(GATES)
    assert set(GATE_OF) <= set(faults.CODES)
