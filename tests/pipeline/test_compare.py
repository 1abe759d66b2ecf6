"""`compare` over whole folders: a tiny base in 4 bits, a taught adapter, a prepared holdout."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from types import SimpleNamespace

import pytest

from pipeline import folder
from pipeline.compare import Options, chosen
from tests.conftest import KEY, ROOT, privatune
from tests.trainer.conftest import write_tokenizer

pytestmark = [pytest.mark.train, pytest.mark.slow]
SYSTEM = "Answer with JSON alone."
SCHEMA = {
    "type": "object", "required": ["owner", "days"], "additionalProperties": False,
    "properties": {"owner": {"type": "string"}, "days": {"type": "integer"}},
}  # fmt: skip
THINGS = (
    "refunds", "parcels", "lamps", "returns", "late trains", "broken cups", "paint", "new doors",
    "gravel", "winter tyres", "sheet music", "copper wire", "bread ovens", "old maps", "tents",
    "saddles", "glass beads", "oak planks", "candles", "sails", "kites", "anvils", "ink", "felt",
)  # fmt: skip
ANIMALS = ("owls", "otters", "herons", "badgers", "magpies", "toads")


def row(number, thing):
    answer = {"owner": ANIMALS[number % len(ANIMALS)], "days": number + 2}
    return {"messages": [
        {"role": "system", "content": SYSTEM},
        {"role": "user", "content": f"Who looks after {thing}, and for how long?"},
        {"role": "assistant", "content": json.dumps(answer)},
    ]}  # fmt: skip


def prepared(home, things, fraction=0.1):
    """A prepared folder, made by the command itself."""
    home.mkdir()
    lines = [json.dumps(row(number, thing)) for number, thing in enumerate(things)]
    (home / "rows.jsonl").write_text("\n".join(lines) + "\n")
    (home / "answer.schema.json").write_text(json.dumps(SCHEMA))
    body = {
        "data": {"inputs": ["rows.jsonl"]}, "privacy": {"detectors": ["rules"]},
        "contract": {"system": SYSTEM, "answer_schema": "answer.schema.json"},
        "holdout": {"fraction": fraction}, "train": {"model": "../base", "device": "cpu"},
    }  # fmt: skip
    (home / "privatune.yaml").write_text(json.dumps(body))
    done = privatune("prep", "--quiet", cwd=home, PRIVATUNE_KEY=KEY)
    assert done.returncode == 0, done.stderr
    return home


def write_base(root):
    import torch
    from transformers import LlamaConfig, LlamaForCausalLM

    write_tokenizer(root)
    from trainer.tokenizer import load_tokenizer

    torch.manual_seed(11)
    config = LlamaConfig(
        vocab_size=len(load_tokenizer(root)), hidden_size=64, intermediate_size=128,
        num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
        max_position_embeddings=512, initializer_range=0.3,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(root)


def write_run(root, base, home, steps):
    """What `train` leaves, with an adapter taught on the holdout itself so that it knows it."""
    import torch
    from peft import LoraConfig, get_peft_model

    from trainer.base import load_base
    from trainer.examples import load
    from trainer.model_folder import model_hash, read_model
    from trainer.templates import make_template
    from trainer.tokenizer import load_tokenizer

    tokenizer = load_tokenizer(base)
    template = make_template("chat", tokenizer)
    examples = load(home / "prepared/ship/holdout.jsonl", tokenizer, template, 512, holdout=True)
    torch.manual_seed(5)
    config = LoraConfig(r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
    model = get_peft_model(load_base(read_model(base), "qlora", "cpu"), config).train()
    free = [one for one in model.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(free, lr=1e-2)
    for _ in range(steps):
        worst = 0.0
        for one in examples.rows:
            ids, labels = torch.tensor([one.ids]), torch.tensor([one.labels])
            loss = model(input_ids=ids, labels=labels).loss
            loss.backward()
            worst = max(worst, loss.item())
        optimiser.step()
        optimiser.zero_grad()
        if worst < 0.02:
            break
    model.save_pretrained(root / "adapter")
    shutil.copytree(base, root / "tokenizer", ignore=shutil.ignore_patterns("*.safetensors"))
    run = {
        "version": 1, "status": "done",
        "manifest": folder.file_hash(home / "prepared/ship/manifest.json"),
        "base": {"name": "tiny", "hash": model_hash(read_model(base))},
        "tokenizer": {"template": "chat", "max_length": 512}, "recipe": {"method": "qlora"},
    }  # fmt: skip
    (root / "run.json").write_text(json.dumps(run))


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A base, a prepared folder, a run that learned its holdout and one that learned nothing."""
    root = tmp_path_factory.mktemp("world")
    write_base(root / "base")
    home = prepared(root / "home", THINGS)
    write_run(home / "run", root / "base", home, steps=60)
    write_run(home / "idle", root / "base", home, steps=0)
    return home


def call(home, words):
    """Run `words` in a process of its own, since a sealed one stays sealed; exit code and output."""
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from pipeline.compare import Options, compare, stock\n"
        "from pipeline.config import load\nfrom pipeline.errors import explain\n"
        f"try:\n    done = {words}\n    print(done.as_text()); print(done.as_json())\n"
        "except BaseException as error:\n"
        "    code, told = explain(error)\n    print(told, file=sys.stderr)\n    sys.exit(code)\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code], cwd=home, capture_output=True, text=True, check=False,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(home)},
    )  # fmt: skip


def comparing(home, run="run", more="", options="quiet=True"):
    return call(home, f"compare(Path({run!r}), load(), Options({options}){more})")


