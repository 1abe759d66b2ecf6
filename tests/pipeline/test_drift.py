"""The drift of lengths: what is counted, what is told, and the gate with its limit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.drift import Drift
from pipeline.replace import Surrogates
from tests.conftest import write_rows
from tests.pipeline.rows import WORD, plain
from tests.pipeline.runs import configure, gates, prep, report

LENGTHS = st.lists(st.tuples(st.integers(1, 900), st.integers(1, 900), st.booleans()), min_size=1)


@given(LENGTHS)
def test_the_share_is_that_of_the_whole_set(lengths: list[tuple[int, int, bool]]) -> None:
    drift = Drift()
    before = after = 0
    for number, (raw, written, edited) in enumerate(lengths):
        drift.add(raw if edited else written, written, {"record": number} if edited else None)
        before += raw if edited else written
        after += written
    assert drift.share == pytest.approx(after / before - 1)
    table = drift.table("tokens", 0.1)
    ratios = sorted(written / raw for raw, written, edited in lengths if edited)
    if table is None:
        assert not ratios
    else:
        assert table["records"] == len(ratios)
        assert ratios[0] <= table["p95"] + 0.001 <= ratios[-1] + 0.002
        farthest = max((abs(one - 1) for one in ratios), default=0)
        assert abs(table["worst"].get("ratio", 1) - 1) == pytest.approx(farthest, abs=0.001)


MAIL = {"prompt": f"Mail {WORD}@mail.example", "completion": "Sent."}


def longer_hosts(monkeypatch: pytest.MonkeyPatch, host: str) -> None:
    drawn = Surrogates.__call__
    monkeypatch.setattr(
        Surrogates, "__call__", lambda self, u: host if u.norm == "mail.example" else drawn(self, u)
    )


def run(records: int, code: int, **sections: Any) -> dict[str, Any]:
    write_rows(Path("rows.jsonl"), [*[MAIL] * 3, *map(plain, range(records - 3))])
    configure(["rows.jsonl"], holdout={"fraction": 0}, **sections)
    assert prep() == code
    return report("out.refused" if code else "out")


@pytest.mark.usefixtures("work")
def test_a_set_that_grew_by_more_than_the_limit_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    longer_hosts(monkeypatch, "moorloft" * 40 + ".example")
    told = run(20, 1)
    assert gates("out.refused")["token_drift"] == "failed"
    drift = told["drift"]
    assert drift["measure"] == "characters"
    assert drift["set"] > drift["limit"] == 0.25
    assert drift["records"] == 3
    assert drift["mean"] == drift["p95"] == drift["worst"]["ratio"] > 5
    assert {**drift["worst"], "ratio": 0} == {
        "ratio": 0, "file": "rows.jsonl", "record": 1, "line": 1,
    }  # fmt: skip
    assert "%; limit 25%" in Path("out.refused/report.html").read_text(encoding="utf-8")


@pytest.mark.usefixtures("work")
@pytest.mark.parametrize(
    ("records", "sections", "state"),
    [
        (20, {"tokens": {"max_drift": 0.5}}, "passed"),
        (20, {"gates": {"token_drift": "warn"}}, "warned"),
        (20, {"gates": {"token_drift": "off"}}, "off"),
        (20, {"accept": [{"violation": "token_drift", "reason": "a test"}]}, "accepted"),
        (19, {}, "passed"),  # so small a set is all drift
    ],
)
def test_the_limit_can_be_set_and_the_gate_switched(
    monkeypatch: pytest.MonkeyPatch, records: int, sections: dict[str, Any], state: str
) -> None:
    longer_hosts(monkeypatch, "moorloft" * 40 + ".example")
    run(records, 0, **sections)
    assert gates()["token_drift"] == state


@pytest.mark.usefixtures("work")
def test_a_set_that_keeps_its_length_passes(capsys: pytest.CaptureFixture[str]) -> None:
    told = run(20, 0)
    assert gates()["token_drift"] == "passed"
    assert abs(told["drift"]["set"]) < 0.02
    assert WORD not in json.dumps(told["drift"])
    assert WORD not in capsys.readouterr().out


@pytest.mark.usefixtures("work")
def test_without_a_surrogate_there_is_no_drift() -> None:
    write_rows(Path("rows.jsonl"), [*map(plain, range(20))])
    configure(["rows.jsonl"])
    assert prep() == 0
    assert report()["drift"] is None
    assert gates()["token_drift"] == "passed"
