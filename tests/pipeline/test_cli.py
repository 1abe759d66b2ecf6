"""What a user meets when something is wrong: a clear sentence, the right exit code, no half work."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline import folder
from scrubbers.keys import signing_key
from tests.conftest import KEY, Run, privatune, write_rows
from tests.pipeline.rows import chat, plain

Command = Callable[..., Run]
RULES = "privacy: {detectors: [rules]}\n"


@pytest.fixture
def rows(work: Path) -> Path:
    return write_rows(work / "rows.jsonl", [*(chat(n) for n in range(5)), *map(plain, range(35))])


def configure(work: Path, text: str = "data: {inputs: [rows.jsonl], output: out}\n") -> None:
    (work / "privatune.yaml").write_text(text + RULES, encoding="utf-8")


@pytest.mark.usefixtures("rows")
@pytest.mark.parametrize(
    ("yaml", "code", "words"),
    [
        ("data: {inputs: [rows.jsonl\n", 2, "privatune.yaml"),
        ("data: {inptus: [rows.jsonl]}\n", 2, "inputs"),
        ("dta: {inputs: [rows.jsonl]}\n", 2, "data"),
        ("data: {inputs: [missing.jsonl], output: out}\n", 2, "no such file"),
        ("data: {inputs: [rows.jsonl], output: out, max_quarantine: 7}\n", 2, "max_quarantine"),
        ("data: {inputs: [], output: out}\n", 2, "inputs"),
    ],
    ids=["syntax", "unknown-key", "unknown-section", "missing-file", "range", "no-input"],
)
def test_a_wrong_configuration_is_told(
    work: Path, command: Command, yaml: str, code: int, words: str
) -> None:
    configure(work, yaml)
    done = command("prep")
    assert (done.returncode, done.stdout) == (code, "")
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert not (work / "out").exists()


def test_no_configuration_is_told(command: Command) -> None:
    done = command("prep")
    assert done.returncode == 2
    assert "privatune init" in done.stderr


def test_an_unknown_option_is_told(command: Command) -> None:
    done = command("prep", "--ouput", "x")
    assert done.returncode == 2
    assert "--output" in done.stderr


def test_a_batch_job_without_a_key_stops(work: Path, rows: Path) -> None:
    configure(work)
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PRIVATUNE_KEY")}
    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "prep"], env=environment, cwd=work,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "PRIVATUNE_KEY" in done.stderr
    assert not (work / "out").exists()


@pytest.mark.parametrize("content", ["", "\n\n", "[]"], ids=["empty", "blank", "empty-array"])
def test_an_empty_input_is_told(work: Path, command: Command, content: str) -> None:
    (work / "rows.jsonl").write_text(content)
    configure(work)
    done = command("prep")
    assert done.returncode in (1, 2)
    assert "rows.jsonl" in done.stderr or "no record" in done.stderr
    assert not (work / "out").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_an_unreadable_file_is_told(work: Path, command: Command, rows: Path) -> None:
    rows.chmod(0)
    configure(work)
    done = command("prep")
    assert done.returncode == 2
    assert "cannot be read" in done.stderr


def test_a_folder_in_place_of_a_file_is_told(work: Path, command: Command) -> None:
    (work / "rows.jsonl").mkdir()
    configure(work)
    done = command("prep")
    assert done.returncode == 2
    assert "rows.jsonl" in done.stderr


def test_a_binary_file_is_told(work: Path, command: Command) -> None:
    (work / "rows.jsonl").write_bytes(bytes(range(256)) * 50)
    configure(work)
    done = command("prep")
    assert done.returncode in (1, 2)
    assert not (work / "out").exists()


@pytest.mark.usefixtures("rows")
def test_an_output_that_exists_is_kept(work: Path, command: Command) -> None:
    configure(work)
    (work / "out").mkdir()
    (work / "out" / "mine.txt").write_text("mine")
    for more in ([], ["--force"]):
        done = command("prep", *more)
        assert done.returncode == 2
        assert "exists" in done.stderr
    assert (work / "out" / "mine.txt").read_text() == "mine"


@pytest.mark.usefixtures("rows")
def test_force_replaces_a_prepared_folder(work: Path, command: Command) -> None:
    configure(work)
    assert command("prep").returncode == 0
    (work / "out" / "ship" / "train.jsonl").write_text("")
    assert command("prep").returncode == 2
    assert command("prep", "--force").returncode == 0
    assert command("check", "out").returncode == 0
    assert sorted(p.name for p in work.iterdir()) == ["out", "privatune.yaml", "rows.jsonl"]


def test_a_folder_without_manifest_is_told(work: Path, command: Command) -> None:
    (work / "plain").mkdir()
    for verb in ("check", "train"):
        done = command(verb, "plain")
        assert done.returncode == 1
        assert "not a prepared folder" in done.stderr


@pytest.mark.usefixtures("rows")
def test_check_says_which_tier_it_reached(work: Path, command: Command) -> None:
    configure(work)
    assert command("prep").returncode == 0
    assert "with keep and key" in command("check", "out").stdout
    other = command("check", "out", PRIVATUNE_KEY="07" + "ab5c9d3e" * 7 + "f1a2b4")
    assert other.returncode == 0
    assert "with keep;" in other.stdout
    shutil.copytree(work / "out" / "ship", work / "sent")
    shutil.rmtree(work / "out" / "keep")
    for place in ("out", "sent"):
        done = command("check", place, "--json")
        assert done.returncode == 0
        assert json.loads(done.stdout)["tier"] == "ship alone"
    train = work / "out" / "ship" / "train.jsonl"
    train.write_bytes(train.read_bytes().replace(b"JSON", b"json", 1))
    done = command("check", "out")
    assert done.returncode == 1
    assert "train.jsonl" in done.stderr


@pytest.mark.usefixtures("rows")
def test_check_finds_a_planted_leak_and_a_planted_original(work: Path, command: Command) -> None:
    """Signed anew by the key's owner: only the fresh scan and the keyed hashes can see it."""
    configure(work)
    assert command("prep").returncode == 0
    train = work / "out" / "ship" / "train.jsonl"
    lines = train.read_text().splitlines()
    row = {"instruction": "Mail x.y@mail.example.", "input": None, "output": "Done."}
    lines[-1] = json.dumps(row)
    train.write_text("\n".join(lines) + "\n")
    manifest = json.loads((work / "out" / "ship" / "manifest.json").read_text())
    folder.seal(work / "out", manifest, signing_key(bytes.fromhex(KEY), "out"))
    done = command("check", "out", "--json")
    assert done.returncode == 1
    assert [v["violation"] for v in json.loads(done.stdout)["violations"]] == ["leak"]


