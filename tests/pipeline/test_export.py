import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from pipeline import folder
from pipeline.config import from_bytes
from pipeline.errors import Refused, UsageFault, explain
from pipeline.export import NAME, Options, safe_name, unsealed
from pipeline.export_words import _nats
from tests.trainer.tiny_run import write_adapter, write_model, write_run

pytestmark = pytest.mark.train

SYSTEM = "Answer in one word."
PLACES = ("Lagos", "Ulm", "Lima", "Turin", "Faro", "Metz", "Cork", "Bern")


def chat(place):
    return {"messages": [{"role": "system", "content": SYSTEM},
                         {"role": "user", "content": f"Where is the invoice from {place}?"},
                         {"role": "assistant", "content": place}]}  # fmt: skip


def alpaca(place):
    return {"instruction": "Name the place.", "input": f"An invoice from {place}", "output": place}


def prepared(root, rows, held=2):
    ship = root / "prepared" / "ship"
    ship.mkdir(parents=True)
    (root / "prepared" / "keep").mkdir()
    lines = [json.dumps(row) + "\n" for row in rows]
    (ship / "train.jsonl").write_text("".join(lines[held:]))
    (ship / "holdout.jsonl").write_text("".join(lines[:held]))
    counts = {"train": len(lines) - held, "holdout": held}
    folder.seal(root / "prepared", {"counts": counts}, Ed25519PrivateKey.generate())
    return folder.file_hash(ship / folder.MANIFEST)


def configuration(root, **sections):
    body = {"data": {"inputs": ["rows.jsonl"], "output": "prepared"},
            "train": {"model": "tiny", "device": "cpu"}, **sections}  # fmt: skip
    path = root / "privatune.yaml"
    path.write_text(json.dumps(body))
    (root / "rows.jsonl").write_text("")
    return from_bytes(path.read_bytes(), path)


def make(root, rows=None, *, model=None, config=None, held=2, **changes):
    manifest = prepared(root, rows or [chat(place) for place in PLACES], held)
    model = model or write_model(root / "tiny")
    run = write_run(root, model, manifest=manifest, **changes)
    return run, configuration(root, contract={"system": SYSTEM}, **(config or {}))


NO_GGUF = Options(forms=(), quiet=True, prompts=4)


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    root = tmp_path_factory.mktemp("home")
    run, config = make(root)
    return run, unsealed(run, config, NO_GGUF)


def test_what_an_export_without_gguf_holds(exported):
    run, done = exported
    out = run / "export"
    assert {path.name for path in out.iterdir()} == {
        "adapter", "merged", "serve.sh", "export.json", "chat_template.jinja",
        "generation_config.json",
    }  # fmt: skip
    body = json.loads((out / "export.json").read_text())
    assert body["version"] == 1
    assert body["merge"]["base"] == "nf4"
    assert body["merge"]["measured"]["nf4"]["kl"] < body["merge"]["measured"]["bf16"]["kl"]
    assert body["stops"] == ["<|im_end|>"]
    for name, digest in body["files"].items():
        assert folder.file_hash(out / name) == digest
    assert "--max-lora-rank 8" in (out / "serve.sh").read_text()
    assert json.loads((out / "generation_config.json").read_text())["eos_token_id"] == [1]
    assert str(run.parent) not in (out / "export.json").read_text()
    assert "dequantised" in done.as_text()
    assert json.loads(done.as_json())["output"] == str(out)


def test_the_template_served_is_the_one_trained(exported):
    from transformers import AutoTokenizer

    run, _ = exported
    trained = AutoTokenizer.from_pretrained(run / "tokenizer").chat_template
    assert (run / "export" / "chat_template.jinja").read_text() == trained
    assert AutoTokenizer.from_pretrained(run / "export" / "merged").chat_template == trained


