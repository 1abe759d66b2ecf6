"""Runs that end badly: words, exit code, reason in the books, and nothing lost.

They run in this process, without a seal, which could not be taken off again; what breaks is real:
files that may not grow, weights that are no numbers, templates that refuse.
"""

from __future__ import annotations

import resource
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager

import pytest

from pipeline import cli
from pipeline.errors import explain
from pipeline.train_failures import DeviceFull, DiskFull, MemoryFull, ended
from tests.pipeline.small import FACT, act_at, interrupt, record, write_base

pytestmark = [pytest.mark.train, pytest.mark.slow]


@pytest.fixture
def train(home, unsealed, capsys):
    """Run `train`; give exit code and what was said."""

    def run(*arguments):
        capsys.readouterr()
        code = cli.run(["train", *arguments])
        out, err = capsys.readouterr()
        return code, out + err

    return run


@contextmanager
def files_up_to(size):
    """No file may grow beyond `size` bytes: writing fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


# ---- going on


def test_an_interrupted_run_goes_on_as_if_unbroken(home, train, monkeypatch):
    home.change(train={"save_steps": 1})
    assert train("--output", "whole")[0] == 0
    with monkeypatch.context() as patched:
        act_at(patched, 5, interrupt)
        code, words = train()
    assert (code, "the same command goes on there" in words) == (130, True)
    assert (home.run()["status"], home.run()["reason"]) == ("stopped", "interrupted")
    code, words = train()
    assert (code, "Goes on at checkpoint-4." in words) == (0, True)
    assert home.metrics() == home.metrics("whole")
    ours, theirs = home.run(), home.run("whole")
    for key in ("train_loss", "holdout_losses", "best_epoch", "tokens", "steps"):
        assert ours["result"][key] == theirs["result"][key], key
    weights = [home.root / name / "adapter/adapter_model.safetensors" for name in ("run", "whole")]
    assert weights[0].read_bytes() == weights[1].read_bytes()
    assert not (home.root / "run/checkpoints").exists()
    assert ours["status"] == "done"
    assert "reason" not in ours


def test_an_unfinished_run_of_another_recipe_is_refused_and_stays(home, train, monkeypatch):
    home.change(train={"save_steps": 1})
    with monkeypatch.context() as patched:
        act_at(patched, 3, interrupt)
        train()
    home.change(train={"learning_rate": 0.01})
    code, words = train()
    assert (code, "recipe.learning_rate differ" in words) == (1, True)
    code, words = train("--steps", "4")
    assert (code, "stop_after" in words) == (1, True)
    assert (home.root / "run/checkpoints/checkpoint-2").is_dir()
    assert train("--restart")[0] == 0
    assert home.run()["recipe"]["learning_rate"] == 0.01
    assert home.run()["result"]["resumed_at"] is None


def spoil(folder, how):
    file = folder / "adapter_model.safetensors"
    data = bytearray(file.read_bytes())
    if how == "a bit flipped":
        data[-1] ^= 1
    else:
        data = data[: len(data) // 2]
    file.write_bytes(bytes(data))


@pytest.mark.parametrize("how", ["a bit flipped", "half of it"])
def test_a_spoiled_checkpoint_is_not_gone_on_from(home, train, monkeypatch, how):
    home.change(train={"save_steps": 1})
    assert train("--output", "whole")[0] == 0
    with monkeypatch.context() as patched:
        act_at(patched, 5, interrupt)
        train()
    spoil(home.root / "run/checkpoints/checkpoint-4", how)
    code, words = train()
    assert (code, "Goes on at checkpoint-3." in words) == (0, True)
    assert "checkpoint-4: damaged" in words
    assert home.metrics() == home.metrics("whole")
    assert home.run()["result"]["spoiled"] == ["checkpoint-4"]


def test_a_run_that_was_moved_keeps_its_best_epoch(home, train, monkeypatch):
    home.change(train={"save_steps": 1, "learning_rate": 0.5, "epochs": 3})
    assert train("--output", "whole")[0] == 0
    best = home.run("whole")["result"]["best_epoch"]
    with monkeypatch.context() as patched:
        act_at(patched, 25, interrupt)
        train()
    (home.root / "run").rename(home.root / "moved")
    assert train("--output", "moved")[0] == 0
    assert home.run("moved")["result"]["best_epoch"] == best
    weights = [home.root / n / "adapter/adapter_model.safetensors" for n in ("moved", "whole")]
    assert weights[0].read_bytes() == weights[1].read_bytes()


def test_killed_between_adapter_and_books_it_is_finished(home, train, monkeypatch):
    from pipeline import run_folder

    write_books = run_folder.write

    def cut(root, body):
        if body["status"] == "done":
            raise KeyboardInterrupt
        write_books(root, body)

    with monkeypatch.context() as patched:
        patched.setattr(run_folder, "write", cut)
        assert train()[0] == 130
    assert home.run()["status"] == "stopped"
    first = (home.root / "run/adapter/adapter_model.safetensors").read_bytes()
    assert train()[0] == 0
    assert (home.root / "run/adapter/adapter_model.safetensors").read_bytes() == first
    assert len(home.metrics()) == 20


# ---- full


@pytest.mark.parametrize("size", [1_500, 10_000, 40_000])
def test_files_that_cannot_grow_are_a_full_disk(home, train, size):
    """It is a configuration, the adapter's weights or the optimiser's state that does not fit."""
    home.change(train={"save_steps": 1})
    with files_up_to(size):
        code, words = train()
    assert code == 3
    assert "disk full: run could not be written on. Free some space" in words
    code, _ = train()
    assert code == 0
    assert [step for step, _ in home.metrics()] == [*range(1, 10), 9, *range(10, 19), 18]


TMPFS = """
set -u
mount -t tmpfs -o size=300k tmpfs run || exit 77
"$@" train --quiet; echo "code $?"
cat run/run.json > seen.json
mount -o remount,size=20m run
"$@" train --quiet; echo "code $?"
cp -r run out
"""


def test_a_full_disk_ends_with_a_sentence_and_the_run_goes_on(home):
    """A real file system that is too small for three checkpoints, and the sealed command."""
    home.change(train={"save_steps": 1})
    (home.root / "run").mkdir()
    done = subprocess.run(
        ["unshare", "-m", "sh", "-c", TMPFS, "sh", sys.executable, "-m", "pipeline"],
        cwd=home.root, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if done.returncode == 77 or "unshare" in done.stderr:
        pytest.skip("this machine mounts no file system for the test")
    assert done.stdout.split("\n")[:2] == ["code 3", "code 0"], done.stderr
    assert "disk full: run could not be written on" in done.stderr
    assert home.run("out")["status"] == "done"
    assert home.run("out")["result"]["resumed_at"]
    assert len(home.metrics("out")) == 20


def error_of(act):
    try:
        act()
    except Exception as error:  # noqa: BLE001
        return error
    raise AssertionError("nothing was raised")


def allocate_too_much():
    import torch

    torch.empty(2**55)


def write_weights_on(path):
    import torch
    from safetensors.torch import save_file

    with files_up_to(100):
        save_file({"a": torch.zeros(1000)}, path / "a.safetensors")


def write_state_on(path):
    import torch

    with files_up_to(100):
        torch.save({"a": torch.zeros(1000)}, path / "a.pt")


def device_full():
    import torch

    raise torch.OutOfMemoryError("CUDA out of memory.")


KINDS = {
    "torch's allocator on the host": (lambda path: allocate_too_much(), MemoryFull, "memory"),
    "Python's": (lambda path: bytearray(2**62), MemoryFull, "memory"),
    "the card's": (lambda path: device_full(), DeviceFull, "tokens.max_length"),
    "weights": (write_weights_on, DiskFull, "disk full"),
    "the optimiser's state": (write_state_on, DiskFull, "disk full"),
    "text": (lambda path: shutil.copyfile("/dev/zero", path / "a"), DiskFull, "disk full"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_what_libraries_raise_when_something_is_full_is_known(tmp_path, kind):
    act, wanted, words = KINDS[kind]
    with files_up_to(1000):
        end = ended(error_of(lambda: act(tmp_path)), tmp_path / "run")
    assert type(end.error) is wanted
    code, said = explain(end.error)
    assert (code, words in said) == (3, True)
    assert end.reason in ("out-of-memory", "disk-full")


def test_a_text_that_speaks_of_memory_is_no_failure_of_it(tmp_path):
    """An error may quote a record, and a record may say anything."""
    for error in (ValueError("out of memory"), KeyError("no space left on device")):
        assert ended(error, tmp_path).error is error


def test_a_card_that_fills_ends_with_the_advice(home, train, monkeypatch):
    act_at(monkeypatch, 2, device_full)
    code, words = train()
    assert (code, "lower tokens.max_length" in words) == (3, True)
    assert (home.run()["status"], home.run()["reason"]) == ("stopped", "out-of-memory")


# ---- learning


def test_a_loss_that_is_no_number_stops_the_run(home, train, tmp_path):
    import torch
    from safetensors.torch import load_file, save_file

    base = tmp_path / "nan"
    write_base(base)
    weights = load_file(base / "model.safetensors")
    weights["model.norm.weight"].fill_(torch.nan)
    save_file(weights, base / "model.safetensors", {"format": "pt"})
    code, words = train("--model", str(base))
    assert (code, "set train.learning_rate to 1e-4" in words) == (1, True)
    assert (home.run()["status"], home.run()["reason"]) == ("stopped", "nan")
    assert not (home.root / "run/adapter").exists()


def test_what_comes_after_refuses_a_stopped_run(home, train, monkeypatch):
    with monkeypatch.context() as patched:
        act_at(patched, 2, interrupt)
        train()
    from tests.conftest import privatune

    for verb in (["compare", "run"], ["export", "run", "--no-gguf"]):
        done = privatune(*verb, cwd=home.root)
        assert (done.returncode, "the run is not done" in done.stderr) == (1, True), done.stderr


# ---- records and templates


def test_records_over_the_limit_are_refused_and_none_is_cut(home, train):
    rows = [record(n) for n in range(30)]
    rows[7] = record(7, "owl " * 80)
    home.put(rows)
    home.change(tokens={"max_length": 200})
    code, words = train()
    assert code == 1
    assert "train.jsonl: 1 of 30 records have more than 200 tokens (record 8)" in words
    assert "tokens.max_length" in words
    assert not (home.root / "run/run.json").exists()


@pytest.mark.parametrize("held", [0, 1])
def test_a_holdout_of_one_row_or_none(home, train, held):
    rows = [record(n) for n in range(20)]
    home.put(rows[held:], rows[:held])
    code, words = train()
    assert code == 0
    result = home.run()["result"]
    assert len(result["holdout_losses"]) == (2 if held else 0)
    assert ("There is no holdout" in words) is not bool(held)
    assert result["best_epoch"] == (2 if held else None)
    assert (home.root / "run/adapter/adapter_model.safetensors").exists()


NO_SYSTEM = (
    "{% for m in messages %}{% if m.role == 'system' %}"
    "{{ raise_exception('no system: ' + m.content) }}{% endif %}"
    "<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
NO_LEMONS = NO_SYSTEM.replace("m.role == 'system'", "'lemon' in m.content")
NO_END = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"

TEMPLATES = {
    # template -> rows, exit code, words
    "none": (None, [record(n) for n in range(24)], 2, "has no chat template"),
    "without a system role": (NO_SYSTEM, [record(n) for n in range(24)], 2,
                              "records cannot be trained on"),
    "that refuses a record": (NO_LEMONS, [record(n, FACT if n else "lemon") for n in range(24)], 2,
                              "1 of 24 records cannot be trained on (record 1)"),
    "without an end": (NO_END, [record(n) for n in range(24)], 2, "never stop"),
}  # fmt: skip


@pytest.mark.parametrize("kind", TEMPLATES)
def test_a_template_that_does_not_fit_is_told_before_anything_is_loaded(
    home, train, tmp_path, kind
):
    template, rows, wanted, words = TEMPLATES[kind]
    base = write_base(tmp_path / "other", template)
    home.put(rows)
    code, said = train("--model", str(base))
    assert (code, words in said) == (wanted, True), said
    assert FACT not in said
    assert "lemon" not in said
    assert "Norrland" not in said
    assert not (home.root / "run/run.json").exists()


def test_a_set_without_a_record_to_train_on_is_told(home, train):
    home.put([])
    code, words = train()
    assert (code, "holds no record" in words) == (2, True)


def test_the_check_of_the_repository_finds_these_classes():
    """Their words are for people, so they must be known as such."""
    for kind in (DeviceFull, DiskFull, MemoryFull):
        assert explain(kind("words")) == (3, "words")
