"""Invariant 8: the same bytes with any number of workers, in shards, in any order, after a break."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pipeline import prep as prep_module
from tests.conftest import write_rows
from tests.pipeline.rows import chat, plain
from tests.pipeline.runs import OTHER_KEY, configure, prep, shipped, texts

ROWS = [*(chat(n) for n in range(150)), *(plain(n) for n in range(50))]
MAIL = re.compile(r"[\w.+-]+@[\w.-]+")


def ship(out: str) -> dict[str, bytes]:
    return {n: Path(out, "ship", n).read_bytes() for n in ("train.jsonl", "holdout.jsonl")}


@pytest.fixture
def data(work: Path) -> Path:
    write_rows(work / "rows.jsonl", ROWS)
    return work


@pytest.mark.slow
def test_workers_give_the_same_bytes(data: Path) -> None:
    for output, workers in (("one", "1"), ("two", "2"), ("three", "3")):
        configure(["rows.jsonl"], output, privacy={"dataset": "d"})
        assert prep("--workers", workers) == 0
    assert ship("one") == ship("two") == ship("three")
    assert len(shipped("two")) == 200


def test_a_second_run_gives_the_same_bytes(data: Path) -> None:
    configure(["rows.jsonl"])
    assert prep() == 0
    first = ship("out")
    assert prep("--force") == 0
    assert ship("out") == first


def test_files_in_another_order_give_the_same_lines(work: Path) -> None:
    parts = {"a.jsonl": ROWS[:70], "b.jsonl": ROWS[70:150], "c.jsonl": ROWS[150:]}
    for name, rows in parts.items():
        write_rows(work / name, rows)
    results = []
    for order in (["a.jsonl", "b.jsonl", "c.jsonl"], ["c.jsonl", "a.jsonl", "b.jsonl"]):
        output = order[0][0]
        configure(order, output, privacy={"dataset": "d"})
        assert prep() == 0
        results.append({n: sorted(text.splitlines()) for n, text in ship(output).items()})
        assert list(shipped(output)) != []
    assert results[0] == results[1]
    assert ship("a") != ship("c")  # rows stand in the order of the input


def test_one_file_or_many_give_the_same_text(work: Path) -> None:
    write_rows(work / "all.jsonl", ROWS)
    write_rows(work / "x.jsonl", ROWS[:77])
    write_rows(work / "y.jsonl", ROWS[77:])
    configure(["all.jsonl"], "whole", privacy={"dataset": "d"})
    assert prep() == 0
    configure(["x.jsonl", "y.jsonl"], "cut", privacy={"dataset": "d"})
    assert prep() == 0
    assert ship("whole") == ship("cut")


def test_shards_prepared_apart_agree(work: Path) -> None:
    """Same key and `privacy.dataset`: 40 values in both shards, none of which needs a redraw."""
    for name, numbers in (("left", range(60)), ("right", range(20, 90))):
        write_rows(work / f"{name}.jsonl", [chat(n) for n in numbers])
        configure([f"{name}.jsonl"], name, privacy={"dataset": "one-set"})
        assert prep() == 0
    left = {number - 1: text for (_, number), text in shipped("left").items()}
    right = {number + 19: text for (_, number), text in shipped("right").items()}
    both = left.keys() & right.keys()
    redraws = sum(
        json.loads(Path(name, "keep", "report.json").read_text())["surrogates"]["redraws"]
        for name in ("left", "right")
    )
    different = [n for n in both if left[n] != right[n]]
    assert len(both) == 40
    assert len(different) <= redraws


@pytest.mark.parametrize("change", ["key", "dataset"])
def test_another_key_or_set_gives_other_surrogates(
    work: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_rows(work / "rows.jsonl", [chat(n) for n in range(5)])
    configure(["rows.jsonl"], "one", privacy={"dataset": "d"})
    assert prep() == 0
    if change == "key":
        monkeypatch.setenv("PRIVATUNE_KEY", OTHER_KEY)
    configure(["rows.jsonl"], "two", privacy={"dataset": "d" if change == "key" else "e"})
    assert prep() == 0
    for one, two in zip(texts("one"), texts("two"), strict=True):
        assert not set(MAIL.findall(one)) & set(MAIL.findall(two))
        assert not set(re.findall(r"DE\d{20}", one)) & set(re.findall(r"DE\d{20}", two))


@pytest.mark.parametrize("after", [1, 64, 130, 199])
def test_a_resumed_run_is_an_unbroken_run(
    data: Path, after: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The spool is cut at a record and in the middle of a line, as a kill leaves it."""
    configure(["rows.jsonl"], "whole", privacy={"dataset": "d"})
    assert prep() == 0

    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    configure(["rows.jsonl"], "broken", privacy={"dataset": "d"})
    with monkeypatch.context() as patch:
        patch.setattr(prep_module, "settle", stop)
        assert prep() == 130
    spool = data / ".broken.partial" / "spool.jsonl"
    lines = spool.read_bytes().splitlines(keepends=True)
    spool.write_bytes(b"".join(lines[: after + 1]) + lines[after][:40])
    scanned = []
    scan = prep_module.scan_stream

    def counted(items: object, *more: object) -> object:
        for entries in scan(items, *more):
            scanned.extend(entries)
            yield entries

    monkeypatch.setattr(prep_module, "scan_stream", counted)
    assert prep() == 0
    assert len(scanned) == 200 - after
    assert ship("broken") == ship("whole")


def test_an_interrupted_scan_is_not_taken_for_another_configuration(
    data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    configure(["rows.jsonl"])
    with monkeypatch.context() as patch:
        patch.setattr(prep_module, "settle", stop)
        assert prep() == 130
    configure(["rows.jsonl"], privacy={"types": {"EMAIL_ADDRESS": "keep"}})
    assert prep() == 0
    assert "zqcanary7@mail.example" in "".join(texts())