def test_a_second_export_replaces_the_first_when_it_is_whole(tmp_path):
    run, config = make(tmp_path)
    unsealed(run, config, Options(forms=(), quiet=True, merge_base="bf16"))
    (run / "export" / "mine").touch()
    before = sorted(run.iterdir())
    with pytest.raises(UsageFault, match="name"):
        unsealed(run, config, Options(forms=(), quiet=True, name="../x"))
    assert (run / "export" / "mine").exists()
    done = unsealed(run, config, Options(forms=(), quiet=True, merge_base="bf16", name="two"))
    assert done.body["merge"]["why"] == "asked for"
    assert not (run / "export" / "mine").exists()
    assert sorted(run.iterdir()) == before


def test_plain_lora_is_merged_where_it_was_trained(tmp_path):
    run, config = make(tmp_path, method="lora")
    assert unsealed(run, config, NO_GGUF).body["merge"] == {
        "base": "bf16", "why": "the adapter was trained on the 16-bit base", "on": "holdout",
    }  # fmt: skip


def test_without_a_holdout_the_merge_is_measured_on_what_was_trained(tmp_path):
    run, config = make(tmp_path, held=0)
    done = unsealed(run, config, NO_GGUF)
    assert done.body["merge"]["on"] == "train"
    assert done.body["merge"]["measured"]["nf4"]["positions"] > 0
    assert "none was held out" in done.as_text()


def test_a_prompt_model_gets_the_template_of_its_prompt(tmp_path):
    from transformers import AutoTokenizer

    run, config = make(tmp_path, [alpaca(place) for place in PLACES], template="alpaca-fr")
    done = unsealed(run, config, NO_GGUF)
    assert done.body["stops"] == ["<|im_end|>", "### Instruction:"]
    assert done.body["vllm"]["stop"] == ["### Instruction:"]
    assert 'must send "stop": ["### Instruction:"]' in done.as_text()
    assert "raise_exception" in (run / "export" / "chat_template.jinja").read_text()
    tokenizer = AutoTokenizer.from_pretrained(run / "export" / "merged")
    talk = [{"role": "system", "content": "Name."}, {"role": "user", "content": "Ulm"}]
    assert tokenizer.apply_chat_template(talk, tokenize=False) == (
        "### Instruction:\nName.\n\n### Input:\nUlm\n\n### Réponse:\n"
    )


def test_a_changed_template_is_refused(tmp_path):
    run, config = make(tmp_path)
    path = run / "tokenizer" / "tokenizer_config.json"
    path.write_text(path.read_text().replace("assistant", "model"))
    with pytest.raises(Exception, match="not the one of the training") as error:
        unsealed(run, config, NO_GGUF)
    assert type(error.value).__name__ == "TemplateChanged"
    assert not list(run.glob(".export*"))


def test_another_base_and_an_unfinished_run_are_refused(tmp_path):
    run, config = make(tmp_path)
    other = write_model(tmp_path / "other", tied=False)
    with pytest.raises(Refused, match="hash"):
        unsealed(run, config, NO_GGUF, model=other)
    value = json.loads((run / "run.json").read_text())
    (run / "run.json").write_text(json.dumps(value | {"status": "stopped"}))
    with pytest.raises(Refused, match="not done"):
        unsealed(run, config, NO_GGUF)


def test_an_adapter_that_vllm_does_not_take_is_served_merged(tmp_path):
    run, config = make(tmp_path)
    shutil.rmtree(run / "adapter")
    write_adapter(run / "adapter", tmp_path / "tiny", use_dora=True)
    done = unsealed(run, config, Options(forms=(), quiet=True, merge_base="nf4"))
    assert done.body["vllm"]["serves"] == "merged"
    assert "DoRA" in done.as_text()


