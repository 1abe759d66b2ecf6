"""`prep` as a whole: every record is accounted for, and `check` sees what was changed by hand."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pipeline import cli
from tests.conftest import ROOT, privatune, write_rows
from tests.pipeline.rows import chat, plain
from tests.pipeline.runs import (
    configure,
    counts,
    own_folder,
    prep,
    report,
    rows,
    seal_again,
    shipped,
    texts,
)

PAIR = {"prompt": "Mail a@zq.example", "completion": "Sent."}


# What a line holds -> what becomes of it: its reason, or None where it is written.
LINES: dict[str, str | None] = {
    json.dumps(plain(1)): None,
    json.dumps(chat(2)): "policy:CREDIT_CARD",
    json.dumps(PAIR): None,
    '{"prompt": "Card 4111 1111 1111 1111", "completion": "No."}': "policy:CREDIT_CARD",
    '{"prompt": nothing here}': "unreadable:not-json",
    '"a line of text"': None,
}


# Each example is a whole run, so a failing one is shown as it was found.
@settings(
    max_examples=25, deadline=None, suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)  # fmt: skip
@given(st.lists(st.sampled_from(list(LINES)), min_size=1, max_size=30))
def test_every_record_is_accounted_for(lines: list[str]) -> None:
    with own_folder() as work:
        (work / "rows.jsonl").write_text("\n".join([json.dumps(plain(0)), *lines]) + "\n")
        privacy = {"types": {"CREDIT_CARD": "quarantine"}}
        configure(["rows.jsonl"], privacy=privacy, data={"max_quarantine": 1})
        assert prep() == 0
        wanted = [None, *(LINES[line] for line in lines)]
        lost = {row["record"]: row["reasons"] for row in rows("quarantine.jsonl")}
        assert lost == {n: [reason] for n, reason in enumerate(wanted, 1) if reason}
        assert sorted(n for _, n in shipped()) == [n for n, r in enumerate(wanted, 1) if not r]
        total, train, holdout, quarantine, dropped = counts()
        assert (total, quarantine, dropped) == (len(wanted), len(lost), 0)
        written = [Path("out/ship", f"{s}.jsonl").read_text() for s in ("train", "holdout")]
        assert [text.count("\n") for text in written] == [train, holdout]
        assert sum(report()["reasons"].values()) == quarantine


def test_order_is_the_inputs(work: Path) -> None:
    write_rows(work / "rows.jsonl", [{"prompt": f"Row {n}", "completion": "x"} for n in range(60)])
    configure(["rows.jsonl"])
    assert prep() == 0
    for split in ("train", "holdout"):
        lines = (work / "out" / "ship" / f"{split}.jsonl").read_text().splitlines()
        numbers = [int(json.loads(line)["prompt"].split()[1]) for line in lines]
        assert numbers == sorted(numbers)
        assert numbers


def test_inputs_and_output_come_from_the_command_line_too(work: Path) -> None:
    for name in ("a", "b"):
        write_rows(work / f"{name}.jsonl", [plain(ord(name))])
    (work / "privatune.yaml").write_text("privacy: {detectors: [rules]}\n")
    assert prep("--output", "there", "--input", "a.jsonl", "b.jsonl") == 0
    assert len(texts("there")) == 2


def test_a_second_run_at_the_same_output_is_refused(
    work: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    import fcntl

    write_rows(work / "rows.jsonl", [plain(1)])
    configure(["rows.jsonl"])
    (work / ".out.partial").mkdir()
    with (work / ".out.partial" / "lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        assert prep() == 2
        assert "another `prep`" in capsys.readouterr().err
    assert prep() == 0


# ---- what check must see


@pytest.fixture
def checked(work: Path, capsys: pytest.CaptureFixture[str]) -> Callable[[], list[str]]:
    """Two records that share an address and a third with another one, prepared."""
    other = {"prompt": "Mail b@zq.example", "completion": "Sent."}
    write_rows(work / "rows.jsonl", [PAIR, {**PAIR, "completion": "Done."}, other])
    configure(["rows.jsonl"], holdout={"fraction": 0})
    assert prep() == 0

    def check() -> list[str]:
        seal_again()
        capsys.readouterr()
        code = cli.run(["check", "out", "--json"])
        told = json.loads(capsys.readouterr().out)
        found = [v["violation"] for v in told["violations"]]
        assert code == (1 if found else 0)
        assert told["tier"] == "with keep and key"
        assert "zq.example" not in json.dumps(told)
        return found

    return check


def put_mail(number: int, mail: str) -> None:
    """Write another address into the prompt of a shipped record, and its span into the edits."""
    train = Path("out/ship/train.jsonl")
    lines = train.read_text().splitlines()
    record = json.loads(lines[number - 1])
    lines[number - 1] = json.dumps({**record, "prompt": f"Mail {mail}"})
    train.write_text("\n".join(lines) + "\n")
    change_edit(number, end=5 + len(mail))


def change_edit(number: int, **more: Any) -> None:
    edits = Path("out/keep/edits.jsonl")
    head, *found = edits.read_text().splitlines()
    changed = [json.loads(line) for line in found]
    changed = [row | more if row["record"] == number else row for row in changed]
    edits.write_text("\n".join([head, *map(json.dumps, changed)]) + "\n")


def mail_of(number: int) -> str:
    return json.loads(texts()[number - 1])["prompt"].removeprefix("Mail ")


def test_check_passes_what_is_as_it_was(checked: Callable[[], list[str]]) -> None:
    assert checked() == []


@pytest.mark.parametrize("place", [{"path": "answer"}, {"start": 5, "end": 900}, {"kind": "key"}])
def test_check_sees_an_edit_that_points_nowhere(
    checked: Callable[[], list[str]], place: dict[str, Any]
) -> None:
    change_edit(1, **place)
    assert "edit" in checked()


def test_check_sees_a_surrogate_that_is_an_original(checked: Callable[[], list[str]]) -> None:
    put_mail(3, "b@zq.example")
    assert "surrogate-is-original" in checked()


def test_check_sees_another_records_original(checked: Callable[[], list[str]]) -> None:
    put_mail(3, "A@zq.example")
    assert "surrogate-is-original" in checked()


def test_check_sees_that_records_no_longer_agree(checked: Callable[[], list[str]]) -> None:
    put_mail(2, "karlom@copperlane.example")
    assert set(checked()) == {"agreement"}  # at every place of that value


def test_check_sees_that_two_values_share_a_surrogate(checked: Callable[[], list[str]]) -> None:
    put_mail(3, mail_of(1))
    assert set(checked()) == {"collision"}  # at every place of that surrogate


def test_check_sees_a_finding_that_no_edit_covers(checked: Callable[[], list[str]]) -> None:
    edits = Path("out/keep/edits.jsonl")
    head, *found = edits.read_text().splitlines()
    edits.write_text("\n".join([head, *found[:-1]]) + "\n")
    assert checked() == ["leak"]


def test_check_sees_a_record_on_both_sides(checked: Callable[[], list[str]]) -> None:
    train = Path("out/ship/train.jsonl").read_text().splitlines()
    Path("out/ship/holdout.jsonl").write_text(train[0] + "\n")
    found = checked()
    assert "split" in found
    assert "reconciliation" in found


def test_check_sees_a_line_that_is_no_json(checked: Callable[[], list[str]]) -> None:
    lines = Path("out/ship/train.jsonl").read_text().splitlines()
    Path("out/ship/train.jsonl").write_text("\n".join([*lines[:2], "{}", "{'a': 1}"]) + "\n")
    code = cli.run(["check", "out", "--json"])
    assert code == 1  # the hash already tells
    seal_again()
    shutil.rmtree("out/keep")
    code = cli.run(["check", "out", "--json"])
    assert code == 1


# ---- a terminal


def on_terminal(work: Path, *arguments: str) -> tuple[int, str]:
    """Exit code, and what a terminal on standard error was sent."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "pipeline", *arguments], cwd=work, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=theirs, env={**os.environ, "TERM": "xterm"},
    ) as child:  # fmt: skip
        os.close(theirs)
        sent = b""
        while True:
            try:
                piece = os.read(ours, 4096)
            except OSError:  # Linux says so when the other end is closed
                break
            if not piece:
                break
            sent += piece
        child.communicate()
    os.close(ours)
    return child.returncode, sent.decode(errors="replace")