def test_a_gate_that_fails_leaves_the_evidence_alone(work: Path, command: Command) -> None:
    write_rows(work / "rows.jsonl", [*map(chat, range(20)), {"prompt": "a", "completion": ""}])
    configure(work, "data: {inputs: [rows.jsonl], output: out}\ngates: {empty_answer: fail}\n")
    done = command("prep")
    assert done.returncode == 1
    assert "empty_answer" in done.stderr
    assert not (work / "out").exists()
    kept = sorted(p.name for p in (work / "out.refused").iterdir())
    assert kept == ["quarantine.jsonl", "report.html", "report.json"]


@pytest.mark.slow
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["kill", "ctrl-c"])
@pytest.mark.parametrize("stage", ["scanning", "writing"])
def test_a_killed_run_leaves_nothing_half_written_and_goes_on(
    work: Path, how: signal.Signals, stage: str
) -> None:
    write_rows(work / "rows.jsonl", [chat(n) for n in range(1000)])
    configure(work)
    sign = (
        work / ".out.partial" / ("spool.jsonl" if stage == "scanning" else "new/ship/train.jsonl")
    )
    with subprocess.Popen(
        [sys.executable, "-m", "pipeline", "prep"], cwd=work, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
    ) as child:  # fmt: skip
        while not (sign.exists() and sign.stat().st_size > 50_000):
            assert child.poll() is None, "the run ended before it could be stopped"
            time.sleep(0.01)
        child.send_signal(how)
        said = child.communicate()[1]
    if how is signal.SIGINT:
        assert child.returncode == 130
        assert "interrupted" in said
        assert "Traceback" not in said
    assert not (work / "out").exists()
    kept = (work / ".out.partial" / "spool.jsonl").read_bytes()
    assert b"zqcanary" not in kept.lower()
    assert privatune("prep", "--quiet", cwd=work).returncode == 0
    once = (work / "out" / "ship" / "train.jsonl").read_bytes()
    assert not (work / ".out.partial").exists()
    assert privatune("prep", "--quiet", "--force", cwd=work).returncode == 0
    assert (work / "out" / "ship" / "train.jsonl").read_bytes() == once


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a small disk needs root")
def test_a_full_disk_is_told_and_loses_nothing(work: Path) -> None:
    disk = work / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(disk)], check=False
    )
    if mounted.returncode:
        pytest.skip("this machine mounts nothing")
    try:
        write_rows(work / "rows.jsonl", [chat(n) for n in range(2000)])
        configure(work, "data: {inputs: [rows.jsonl], output: disk/out}\n")
        done = privatune("prep", cwd=work)
        assert done.returncode == 3
        assert "disk full" in done.stderr
        assert not (disk / "out").exists()
    finally:
        subprocess.run(["umount", str(disk)], check=True)
