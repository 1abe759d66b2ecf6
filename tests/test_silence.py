"""Invariant 1: no original value in a log, message, exception, file name, report or spool."""

import json
import logging
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline import cli
from tests.conftest import write_rows
from tests.pipeline.rows import IDENTIFIERS, WORD, chat, plain

CONFIG = """
data: {inputs: [rows.jsonl], output: out}
privacy: {detectors: [rules, presidio]}
"""


@pytest.fixture
def data(work: Path) -> Iterator[Path]:
    write_rows(work / "rows.jsonl", [*(chat(n) for n in range(8)), *(plain(n) for n in range(30))])
    with (work / "rows.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"messages": [{"role": "user", "content": "zqcanary@mail.example cut')
    (work / "privatune.yaml").write_text(CONFIG, encoding="utf-8")
    handler = logging.FileHandler(work / "all.log")
    root = logging.getLogger()
    before = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    yield work
    root.removeHandler(handler)
    root.setLevel(before)
    handler.close()


def told(capsys: pytest.CaptureFixture[str]) -> str:
    out, err = capsys.readouterr()
    return out + err


def silent(root: Path, words: str) -> None:
    """Nothing said, no file name, and no file but the input and the shipped text holds the word."""
    assert WORD not in words.lower()
    for path in root.rglob("*"):
        assert WORD not in path.name.lower()
        if path.is_file() and path.name != "rows.jsonl":
            text = path.read_bytes().decode("utf-8", "replace")
            shipped = path.parent.name == "ship" and path.suffix == ".jsonl"
            if not shipped:
                assert WORD not in text.lower(), path
            for value in IDENTIFIERS:
                assert value not in text, f"{path}: an identifier is left"


VERBS = {
    "prep": ["prep"],
    "prep-json": ["prep", "--json"],
    "audit": ["audit", "rows.jsonl", "--fast"],
    "audit-json": ["audit", "rows.jsonl", "--fast", "--format", "json"],
    "audit-sarif": ["audit", "rows.jsonl", "--fast", "--format", "sarif"],
    "check": ["check", "out"],
    "init": ["init", "rows.jsonl", "--fast", "--output", "new.yaml"],
}


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_silent(data: Path, verb: str, capsys: pytest.CaptureFixture[str]) -> None:
    if verb == "check":
        assert cli.run(["prep", "--quiet"]) == 0
    code = cli.run(VERBS[verb])
    assert code == (1 if verb.startswith("audit") else 0)
    silent(data, told(capsys))


def broken(error: type[Exception]) -> Callable[..., object]:
    """A stage that breaks with the data in its message, as careless libraries do."""

    def stage(*arguments: object, **more: object) -> object:
        raise error(f"could not read zqcanary@mail.example in {arguments!r}")

    return stage


STAGES = [
    "pipeline.scan.scan_records",
    "pipeline.scan.leaves",
    "pipeline.scan.check_record",
    "pipeline.scan.detect_format",
    "pipeline.marking.units",
    "pipeline.scan.content_key",
    "pipeline.replace.splice",
    "pipeline.replace.write",
    "pipeline.replace.draw",
    "pipeline.write.one_line",
    "pipeline.write.leaves",
    "pipeline.settle.settle_units",
    "pipeline.settle.assign",
    "pipeline.table.check_frame",
    "pipeline.prep.keyed_hash",
    "pipeline.prep.judge",
    "pipeline.report.privacy",
    "pipeline.folder.seal",
    "pipeline.inputs.read",
    "scrubbers.detect.fold",
    "scrubbers.detect.settle",
    "scrubbers.record_scan.propagate",
]


@pytest.mark.parametrize("stage", STAGES)
@pytest.mark.parametrize("error", [ValueError, UnicodeError], ids=["value", "unicode"])
def test_a_broken_stage_is_silent_and_fails_closed(
    data: Path, stage: str, error: type[Exception], monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    monkeypatch.setattr(stage, broken(error))
    code = cli.run(["prep"])
    assert code in (1, 3)
    assert not (data / "out" / "ship").exists()
    silent(data, told(capsys))


def test_a_stage_that_breaks_once_costs_one_record(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The rest of the batch is prepared; the record is quarantined with the error's type alone."""
    from pipeline import scan

    check = scan.check_record
    calls: list[int] = []

    def once(*arguments: object) -> object:
        calls.append(1)
        if len(calls) == 5:
            raise ValueError("zqcanary")
        return check(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(scan, "check_record", once)
    assert cli.run(["prep", "--json"]) == 1  # 2 of 39 are over the limit of 5 %
    report = json.loads((data / "out.refused" / "report.json").read_text())
    assert report["reasons"] == {"check-failed:ValueError": 1, "unreadable:truncated": 1}
    silent(data, told(capsys))
