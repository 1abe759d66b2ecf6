"""Several processes train what one does, and end together."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import read_rows
from tests.trainer.tiny_models import examples, make_job, write_model
from trainer import ranks

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.train
# 13 records in steps of 4: the last step has one record, fewer than there are processes.
LENGTHS = (5, 40, 7, 90, 12, 33, 3, 61, 20, 2, 15, 48, 27)
SCRIPT = """
import json, sys
from pathlib import Path
import torch
torch.set_num_threads(1)
from tests.trainer.tiny_models import examples, make_job
from trainer import ranks
from trainer.fit import fit
run, folder, fail = sys.argv[1:4]
def tick(step, steps, loss):
    if fail == "first" and step == 2:
        sys.exit(3)
said = []
job = make_job(Path(run), Path(folder), examples({lengths}), examples((30, 4, 55), 5),
               dropout=0.0, save_steps=1, tick=tick, said=said)
outcome = fit(job)
if ranks.is_first():
    Path(run, "outcome.json").write_text(json.dumps([outcome.as_dict(), said]))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("ranks") / "model")


def start(run, folder, monkeypatch, count=2, fail="no"):
    for name in (ranks.RANK, ranks.COUNT, "LOCAL_RANK"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    code = SCRIPT.replace("{lengths}", str(LENGTHS))
    ranks.start([sys.executable, "-c", code, str(run), str(folder), fail], count)


def losses(run):
    return [row["loss"] for row in read_rows(run / "metrics.jsonl") if "loss" in row]


@pytest.mark.slow
def test_two_processes_learn_what_one_does_and_go_on_after_a_failure(folder, tmp_path, monkeypatch):
    from safetensors.torch import load_file

    from tests.trainer.tiny_models import apart
    from trainer.fit import fit

    alone = make_job(
        tmp_path / "alone", folder, examples(LENGTHS), examples((30, 4, 55), 5), dropout=0.0
    )
    expected = fit(alone)
    both = tmp_path / "both"
    both.mkdir()
    with pytest.raises(ranks.RankFailed, match="Process 0 of 2 ended with exit code 3"):
        start(both, folder, monkeypatch, fail="first")
    start(both, folder, monkeypatch)
    outcome, said = json.loads((both / "outcome.json").read_text())
    assert outcome["resumed_at"] == 1
    assert any("checkpoint-1" in words for words in said)
    assert outcome["steps"] == expected.steps == 8
    assert outcome["tokens"] == expected.tokens
    assert losses(both) == pytest.approx(losses(alone.run), rel=2e-3)
    assert outcome["holdout_losses"] == pytest.approx(expected.holdout_losses, rel=2e-3)
    tuned = [load_file(run / "adapter" / "adapter_model.safetensors") for run in (both, alone.run)]
    assert apart(*tuned) < 0.02  # in 16 bits


WAITS = "import os, sys, time; os.environ['RANK'] == '0' and sys.exit(4); {more}; time.sleep(99)"


@pytest.mark.parametrize("more", ["pass", "import signal; signal.signal(15, signal.SIG_IGN)"])
def test_one_that_does_not_listen_is_ended_all_the_same(monkeypatch, more):
    monkeypatch.setattr(ranks, "PATIENCE", 0.3)
    with pytest.raises(ranks.RankFailed, match="exit code 4"):
        ranks.start([sys.executable, "-c", WAITS.format(more=more)], 2)
    here = subprocess.run(
        ["ps", "--ppid", str(os.getpid()), "-o", "args="],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "time.sleep(99)" not in here.stdout


def test_each_process_is_told_its_place(tmp_path):
    code = (
        "import os, sys; names = ('RANK', 'LOCAL_RANK', 'WORLD_SIZE', 'MASTER_ADDR', 'MASTER_PORT');"
        "open(sys.argv[1] + os.environ['RANK'], 'w').write(' '.join(os.environ[n] for n in names))"
    )
    ranks.start([sys.executable, "-c", code, str(tmp_path / "told")], 3)
    told = [(tmp_path / f"told{i}").read_text().split() for i in range(3)]
    assert [one[:4] for one in told] == [[str(i), str(i), "3", "127.0.0.1"] for i in range(3)]
    assert len({one[4] for one in told}) == 1


def test_peers_are_the_master_and_those_that_are_named(monkeypatch):
    monkeypatch.delenv("RANK", raising=False)
    assert ranks.peers() == ()
    for name, value in {"RANK": "1", "WORLD_SIZE": "4", "MASTER_ADDR": "node-a",
                        "PRIVATUNE_PEERS": "node-b, node-a,,node-c"}.items():  # fmt: skip
        monkeypatch.setenv(name, value)
    assert ranks.peers() == ("node-a", "node-b", "node-c")
    assert not ranks.is_first()
    assert ranks.process_count() == 4


def test_outside_a_distributed_run_nothing_is_shared(monkeypatch):
    monkeypatch.delenv("RANK", raising=False)
    assert ranks.least(7, "cpu") == 7
    assert ranks.from_first(["x"]) == ["x"]
    ranks.wait()


@pytest.mark.parametrize(
    ("batch", "times", "count", "each"),
    [(4, 4, 1, (4, 4)), (4, 4, 2, (4, 2)), (4, 4, 8, (2, 1)), (2, 3, 2, (1, 3)), (3, 1, 3, (1, 1))],
)
def test_padded_batches_keep_the_records_of_a_step(monkeypatch, batch, times, count, each):
    from dataclasses import replace

    from trainer.arguments import _batch
    from trainer.recipe import REFERENCE

    monkeypatch.setenv("WORLD_SIZE", str(count))
    recipe = replace(REFERENCE, batch_size=batch, gradient_accumulation=times)
    assert _batch(recipe, flat=False) == each
    assert each[0] * each[1] * count == recipe.effective_batch
    assert _batch(recipe, flat=True) == (recipe.effective_batch, 1)


def test_padded_batches_that_cannot_be_shared_out_are_refused(monkeypatch):
    from trainer.arguments import _batch
    from trainer.base import BaseError
    from trainer.recipe import REFERENCE

    monkeypatch.setenv("WORLD_SIZE", "3")
    with pytest.raises(BaseError, match=r"train\.processes"):
        _batch(REFERENCE, flat=False)
