"""Invariant 2: preparation opens no connection, in Python or below it, with `CI` unset."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scrubbers.switches import SWITCHES
from tests.conftest import ROOT, write_rows
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


MUTATIONS = {
    "TLDEXTRACT_PUBLIC_SUFFIX_LIST_URLS": (
        "import tldextract\n"
        "try: tldextract.TLDExtract(cache_dir=None)('mail.example.co.uk')\n"
        "except Exception: pass\n"
    ),
    "ORT_DISABLE_TELEMETRY": (
        "import onnxruntime, time\n"
        "from scrubbers import weights\n"
        "path = weights.checked_folder('rampart') / 'onnx' / 'model_q4.onnx'\n"
        "onnxruntime.InferenceSession(str(path), providers=['CPUExecutionProvider'])\n"
        "time.sleep(15)  # it begins some ten seconds after the first session\n"
    ),
}


@pytest.mark.parametrize("switch", MUTATIONS)
def test_a_switch_that_is_turned_off_makes_the_trace_fire(work: Path, switch: str) -> None:
    """In a network namespace of its own, so that the attempt ends inside it."""
    own = ["unshare", "-rn"]
    if shutil.which("unshare") is None or subprocess.run([*own, "true"], check=False).returncode:
        pytest.skip("this machine makes no network namespace")
    environment = {k: v for k, v in os.environ.items() if k not in ("CI", *SWITCHES)}
    environment |= {name: value for name, value in SWITCHES.items() if name != switch}
    trace = work / "trace"
    strace = ["strace", "-f", "-qq", "-e", "trace=network", "-o", str(trace)]
    subprocess.run(
        [*own, *strace, sys.executable, "-c", MUTATIONS[switch]],
        env=environment, capture_output=True, check=False, timeout=180, cwd=ROOT,
    )  # fmt: skip
    assert "AF_INET" in trace.read_text()
