"""The sample data: they read, they hold what `planted.json` says, and none of it survives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.config import load
from validators.record import detect_format

SAMPLE = Path(__file__).parent.parent / "sample_data"
PLANTED = json.loads((SAMPLE / "planted.json").read_text(encoding="utf-8"))["files"]
CONFIG = SAMPLE / "privatune.yaml"
FORMATS = {
    "support_chats.jsonl": "messages",
    "instructions.json": "alpaca",
    "conversations.jsonl": "sharegpt",
}
# Of the sample alone; with it a run is the same on every machine.
KEY = "9b1f4c62d7a85e03f1c96b2740ad58e37c06e1fb9842d35a60f7b9184ec2a75d"


def records(name: str) -> list[object]:
    text = (SAMPLE / name).read_text(encoding="utf-8")
    return (
        json.loads(text) if name.endswith(".json") else [json.loads(x) for x in text.splitlines()]
    )


def strings(value: object) -> list[str]:
    if isinstance(value, dict):
        return [s for key, one in value.items() for s in (key, *strings(one))]
    if isinstance(value, list):
        return [s for one in value for s in strings(one)]
    return [value] if isinstance(value, str) else []


@pytest.mark.parametrize("name", PLANTED)
def test_every_planted_value_stands_in_its_record(name: str) -> None:
    found = records(name)
    for row in PLANTED[name]:
        assert any(row["value"] in s for s in strings(found[row["record"] - 1])), row


@pytest.mark.parametrize(("name", "form"), FORMATS.items())
def test_each_file_has_one_format(name: str, form: str) -> None:
    assert {detect_format(value) for value in records(name)} == {form}


def test_instructions_show_every_kind_of_input() -> None:
    rows = [row for row in records("instructions.json") if isinstance(row, dict)]
    kinds = {"missing" if "input" not in row else type(row["input"]).__name__ for row in rows}
    assert kinds == {"missing", "NoneType", "str"}
    assert any(row.get("input") == "" for row in rows)


def test_the_configuration_names_the_three_files_and_the_request() -> None:
    config = load(CONFIG)
    assert [path.name for path in config.input_files()] == list(FORMATS)
    assert config.contract.requests == SAMPLE / "requests" / "production.jsonl"
    assert config.privacy.policy == "balanced"


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "out"
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "pipeline",
            "prep",
            "--quiet",
            "--config",
            CONFIG,
            "--output",
            folder,
        ],
        env={**os.environ, "PRIVATUNE_KEY": KEY},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return folder


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split("\n")[:-1]


@pytest.mark.slow
def test_no_planted_value_survives(prepared: Path) -> None:
    values = [row["value"].casefold() for name in FORMATS for row in PLANTED[name]]
    for path in sorted(p for p in prepared.rglob("*") if p.is_file()):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".jsonl":  # escapes hide a value from a search in the bytes
            text += "\n".join(s for line in lines(path) for s in strings(json.loads(line)))
        folded = text.casefold()
        left = [value for value in values if value in folded]
        assert not left, f"{path.name}: {left}"


@pytest.mark.slow
def test_no_record_is_lost(prepared: Path) -> None:
    counts = json.loads((prepared / "ship" / "manifest.json").read_text(encoding="utf-8"))["counts"]
    assert counts["train"] + counts["holdout"] == sum(len(records(name)) for name in FORMATS)


@pytest.mark.slow
def test_the_invoice_still_agrees_with_its_answer(prepared: Path) -> None:
    before = records("support_chats.jsonl")[0]
    after = next(
        value
        for split in ("train", "holdout")
        for line in lines(prepared / "ship" / f"{split}.jsonl")
        if "Norden AB" in line and isinstance(value := json.loads(line), dict)
    )
    assert isinstance(before, dict)
    old, new = (json.loads(value["messages"][2]["content"]) for value in (before, after))
    asked = after["messages"][1]["content"]
    kept = {"supplier", "total", "due"}
    assert list(old) == list(new)
    changed = {key for key in old if old[key] != new[key]}
    assert changed >= {"contact", "email", "iban"}
    assert not changed & kept
    assert new["contact"] in asked
    assert new["email"] in asked
    assert new["iban"] in asked.replace(" ", "")


@pytest.mark.slow
def test_a_record_without_identifiers_is_left_as_it_was(prepared: Path) -> None:
    plain = lines(SAMPLE / "support_chats.jsonl")[4]
    shipped = [
        line for split in ("train", "holdout") for line in lines(prepared / f"ship/{split}.jsonl")
    ]
    assert plain in shipped
