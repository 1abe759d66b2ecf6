"""Whole runs on tiny models in real NF4: equal twice, equal after a kill, stopped where they must."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from tests.conftest import read_rows
from tests.trainer.tiny_models import (
    NONE,
    as_set,
    examples,
    make_job,
    write_model,
)

pytestmark = [pytest.mark.train, pytest.mark.slow]
HELD = (30, 4, 55)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("fit") / "model")


def run(job):
    from trainer.fit import fit

    return fit(job)


def losses(run_folder, name="loss"):
    return [row[name] for row in read_rows(run_folder / "metrics.jsonl") if name in row]


def weights(run_folder):
    from safetensors.torch import load_file

    return load_file(run_folder / "adapter" / "adapter_model.safetensors")


def same(first, second):
    import torch

    return first.keys() == second.keys() and all(torch.equal(first[n], second[n]) for n in first)


@pytest.fixture(scope="module")
def whole(folder, tmp_path_factory):
    """An unbroken run with dropout and a holdout: 2 epochs of 3 steps."""
    job = make_job(tmp_path_factory.mktemp("whole") / "run", folder, holdout=examples(HELD, 5))
    return job, run(job)


def test_two_runs_with_one_seed_are_equal(folder, whole, tmp_path):
    job = make_job(tmp_path / "run", folder, holdout=examples(HELD, 5))
    found = run(job)
    assert losses(job.run) == losses(whole[0].run)
    assert same(weights(job.run), weights(whole[0].run))
    assert found.train_loss == whole[1].train_loss
    assert found.holdout_losses == whole[1].holdout_losses


def test_another_seed_is_another_run(folder, whole, tmp_path):
    job = make_job(tmp_path / "run", folder, holdout=examples(HELD, 5), seed=43)
    run(job)
    assert losses(job.run) != losses(whole[0].run)


def test_two_builds_with_one_seed_have_equal_adapters(folder, tmp_path):
    import torch

    from trainer import attention
    from trainer.build import built

    attention.register()
    made = []
    for number in range(2):
        torch.manual_seed(number)  # what was drawn before must not matter
        trainer, _ = built(make_job(tmp_path / str(number), folder), torch.device("cpu"))
        made.append({n: w.detach() for n, w in trainer.model.named_parameters() if "lora_" in n})
    assert same(*made)
    assert any(value.any() for name, value in made[0].items() if "lora_A" in name)


def test_what_a_run_leaves(whole):
    job, outcome = whole
    assert {path.name for path in (job.run / "adapter").iterdir()} == {
        "adapter_config.json", "adapter_model.safetensors",
    }  # fmt: skip
    config = json.loads((job.run / "adapter" / "adapter_config.json").read_text())
    assert config["base_model_name_or_path"] == job.model.name
    assert str(job.run.parent) not in json.dumps(config)
    assert str(job.model.root.parent) not in json.dumps(config)
    found = weights(job.run)
    assert {str(value.dtype) for value in found.values()} == {"torch.bfloat16"}
    assert any(value.any() for name, value in found.items() if "lora_B" in name)
    assert all("lora_" in name for name in found)
    assert outcome.steps == 6
    assert outcome.tokens == 2 * job.train.stats.tokens
    assert outcome.layout["isolation"]["logits"] < 0.05
    rows = read_rows(job.run / "metrics.jsonl")
    assert [row["step"] for row in rows] == [1, 2, 3, 3, 4, 5, 6, 6]
    assert rows[-2]["tokens"] == outcome.tokens
    assert outcome.train_loss == pytest.approx(sum(losses(job.run)) / 6)
    json.dumps(outcome.as_dict())


def test_the_tokenizer_is_left_as_it_was(folder, tmp_path):
    job = make_job(tmp_path / "run", folder, epochs=1)
    before = job.tokenizer.to_dict() if hasattr(job.tokenizer, "to_dict") else None
    pad = job.tokenizer.pad_token
    run(job)
    assert job.tokenizer.pad_token == pad
    assert (job.tokenizer.to_dict() if before is not None else None) == before


@pytest.mark.parametrize("method", ["qlora", "lora"])
def test_only_the_adapter_is_trained_in_its_type(folder, tmp_path, method):
    import torch

    from trainer import attention
    from trainer.build import built

    attention.register()
    job = make_job(tmp_path / "run", folder, method=method)
    trainer, _ = built(job, torch.device("cpu"))
    kinds = {}
    for name, weight in trainer.model.named_parameters():
        assert weight.requires_grad == ("lora_" in name)
        part = "lora" if "lora_" in name else "norm" if "norm" in name else name.split(".")[-2]
        kinds.setdefault(part, set()).add(str(weight.dtype).split(".")[1])
    # As the libraries do it: in 16 bits over a base in 4; in 32 over one in 16, computing in 16.
    assert kinds["lora"] == ({"bfloat16"} if method == "qlora" else {"float32"})
    assert kinds["norm"] == kinds["embed_tokens"] == kinds["lm_head"] == {"bfloat16"}
    assert trainer.args.bf16 == (method == "lora")


@pytest.mark.parametrize(
    "settings",
    [{"method": "lora"}, {"targets": ("q_proj", "down_proj")}, {"schedule": "constant"},
     {"schedule": "linear", "warmup_steps": 0}],
    ids=str,
)  # fmt: skip
def test_settings_take_hold(folder, tmp_path, settings):
    job = make_job(tmp_path / "run", folder, epochs=3, **settings)
    outcome = run(job)
    assert losses(job.run)[-1] < losses(job.run)[0]
    rates = losses(job.run, "learning_rate")
    if settings.get("schedule") == "constant":
        assert rates[1:] == [5e-3] * 8  # the first is in the warm-up
    if "targets" in settings:
        names = {name.split(".")[-3] for name in weights(job.run)}
        assert names == {"q_proj", "down_proj"}
    assert outcome.layout["kind"] == "flat"


def test_a_base_already_in_4_bits_trains(folder, tmp_path):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    from trainer.base import _nf4

    four = tmp_path / "four"
    AutoModelForCausalLM.from_pretrained(
        folder,
        dtype=torch.bfloat16,
        quantization_config=_nf4(torch.bfloat16),
        device_map={"": "cpu"},
    ).save_pretrained(four)
    AutoTokenizer.from_pretrained(folder).save_pretrained(four)
    here, there = (make_job(tmp_path / n, m, epochs=1) for n, m in (("a", folder), ("b", four)))
    assert there.model.quantised == "bnb-4bit"
    run(here)
    run(there)
    assert losses(there.run) == pytest.approx(losses(here.run), rel=1e-3)


class Stop(BaseException):
    pass


def stopped(job, step):
    """Run a job up to a step, as an interruption leaves it."""

    def tick(now, steps, loss):
        if now == step:
            raise Stop

    with pytest.raises(Stop):
        run(replace(job, tick=tick))


@pytest.mark.parametrize(("step", "save"), [(2, 1), (4, 1), (3, 2), (6, 3), (5, None), (1, 1)])
def test_a_run_that_was_stopped_ends_as_an_unbroken_one(folder, whole, tmp_path, step, save):
    said = []
    job = make_job(tmp_path / "run", folder, holdout=examples(HELD, 5), save_steps=save, said=said)
    stopped(job, step)
    outcome = run(job)
    reached = step - 1 if save == 1 else 3 if step > 3 else 2 if (step, save) == (3, 2) else 0
    assert outcome.resumed_at == (reached or None)
    assert any(f"checkpoint-{reached}." in words for words in said) == bool(reached)
    assert losses(job.run) == losses(whole[0].run)
    assert losses(job.run, "holdout_loss") == losses(whole[0].run, "holdout_loss")
    assert same(weights(job.run), weights(whole[0].run))
    same_fields = ("steps", "best_epoch", "train_loss", "holdout_losses", "tokens", "epochs")
    assert [getattr(outcome, n) for n in same_fields] == [getattr(whole[1], n) for n in same_fields]


SCRIPT = f"""
import sys
from pathlib import Path
from tests.trainer.tiny_models import examples, make_job
from trainer.fit import fit
import torch
torch.set_num_threads(1)
fit(make_job(Path(sys.argv[1]), Path(sys.argv[2]), holdout=examples({HELD}, 5), save_steps=1))
"""


def test_a_killed_process_is_gone_on_from(folder, whole, tmp_path):
    import time

    job = make_job(tmp_path / "run", folder, holdout=examples(HELD, 5), save_steps=1)
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT, job.run, folder], cwd=Path(__file__).parents[2],
        env={**os.environ, "OMP_NUM_THREADS": "1"}, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    target, end = random.Random(os.getpid()).randrange(1, 6), time.monotonic() + 120
    books = job.run / "metrics.jsonl"
    while time.monotonic() < end and process.poll() is None:
        if books.is_file() and books.read_bytes().count(b'"loss"') >= target:
            break
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert books.is_file(), "the process ended before its first step"
    run(job)
    assert losses(job.run) == losses(whole[0].run)
    assert same(weights(job.run), weights(whole[0].run))


@pytest.mark.parametrize("how", ["cut", "flip", "gone", "unmarked"])
def test_a_damaged_checkpoint_is_passed_over_and_said(folder, whole, tmp_path, how):
    from trainer.checkpoints import MARK
    from trainer.fit import SPOILED

    said = []
    job = make_job(tmp_path / "run", folder, holdout=examples(HELD, 5), save_steps=1, said=said)
    stopped(job, 6)
    newest = job.run / "checkpoints" / "checkpoint-5"
    path = newest / ("adapter_model.safetensors" if how != "gone" else "optimizer.pt")
    content = path.read_bytes()
    if how == "cut":
        path.write_bytes(content[:-7])
    elif how == "flip":
        path.write_bytes(content[:900] + bytes([content[900] ^ 4]) + content[901:])
    else:
        (path if how == "gone" else newest / MARK).unlink()
    books = job.run / "metrics.jsonl"
    books.write_bytes(books.read_bytes() + b'{"step": 6, "epo')
    outcome = run(job)
    assert (outcome.resumed_at, outcome.spoiled) == (4, ("checkpoint-5",))
    assert SPOILED.format(names="checkpoint-5") in said
    assert losses(job.run) == losses(whole[0].run)
    assert same(weights(job.run), weights(whole[0].run))


def test_a_run_folder_that_was_moved_goes_on_with_its_best_epoch(folder, whole, tmp_path):
    job = make_job(tmp_path / "here", folder, holdout=examples(HELD, 5), save_steps=1)
    stopped(job, 6)
    moved = replace(job, run=job.run.rename(tmp_path / "there"))
    run(moved)
    assert losses(moved.run) == losses(whole[0].run)
    assert same(weights(moved.run), weights(whole[0].run))


def learnt_by_heart(tmp_path, folder, **more):
    """A run whose holdout says the opposite of its records, so that its loss rises."""
    draw = random.Random(3)
    prompt = [draw.randrange(2, 400) for _ in range(6)]
    good, bad = [7, 8, 9, 10], [300, 301, 302, 303]
    ones = [
        [
            replace(one, ids=prompt + answer, labels=[-100] * 6 + answer)
            for one in examples([10] * n).rows
        ]
        for answer, n in ((good, 8), (bad, 1))
    ]
    return make_job(tmp_path / "run", folder, as_set(ones[0]), as_set(ones[1]), epochs=4, **more)


def test_the_best_epoch_is_kept_and_over_fitting_said(folder, tmp_path):
    from trainer.advice import advice
    from trainer.base import load_tuned
    from trainer.losses import losses as measured

    said = []
    job = learnt_by_heart(tmp_path, folder, learning_rate=2e-2, said=said, dropout=0.0)
    outcome = run(job)
    held = outcome.holdout_losses
    assert held[-1] > min(held)
    assert held[outcome.best_epoch - 1] == min(held)
    assert outcome.best_epoch < 4
    assert advice("over-fitting") in said
    tuned = load_tuned(job.model, job.run / "adapter", "qlora", "cpu")
    (kept,) = measured(tuned, job.holdout.rows)
    assert kept.mean == pytest.approx(min(held), rel=0.02)
    assert abs(kept.mean - held[-1]) > 0.05


def test_without_a_holdout_the_last_epoch_is_kept(folder, tmp_path):
    job = learnt_by_heart(tmp_path, folder)
    job = replace(job, holdout=NONE)
    outcome = run(job)
    assert (outcome.best_epoch, outcome.holdout_losses) == (None, ())
    last = job.run / "checkpoints" / f"checkpoint-{outcome.steps}"
    from safetensors.torch import load_file

    assert same(weights(job.run), load_file(last / "adapter_model.safetensors"))


@pytest.mark.parametrize("when", ["first", "later", "last"])
def test_a_loss_that_is_no_number_stops_the_run_before_it_spoils_the_adapter(
    folder, tmp_path, monkeypatch, when
):
    import torch

    from trainer import sft
    from trainer.advice import advice
    from trainer.guard import RunStopped

    at = {"first": 1, "later": 4, "last": 6}[when]
    job = make_job(tmp_path / "run", folder, save_steps=1)
    calls = []
    plain = sft.row_loss

    def poisoned(parts, row):
        calls.append(1)
        return plain(parts, row) * (float("nan") if len(calls) == at else 1.0)

    monkeypatch.setattr(sft, "row_loss", poisoned)
    with pytest.raises(RunStopped) as told:
        run(job)
    assert str(told.value) == advice("nan")
    assert not (job.run / "adapter").exists()
    assert losses(job.run) == [value for value in losses(job.run) if value == value]
    from trainer.checkpoints import latest

    found, spoiled = latest(job.run / "checkpoints")
    assert spoiled == []
    assert (found.name if found else None) == (f"checkpoint-{at - 1}" if at > 1 else None)
    if found:
        from safetensors.torch import load_file

        kept = load_file(found / "adapter_model.safetensors")
        assert all(torch.isfinite(value).all() for value in kept.values())
    monkeypatch.setattr(sft, "row_loss", plain)
    assert run(job).steps == 6  # what was good goes on


def test_a_learning_rate_beyond_all_reason_stops_it_too(folder, tmp_path):
    from trainer.guard import RunStopped

    job = make_job(tmp_path / "run", folder, learning_rate=1e30, warmup_steps=0)
    with pytest.raises(RunStopped, match=r"train\.learning_rate"):
        run(job)
    assert not (job.run / "adapter").exists()


def test_gradients_of_zero_stop_the_run(folder, tmp_path, monkeypatch):
    from trainer import sft
    from trainer.advice import advice
    from trainer.guard import RunStopped

    plain = sft.row_loss
    monkeypatch.setattr(sft, "row_loss", lambda parts, row: plain(parts, row) * 0.0)
    with pytest.raises(RunStopped) as told:
        run(make_job(tmp_path / "run", folder))
    assert str(told.value) == advice("no-signal")


@pytest.mark.parametrize("kind", ["gemma2-bent", "mixture", "convolution"])
def test_what_flat_rows_are_not_for_trains_in_padded_batches(tmp_path, kind):
    from trainer.build import PADDED

    said = []
    model = write_model(tmp_path / "model", kind)
    job = make_job(
        tmp_path / "run", model, holdout=examples(HELD, 5), epochs=4, save_steps=1, said=said,
        dropout=0.0 if kind == "mixture" else 0.05,
    )  # fmt: skip
    outcome = run(job)
    assert outcome.layout == {"kind": "padded"}
    assert PADDED in said
    assert outcome.tokens == 4 * job.train.stats.tokens
    assert len(outcome.holdout_losses) == 4
    assert losses(job.run)[-1] < losses(job.run)[0]
    assert {path.name for path in (job.run / "adapter").iterdir()} == {
        "adapter_config.json", "adapter_model.safetensors",
    }  # fmt: skip
    assert job.tokenizer.pad_token is None  # as the tiny tokenizer has none
    again = replace(job, run=tmp_path / "again")
    again.run.mkdir()
    stopped(again, 5)
    found = run(again)
    assert found.resumed_at == 4
    assert losses(again.run) == losses(job.run)
    assert (found.tokens, found.holdout_losses) == (outcome.tokens, outcome.holdout_losses)


def test_an_adapter_that_would_not_be_trained_is_refused(folder, tmp_path):
    from trainer.base import BaseError
    from trainer.build import NO_DROPOUT, NO_HEAD

    with pytest.raises(BaseError) as told:
        run(make_job(tmp_path / "run", folder, targets=("q_proj", "lm_head")))
    assert str(told.value) == NO_HEAD
    experts = write_model(tmp_path / "model", "mixture")
    with pytest.raises(BaseError) as told:
        run(make_job(tmp_path / "run", experts, dropout=0.05))
    assert str(told.value) == NO_DROPOUT


def test_padded_batches_stop_at_a_loss_that_is_no_number(tmp_path):
    from trainer.guard import RunStopped

    model = write_model(tmp_path / "model", "mixture")
    job = make_job(tmp_path / "run", model, learning_rate=1e30, warmup_steps=0, dropout=0.0)
    with pytest.raises(RunStopped):
        run(job)
    assert not (job.run / "adapter").exists()


def test_a_run_cut_short_to_measure_leaves_no_checkpoint(folder, tmp_path):
    job = make_job(tmp_path / "run", folder, stop_after=2, holdout=examples(HELD, 5))
    outcome = run(job)
    assert outcome.steps == 2
    assert outcome.best_epoch is None
    assert not list((job.run / "checkpoints").glob("checkpoint-*"))


def test_one_step_moves_the_adapter_also_where_layers_are_recomputed(folder, tmp_path, monkeypatch):
    from trainer import build
    from trainer.room import Room, lay_out

    def recomputed(job, trainer, parts, *_, **__):
        return lay_out(trainer.model, parts, Room(2048, 2))

    monkeypatch.setattr(build, "_room", recomputed)
    job = make_job(tmp_path / "run", folder, stop_after=1, warmup_steps=0)
    assert run(job).layout["recomputed"] == 2
    moved = [value.abs().max() for name, value in weights(job.run).items() if "lora_B" in name]
    assert len(moved) == 14
    assert min(moved) > 0


@pytest.mark.parametrize("epochs", [0.5, 1.5])
def test_parts_of_an_epoch_end_with_an_evaluation(folder, tmp_path, epochs):
    job = make_job(tmp_path / "run", folder, holdout=examples([9], 5), epochs=epochs)
    outcome = run(job)
    assert outcome.epochs == pytest.approx(epochs, abs=0.2)
    assert len(outcome.holdout_losses) == (1 if epochs < 1 else 2)


def test_one_record_longer_than_all_and_one_of_two_tokens(folder, tmp_path):
    job = make_job(tmp_path / "run", folder, examples([700, 2]), examples([2], 5), epochs=1)
    outcome = run(job)
    assert (outcome.steps, outcome.best_epoch, outcome.tokens) == (1, 1, 702)
