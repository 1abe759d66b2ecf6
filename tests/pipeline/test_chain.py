"""`prep && train && compare && export`, as one user runs them, on a base that learns one answer."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.conftest import KEY, privatune
from tests.pipeline.small import FACT, record, write, write_base

pytestmark = [pytest.mark.train, pytest.mark.slow]
TOKENIZER, LLAMA_CPP = "PRIVATUNE_TEST_TOKENIZER", "PRIVATUNE_TEST_LLAMA_CPP"
CONFIG = """
data: {inputs: [rows.jsonl], output: prepared}
privacy: {detectors: [rules]}
contract: {system: "Answer about Norrland Parcels."}
tokens: {tokenizer: base, max_length: 256}
holdout: {fraction: 0.1}
train:
  model: base
  device: cpu
  epochs: 8
  learning_rate: 0.02
  batch_size: 4
  gradient_accumulation: 1
  warmup_steps: 4
  lora: {r: 16, alpha: 32, dropout: 0}
"""


def make(root, **base):
    """Raw rows, one with an address, a random base, a configuration: nothing prepared yet."""
    write_base(root / "base", scale=3.0, **base)
    rows = [record(n) for n in range(60)]
    rows[3]["messages"][1]["content"] += " Write to kim.larsen@norden.example please."
    write(root / "rows.jsonl", rows)
    (root / "privatune.yaml").write_text(CONFIG)
    return root


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return make(tmp_path_factory.mktemp("chain"))


def said(home: Path, *arguments: str) -> str:
    done = privatune(*arguments, cwd=home, PRIVATUNE_KEY=KEY, OMP_NUM_THREADS="1")
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def trained(home):
    said(home, "prep")
    said(home, "check", "prepared")
    return home, said(home, "train")


@pytest.fixture(scope="module")
def compared(trained):
    home, _ = trained
    said(home, "compare", "run", "--quiet")
    return json.loads((home / "run/compare/compare.json").read_text())


def test_what_was_prepared_was_learned(trained):
    home, words = trained
    assert "next: privatune compare run, then privatune export run" in words
    told = json.loads((home / "run/run.json").read_text())
    losses = told["result"]["holdout_losses"]
    assert losses[-1] < 0.5 < losses[0]
    for path in (home / "run").rglob("*"):
        assert not path.is_file() or b"kim.larsen" not in path.read_bytes(), path


def test_the_tuned_model_says_the_fact_and_the_base_does_not(trained, compared):
    home, _ = trained
    base, tuned = (compared["models"][name] for name in ("base", "tuned"))
    assert base["exact"]["count"] == 0
    assert tuned["exact"]["share"] > 0.5
    assert tuned["ended"]["share"] > base["ended"]["share"]
    assert tuned["loss"] < base["loss"]
    lines = (home / "run/compare/answers.jsonl").read_text().splitlines()[1:]
    assert any(json.loads(line)["tuned"]["text"] == FACT for line in lines)


def test_a_merged_model_and_the_command_that_serves_the_adapter(trained):
    home, _ = trained
    said(home, "export", "run", "--no-gguf")
    made = {path.name for path in (home / "run/export").iterdir()}
    assert {"merged", "adapter", "export.json", "serve.sh"} <= made
    assert "--max-lora-rank" in (home / "run/export/serve.sh").read_text()


@pytest.mark.skipif(
    not {TOKENIZER, LLAMA_CPP} <= set(os.environ),
    reason=f"{TOKENIZER} and {LLAMA_CPP} name no Qwen3 tokenizer and no llama.cpp",
)
def test_a_gguf_of_it(tmp_path):
    """The converter knows published tokenizers alone, so the base has one here."""
    home = make(tmp_path / "chain", tokenizer=os.environ[TOKENIZER])
    said(home, "prep")
    said(home, "train")
    tools = [("--llama-cpp", folder) for folder in os.environ[LLAMA_CPP].split(os.pathsep)]
    said(home, "export", "run", "--quantisation", "F16", *sum(tools, ()))
    told = json.loads((home / "run/export/export.json").read_text())
    assert [one["file"] for one in told["gguf"]]
    assert (
        told["token_ids"] is None
        or told["token_ids"]["prompts_equal"] == told["token_ids"]["prompts"]
    )