@pytest.mark.slow
def test_a_terminal_shows_progress(work: Path) -> None:
    write_rows(work / "rows.jsonl", [chat(n) for n in range(200)])
    configure(["rows.jsonl"])
    code, sent = on_terminal(work, "prep")
    assert code == 0
    assert re.search(r"scanning\W.*\d+ records", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", sent))
    assert "writing" in sent
    assert "zqcanary" not in sent.lower()


@pytest.mark.slow
def test_nothing_but_a_terminal_shows_progress(work: Path) -> None:
    write_rows(work / "rows.jsonl", [chat(n) for n in range(200)])
    configure(["rows.jsonl"])
    piped = privatune("prep", cwd=work)
    assert (piped.returncode, piped.stderr) == (0, "")
    code, sent = on_terminal(work, "prep", "--force", "--quiet")
    assert (code, sent) == (0, "")


# ---- the newcomer's path


@pytest.mark.slow
def test_the_configuration_of_init_prepares_the_sample(work: Path) -> None:
    shutil.copytree(ROOT / "sample_data", work / "data")
    (work / "data" / "privatune.yaml").unlink()
    files = ("support_chats.jsonl", "instructions.json", "conversations.jsonl")
    made = privatune(
        "init", *(f"data/{name}" for name in files), "--requests", "data/requests/production.jsonl",
        cwd=work,
    )  # fmt: skip
    assert made.returncode == 0, made.stderr
    done = privatune("prep", "--json", cwd=work)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["counts"]["quarantine"] == 0
    assert told["counts"]["records"] > 20
    again = privatune("check", told["output"], cwd=work)
    assert again.returncode == 0, again.stdout


def test_without_its_lists_a_check_stops_before_the_fresh_scan(work: Path) -> None:
    """An allowed value would look like a leak: the tier says what was not checked."""
    write_rows(work / "rows.jsonl", [chat(1), *map(plain, range(30))])
    (work / "privatune.yaml").write_text(
        "data: {inputs: [rows.jsonl], output: out}\n"
        "privacy:\n  detectors: [rules]\n"
        "  allow: [{value: zqcanary1@mail.example, reason: a public address}]\n"
    )
    assert privatune("prep", cwd=work).returncode == 0
    assert "with keep and key; holds" in privatune("check", "out", cwd=work).stdout
    (work / "privatune.yaml").unlink()
    done = privatune("check", "out", cwd=work)
    assert done.returncode == 0
    assert "tier reached: ship alone" in done.stdout
    assert "--config" in done.stdout