def test_gguf_without_llama_cpp_says_what_to_get(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("PRIVATUNE_LLAMA_CPP", raising=False)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    run, config = make(tmp_path)
    with pytest.raises(Exception, match="with git") as error:
        unsealed(run, config, Options(quiet=True))
    assert type(error.value).__name__ == "ToolsMissing"
    assert not (run / "export").exists()
    for wrong, words in (
        ({"target": tmp_path / "prepared"}, "It is a prepared folder"),
        ({"target": tmp_path / "nowhere"}, "no such folder"),
        ({"options": Options(quiet=True, forms=("Q9",))}, "--quantisation Q9"),
        ({"data": tmp_path / "other"}, "no such folder"),
    ):
        with pytest.raises(UsageFault, match=words):
            unsealed(**{"target": run, "config": config, "options": Options(quiet=True), **wrong})


def test_a_run_folder_of_any_name_gives_a_served_name(tmp_path):
    run, config = make(tmp_path)
    run = run.rename(tmp_path / "mein Lauf ß")
    done = unsealed(run, config, Options(forms=(), quiet=True, merge_base="bf16"))
    assert done.body["name"] == "mein-Lauf-ss"
    assert "served as mein-Lauf-ss" in done.as_text()
    assert f"sh '{run}/export/serve.sh'" in done.as_text()


@given(st.text())
def test_every_folder_name_can_be_made_a_models(text):
    assert NAME.fullmatch(safe_name(text))
    assert safe_name(safe_name(text)) == safe_name(text)


def test_a_tiny_divergence_is_not_written_as_none():
    assert (_nats(6e-7), _nats(0.0015)) == ("< 0.0001", "0.0015")


def test_weights_have_the_mode_of_their_neighbours(exported):
    merged = exported[0] / "export" / "merged"
    modes = {path.stat().st_mode & 0o777 for path in merged.iterdir()}
    assert len(modes) == 1
    assert not {"_from_model_config", "output_attentions"} & set(
        json.loads((merged / "generation_config.json").read_text())
    )


def test_too_little_room_is_told_before_the_work(tmp_path):
    from pipeline.export_steps import check_room

    with pytest.raises(OSError, match="space") as error:
        check_room(tmp_path, 10**15, ["Q4_K_M"])
    assert explain(error.value)[0] == 3
    check_room(tmp_path, None, ["Q8_0"])


CALL = """
import sys
from pathlib import Path
from pipeline.config import load
from pipeline.export import Options, export
done = export(Path("run"), load(), Options(forms=(), quiet=True, prompts=2))
print(done.as_text())
"""


@pytest.mark.slow
def test_the_verb_runs_sealed(tmp_path):
    run, _ = make(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", CALL], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    seal = json.loads((run / "export" / "export.json").read_text())["seal"]
    assert seal["level"] in ("namespace", "seccomp", "python")
    assert seal["attempts"] == []


REAL = pytest.mark.skipif(
    not {"PRIVATUNE_TEST_MODEL", "PRIVATUNE_TEST_LLAMA_CPP"} <= set(os.environ),
    reason="PRIVATUNE_TEST_MODEL and PRIVATUNE_TEST_LLAMA_CPP name no model and tools",
)
FOLDERS = tuple(map(Path, os.environ.get("PRIVATUNE_TEST_LLAMA_CPP", ".").split(os.pathsep)))


@REAL
@pytest.mark.slow
@pytest.mark.parametrize("template", ["chat", "alpaca-fr"])
def test_a_real_model_as_gguf_is_as_trained(tmp_path, template):
    model = Path(os.environ["PRIVATUNE_TEST_MODEL"])
    rows = [(chat if template == "chat" else alpaca)(place) for place in PLACES]
    run, config = make(tmp_path, rows, model=model, template=template, config={
        "train": {"model": str(model), "device": "cpu"}})  # fmt: skip
    options = Options(forms=("Q4_K_M", "Q8_0"), llama_cpp=FOLDERS, merge_base="nf4", name="tone",
                      quiet=True)  # fmt: skip
    done = unsealed(run, config, options)
    assert done.body["token_ids"] == {
        "strings": 200, "strings_equal": 200, "prompts": 2, "prompts_equal": 2,
    }  # fmt: skip
    assert [one["file"] for one in done.body["gguf"]] == ["tone-Q4_K_M.gguf", "tone-Q8_0.gguf"]
    text = (run / "export" / "Modelfile").read_text()
    assert text.startswith("FROM ./tone-Q4_K_M.gguf\n")
    assert "TEMPLATE" in text
    assert ('PARAMETER stop """### Instruction:"""' in text) == (template != "chat")
    assert not (run / "export" / "tone-BF16.gguf").exists()