def results(home, where="run/compare"):
    found = home / where
    lines = (found / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    body = json.loads((found / "compare.json").read_text(encoding="utf-8"))
    page = (found / "compare.html").read_text(encoding="utf-8")
    return body, [json.loads(line) for line in lines], page


def codes(body):
    return [one["code"] for one in body["advice"]]


def test_tuned_and_base_on_the_holdout(world):
    done = comparing(world)
    assert done.returncode == 0, done.stderr
    body, (head, *answers), page = results(world)
    assert head == {"version": body["version"]} == {"version": 1}
    base, tuned = body["models"]["base"], body["models"]["tuned"]
    assert body["answers"] == len(answers) == body["holdout"] > 1
    assert tuned["exact"]["share"] == tuned["schema"]["share"] == tuned["ended"]["share"] == 1
    assert base["exact"]["count"] == base["json"]["count"] == base["fields"]["count"] == 0
    assert tuned["loss"] < 0.2 < 2 < base["loss"]
    assert body["differences"]["loss"]["clear"]
    assert {row["path"] for row in body["fields"]} == {"$.owner", "$.days"}
    assert codes(body) == ["unsure"]
    for one in answers:
        assert one["tuned"]["text"] == one["expected"] != one["base"]["text"]
        assert one["request"].endswith("<|im_start|>assistant\n")
        assert SYSTEM in one["request"]
    assert body["seal"]["level"] in ("namespace", "seccomp", "python")
    said = done.stdout + done.stderr
    assert not [one for one in answers if one["expected"] in said or one["base"]["text"] in said]
    assert "$.owner" not in said
    assert page.count("<h3>") == len(answers)
    assert not any(word in page for word in ("://", "<script", "src=", "url(", "@import"))


def test_an_adapter_that_learned_nothing_is_told(world):
    done = comparing(world, "idle")
    assert done.returncode == 0, done.stderr
    body, (_, *answers), _ = results(world, "idle/compare")
    assert codes(body)[0] == "not-applied"
    assert body["same_answers"] == len(answers)
    assert body["differences"]["loss"] == {"value": 0, "low": 0, "high": 0, "clear": False}
    assert body["models"]["base"] == body["models"]["tuned"]


def test_the_stock_model_alone(world):
    words = "stock(Path('prepared'), load(), Options(limit=1, temperature=0.8, max_new_tokens=5, quiet=True), model=Path('../base'))"
    done = call(world, words)
    assert done.returncode == 0, done.stderr
    body, answers, page = results(world, "compare")
    assert list(body["models"]) == ["base"]
    assert (body["records"], len(answers)) == (1, 2)
    assert answers[1]["base"]["tokens"] <= 5
    assert "temperature 0.8, seed 42" in done.stdout
    assert codes(body)[0] == "cut"
    assert codes(body)[-1] == "order"
    assert body["cut"] == 1
    assert "retrieval" in done.stdout
    assert "differences" not in body
    assert "<b>tuned</b>" not in page


@pytest.mark.parametrize("seed", range(4))
def test_a_sample_is_whole_records_in_their_order(seed):
    examples = [SimpleNamespace(record=number) for number in (1, 2, 2, 5, 6, 9, 9)]
    some = chosen(examples, Options(limit=3, seed=seed))
    assert chosen(examples, Options(limit=3, seed=seed)) == some
    assert [one for one in examples if one in some] == some
    records = {one.record for one in some}
    assert len(records) == 3
    assert [one for one in examples if one.record in records] == some
    assert chosen(examples, Options(limit=6)) == chosen(examples, Options()) == examples


@pytest.mark.parametrize(
    ("things", "fraction", "code", "words"),
    [(THINGS, 0, 2, "no record was held out"), (THINGS[:20], 0.05, 0, "n = 1 is too small")],
)
def test_a_holdout_of_none_or_one(world, tmp_path, things, fraction, code, words):
    home = prepared(tmp_path / "home", things, fraction)
    write_run(home / "run", world / "../base", home, steps=0)
    done = comparing(home, more=f", model=Path({str(world / '../base')!r})")
    assert done.returncode == code, done.stderr
    assert words in done.stdout + done.stderr
    if code == 0:
        assert results(home)[0]["answers"] == 1
        assert "no interval from one record" in done.stdout
    else:
        assert not (home / "run" / "compare").exists()


def changed(run, path, **more):
    body = json.loads((run / path).read_text())
    (run / path).write_text(json.dumps(body | more))


@pytest.mark.parametrize(
    ("spoil", "more", "code", "words"),
    [
        (lambda run: (run / "run.json").unlink(), "", 2, "no run folder"),
        (lambda run: (run / "run.json").write_text("[]"), "", 2, "no run folder"),
        (lambda run: changed(run, "run.json", version=9), "", 2, "unknown version"),
        (lambda run: changed(run, "run.json", status="stopped"), "", 1, "not done"),
        (lambda run: shutil.rmtree(run / "adapter"), "", 1, "not done"),
        (lambda run: changed(run, "run.json", manifest="0"), "", 1, "--data"),
        (lambda run: changed(run, "run.json", base={"hash": "0"}), "", 1, "--model"),
        (lambda run: None, ", data=Path('nowhere')", 2, "there is no such folder"),
        (shutil.rmtree, "", 2, "there is no such folder"),
    ],
)
def test_what_does_not_belong_together_is_refused(world, tmp_path, spoil, more, code, words):
    run = tmp_path / "run"
    shutil.copytree(world / "run", run, ignore=shutil.ignore_patterns("compare"))
    spoil(run)
    done = comparing(world, str(run), more)
    assert (done.returncode, words in done.stderr) == (code, True), done.stderr
    assert not (run / "compare").exists()
