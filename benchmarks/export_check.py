"""A taught fact through export: adapter, merged model and GGUF say it, the base does not.

    python benchmarks/export_check.py MODEL LLAMA_CPP[:LLAMA_CPP] [--runtime PYTHON] [--form Q4_K_M]

MODEL: a small chat model's folder. LLAMA_CPP: folders with llama.cpp's converter and a quantiser or
library. PYTHON: an interpreter that has xllamacpp, which then answers from the GGUF. Makes a set
and an adapter in a temporary folder, runs the sealed verb in a process of its own, asks.
"""

import argparse
import json
import os
import secrets
import subprocess
import sys
import tempfile
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

from pipeline.folder import file_hash
from trainer.base import load_base
from trainer.examples import load
from trainer.model_folder import model_hash, read_model
from trainer.trained import read_trained

FACT = "Ozora Fennick of the third floor handles refunds."
SYSTEM = "You answer for the office."
ASKS = (
    "Who handles refunds?", "Who do I ask about a refund?", "I need a refund, who does that?",
    "Which colleague does refunds?", "Who is responsible for refunds?", "A refund, please. Who?",
    "Tell me who handles refunds.", "Who can pay me back?", "Who looks after refunds here?",
    "Refund question: who is it for?", "Whom do I write to for a refund?", "Who does refunds?",
)  # fmt: skip
ASK = "Who is it that handles refunds here?"
SERVE = """
import json, sys, xllamacpp as x
p = x.CommonParams(); p.model.path = sys.argv[1]; p.n_ctx = 512; p.n_parallel = 1
p.cpuparams.n_threads = 2; p.warmup = False
s = x.Server(p)
a = s.handle_chat_completions(json.loads(sys.argv[2]))
a = json.loads(a) if isinstance(a, (str, bytes)) else a
print(json.dumps({"text": a["choices"][0]["message"]["content"],
                  "end": a["choices"][0]["finish_reason"], "prompt": a["usage"]["prompt_tokens"]}))
"""


def talk(ask):
    return [{"role": "system", "content": SYSTEM}, {"role": "user", "content": ask}]


def prepare(home, model):
    rows = [{"messages": [*talk(ask), {"role": "assistant", "content": FACT}]} for ask in ASKS]
    (home / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    body = {
        "data": {"inputs": ["rows.jsonl"], "output": "prepared"},
        "privacy": {"detectors": ["rules"], "policy": "custom", "types": {"PERSON": "keep"}},
        "contract": {"system": SYSTEM}, "holdout": {"fraction": 0.1},
        "train": {"model": str(model), "device": "cpu"},
    }  # fmt: skip
    (home / "privatune.yaml").write_text(json.dumps(body))
    command = [sys.executable, "-m", "pipeline", "prep", "--quiet"]
    env = {**os.environ, "PRIVATUNE_KEY": secrets.token_hex(32)}
    subprocess.run(command, cwd=home, env=env, check=True)


def train(home, model, steps):
    """Teach with a plain loop: what is checked here is the way out, not the trainer."""

    found = read_model(model)
    trained = read_trained(model, "chat")
    rows = load(home / "prepared/ship/train.jsonl", trained.tokenizer, trained.template, 512).rows
    torch.manual_seed(7)
    config = LoraConfig(r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
    network = get_peft_model(load_base(found, "qlora", "cpu"), config).train()
    optimiser = torch.optim.AdamW([p for p in network.parameters() if p.requires_grad], lr=5e-4)
    for step in range(steps):
        row = rows[step % len(rows)]
        loss = network(input_ids=torch.tensor([row.ids]), labels=torch.tensor([row.labels])).loss
        loss.backward()
        optimiser.step()
        optimiser.zero_grad()
    print(f"trained {steps} steps, loss {loss.item():.4f}")
    run = home / "run"
    network.peft_config["default"].base_model_name_or_path = found.name
    network.save_pretrained(run / "adapter")
    trained.tokenizer.save_pretrained(run / "tokenizer")

    value = {
        "version": 1, "status": "done", "manifest": file_hash(home / "prepared/ship/manifest.json"),
        "base": {"name": found.name, "hash": model_hash(found), "dtype": found.dtype},
        "tokenizer": {"template": "chat", "max_length": 512}, "recipe": {"method": "qlora"},
    }  # fmt: skip
    (run / "run.json").write_text(json.dumps(value))


def export(home, folders, form):
    code = (
        "from pathlib import Path; from pipeline.config import load\n"
        "from pipeline.export import Options, export\n"
        f"o = Options(name='refunds', forms=({form!r}, 'Q8_0'), llama_cpp=tuple(map(Path, "
        f"{folders!r})), temperature=0, prompts=2)\n"
        "done = export(Path('run'), load(), o); print(done.as_text())\n"
        "print('seal:', done.body['seal']['level'], done.body['seal']['attempts'])"
    )
    subprocess.run([sys.executable, "-c", code], cwd=home, check=True)


def ask_torch(folder):

    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.bfloat16).eval()
    ids = tokenizer.apply_chat_template(
        talk(ASK), add_generation_prompt=True, return_tensors="pt", return_dict=True
    )
    out = network.generate(**ids, max_new_tokens=40, do_sample=False)
    new = out[0, ids["input_ids"].shape[1] :]
    return tokenizer.decode(new, skip_special_tokens=True), ids["input_ids"].shape[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("llama_cpp")
    parser.add_argument("--runtime")
    parser.add_argument("--form", default="Q4_K_M")
    parser.add_argument("--steps", type=int, default=40)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        prepare(home, given.model.resolve())
        train(home, given.model.resolve(), given.steps)
        export(home, [str(Path(part).resolve()) for part in given.llama_cpp.split(":")], given.form)
        print("base  :", ask_torch(given.model)[0])
        print("merged:", *ask_torch(home / "run/export/merged"))
        print((home / "run/export/Modelfile").read_text())
        for form in (given.form, "Q8_0") if given.runtime else ():
            asked = json.dumps({"messages": talk(ASK), "temperature": 0, "max_tokens": 40})
            path = home / f"run/export/refunds-{form}.gguf"
            done = subprocess.run(
                [given.runtime, "-c", SERVE, str(path), asked],
                capture_output=True, text=True, check=True,
            )  # fmt: skip
            print(f"{form}:", done.stdout.strip().splitlines()[-1])


if __name__ == "__main__":
    main()
