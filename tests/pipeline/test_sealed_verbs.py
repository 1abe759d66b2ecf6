"""Whole runs of `train`, `compare` and `export`: no socket, and no word of a record outside ship/."""

from __future__ import annotations

import json
import logging
import os
import shutil
import subprocess
import sys

import pytest

from pipeline import cli
from tests.conftest import privatune
from tests.pipeline.small import FACT, Home, record
from tests.trainer.seal.inside import has
from tests.trainer.seal.tracing import STRACE, leaks

pytestmark = [pytest.mark.train, pytest.mark.slow]
WORD = "zqcanary"
VERBS = (["train"], ["compare", "run"], ["export", "run", "--no-gguf"])


# ---- egress


@pytest.mark.skipif(shutil.which("strace") is None, reason="needs strace, see .ci/run")
def test_no_socket_over_whole_runs(home):
    """System calls of each verb, its check and its children, without `CI`."""
    if not has("seccomp"):
        pytest.skip("without the kernel's seal the trace holds the tries of the proof alone")
    home.change(train={"epochs": 1})
    environment = {name: value for name, value in os.environ.items() if name != "CI"}
    for verb in VERBS:
        trace = home.root / "trace"
        done = subprocess.run(
            [*STRACE, "-o", str(trace), sys.executable, "-m", "pipeline", *verb],
            cwd=home.root, env=environment, stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert leaks(trace.read_text()) == [], verb


# ---- silence


@pytest.fixture(scope="module")
def canaries_made(folder_made, tmp_path_factory):
    """Every record has the word in its first and its last turn; nothing else has."""
    home = Home.copy(folder_made, tmp_path_factory.mktemp("canaries") / "home")
    rows = [record(n, f"{FACT} {WORD} {n}.", f"Answer about {WORD}.") for n in range(40)]
    home.prepare(rows)
    home.change(train={"epochs": 1, "save_steps": 2})
    return home


@pytest.fixture
def canaries(canaries_made, tmp_path, monkeypatch):
    made = Home.copy(canaries_made, tmp_path / "home")
    monkeypatch.chdir(made.root)
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    return made


def holds_no_word(root, said=""):
    """What a run may show: its adapter and tokenizer learned nothing readable."""
    assert WORD not in said.lower()
    for path in root.rglob("*"):
        assert WORD not in path.name.lower()
        assert not path.is_file() or WORD.encode() not in path.read_bytes().lower(), path


KILLED = """
import os, signal, sys
class Hook:
    def find_spec(self, name, path=None, target=None):
        if name == "trl.trainer.sft_trainer":
            from transformers.trainer_callback import CallbackHandler
            CallbackHandler.on_epoch_end = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
sys.meta_path.insert(0, Hook())
"""


def test_a_run_tells_nothing_of_its_records(canaries, tmp_path):
    """Nor do checkpoints, caches and temporary files of one that is killed half way."""
    home, temporary = canaries, tmp_path / "temporary"
    temporary.mkdir()
    done = privatune("train", cwd=home.root, TMPDIR=str(temporary))
    assert done.returncode == 0, done.stderr
    holds_no_word(home.root / "run", done.stdout + done.stderr)
    holds_no_word(temporary)
    shutil.rmtree(home.root / "run")
    (tmp_path / "sitecustomize.py").write_text(KILLED)
    place = f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"
    done = privatune("train", cwd=home.root, TMPDIR=str(temporary), PYTHONPATH=place)
    assert done.returncode == -9
    assert list((home.root / "run/checkpoints").iterdir())
    holds_no_word(home.root / "run", done.stdout + done.stderr)
    holds_no_word(temporary)


def test_compare_and_export_say_nothing_of_records(canaries, unsealed, capsys):
    """Answers side by side lie in compare/, which is what it is for; nothing is said of them."""
    assert cli.run(["train"]) == 0
    for verb in VERBS[1:]:
        done = privatune(*verb, cwd=canaries.root)
        assert done.returncode == 0, done.stderr
        assert WORD not in (done.stdout + done.stderr).lower()
    for name in ("export", "adapter", "tokenizer"):
        holds_no_word(canaries.root / "run" / name)


def broken(kind):
    """A stage that breaks with a record in its message, as careless libraries do."""

    def stage(*arguments, **more):
        raise kind(f"could not read {WORD}@mail.example in {arguments!r}"[:500])

    return stage


STAGES = [
    "pipeline.train_run._made",
    "pipeline.train_run._body",
    "pipeline.run_folder.start",
    "trainer.tokenizer.load_tokenizer",
    "trainer.templates.make_template",
    "trainer.examples.label",
    "trainer.model_folder.model_hash",
    "trainer.fit.built",
    "trainer.build.to_dataset",
    "trainer.build.load_base",
    "trainer.flat.flat_row",
    "trainer.sft.row_loss",
    "trainer.sft.FlatTrainer.holdout_loss",
    "trainer.watch.mark",
    "trainer.fit._save_adapter",
]


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_that_breaks_is_silent(canaries, stage, unsealed, monkeypatch, capsys):
    home = canaries
    log = home.root / "all.log"
    handler = logging.FileHandler(log)
    logging.getLogger().addHandler(handler)
    monkeypatch.setattr(stage, broken(ValueError))
    try:
        code = cli.run(["train"])
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
    out, err = capsys.readouterr()
    assert code in (2, 3)
    holds_no_word(home.root / "run", out + err + log.read_text())
    books = home.root / "run/run.json"
    assert not books.exists() or json.loads(books.read_text())["status"] == "stopped"
