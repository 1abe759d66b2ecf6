"""Invariant 2: preparation opens no connection, in Python or below it, with `CI` unset."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import write_rows
from tests.pipeline.rows import chat, plain

SOCKET = re.compile(r"\b(?:socket|connect|sendto|sendmsg|bind)\(")

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace, see .ci/run"),
]


def calls_outside(work: Path, *arguments: str) -> list[str]:
    """Lines of strace that name a socket which is not AF_UNIX, over a whole command."""
    trace = work / "trace"
    environment = {k: v for k, v in os.environ.items() if k != "CI"}
    command = ["strace", "-f", "-qq", "-e", "trace=network", "-o", str(trace), sys.executable]
    done = subprocess.run(
        [*command, "-m", "pipeline", *arguments], cwd=work, env=environment,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode in (0, 1), done.stderr
    lines = trace.read_text().splitlines()
    return [line for line in lines if SOCKET.search(line) and "AF_UNIX" not in line]


@pytest.fixture
def prepared(work: Path) -> Path:
    import pandas as pd

    write_rows(work / "rows.jsonl", [*map(chat, range(6)), *map(plain, range(20))])
    pd.DataFrame([plain(n) for n in range(20, 24)]).to_parquet(work / "more.parquet")
    (work / "privatune.yaml").write_text(
        "data: {inputs: [rows.jsonl, more.parquet], output: out}\n"
    )
    assert calls_outside(work, "prep") == []
    return work


def test_no_verb_opens_a_socket(prepared: Path) -> None:
    """`prep` is traced in the fixture; a real e-mail domain would make a careless one fetch."""
    for arguments in (
        ["audit", "rows.jsonl"],
        ["audit", "--fast", "rows.jsonl"],
        ["check", "out"],
        ["init", "rows.jsonl", "--output", "new.yaml"],
        ["models", "list"],
        ["models", "verify"],
    ):
        assert calls_outside(prepared, *arguments) == [], arguments


def test_a_saved_data_set_is_read_without_a_socket(work: Path) -> None:
    import datasets

    datasets.Dataset.from_list([plain(n) for n in range(30)]).save_to_disk(str(work / "saved"))
    assert calls_outside(work, "prep", "--input", "saved", "--output", "out") == []
    assert (work / "out" / "ship" / "train.jsonl").exists()


def test_the_trace_sees_a_socket(work: Path) -> None:
    """A check that could not fail would prove nothing."""
    (work / "sitecustomize.py").write_text("import socket; socket.socket(socket.AF_INET)")
    os.environ["PYTHONPATH"] = str(work)
    try:
        assert calls_outside(work, "models", "list")
    finally:
        del os.environ["PYTHONPATH"]


def test_the_suffix_list_switch_is_what_keeps_presidio_silent(work: Path) -> None:
    """Without the empty variable tldextract asks the network: the guard is real."""
    code = (
        "import tldextract, logging\n"
        "try: tldextract.TLDExtract(cache_dir=None)('mail.example.co.uk')\n"
        "except Exception: pass\n"
    )
    trace = work / "trace"
    environment = {k: v for k, v in os.environ.items() if "TLDEXTRACT" not in k}
    subprocess.run(
        ["strace", "-f", "-qq", "-e", "trace=network", "-o", str(trace), sys.executable, "-c", code],
        env=environment, capture_output=True, check=False, timeout=120,
    )  # fmt: skip
    assert any("AF_INET" in line for line in trace.read_text().splitlines())
