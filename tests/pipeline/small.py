"""A tiny base, made-up records that teach one answer, and a folder prepared from them."""

from __future__ import annotations

import json
import shutil
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pipeline import folder
from scrubbers.keys import signing_key
from tests.conftest import KEY, privatune

FACT = "The owl in room seven."
SYSTEM = "Answer about Norrland Parcels."
CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
SPECIAL = ("<|pad|>", "<|im_start|>", "<|im_end|>")
TRAIN = {
    "device": "cpu", "epochs": 2, "batch_size": 4, "gradient_accumulation": 1, "warmup_steps": 1,
    "lora": {"r": 4, "alpha": 8, "dropout": 0},
}  # fmt: skip


def record(number, answer=FACT, system=SYSTEM):
    turns = [
        {"role": "user", "content": f"Who handles refund {number}?"},
        {"role": "assistant", "content": answer},
    ]
    return {"messages": [{"role": "system", "content": system}, *turns] if system else turns}


def write_tokenizer(root, template=CHATML):
    """A tokenizer with one token for each printable character."""
    from tokenizers import Tokenizer, decoders, models
    from transformers import PreTrainedTokenizerFast

    tokens = [*SPECIAL, *map(chr, range(32, 127)), "\n"]
    made = Tokenizer(models.BPE({token: n for n, token in enumerate(tokens)}, []))
    made.add_special_tokens(list(SPECIAL))
    made.decoder = decoders.Fuse()
    fast = PreTrainedTokenizerFast(
        tokenizer_object=made, eos_token="<|im_end|>", pad_token="<|pad|>"
    )
    fast.chat_template = template
    fast.save_pretrained(root)
    return len(tokens)


def write_base(root, template=CHATML, *, scale=1.0, tokenizer=None):
    """`scale` multiplies the weights; `tokenizer`: a folder to take it from."""
    import torch
    from transformers import AutoTokenizer, Qwen3Config, Qwen3ForCausalLM

    if tokenizer is None:
        size, end, pad = write_tokenizer(root, template), 2, 0
    else:
        shutil.copytree(tokenizer, root)
        own = AutoTokenizer.from_pretrained(root)
        size, end, pad = len(own), own.eos_token_id, own.pad_token_id
    torch.manual_seed(0)
    config = Qwen3Config(
        vocab_size=size, hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, head_dim=16, tie_word_embeddings=False,
        max_position_embeddings=512, eos_token_id=end, pad_token_id=pad,
    )  # fmt: skip
    model = Qwen3ForCausalLM(config).to(torch.bfloat16)
    with torch.no_grad():
        for weight in model.parameters():
            weight.mul_(scale)
    model.save_pretrained(root)
    return root


@dataclass(frozen=True)
class Home:
    """A folder with raw rows, `privatune.yaml`, `prepared/`, and runs."""

    root: Path

    @classmethod
    def copy(cls, made: Home, to: Path) -> Home:
        shutil.copytree(made.root, to)
        return cls(to)

    @property
    def ship(self) -> Path:
        return self.root / "prepared" / "ship"

    def change(self, **sections):
        """Change the configuration, section by section."""
        path = self.root / "privatune.yaml"
        body = json.loads(path.read_text())
        for name, keys in sections.items():
            body[name] = {**body.get(name, {}), **keys}
        path.write_text(json.dumps(body))

    def prepare(self, rows=None):
        """Prepare again with what the configuration says now."""
        if rows is not None:
            write(self.root / "rows.jsonl", rows)
        done = privatune("prep", "--quiet", "--force", cwd=self.root, PRIVATUNE_KEY=KEY)
        assert done.returncode == 0, done.stderr

    def put(self, rows, held=()):
        """Put other records into the folder and sign it anew, as the key's owner could."""
        write(self.ship / "train.jsonl", rows)
        write(self.ship / "holdout.jsonl", held)
        self.sign()

    def sign(self):
        manifest = json.loads((self.ship / "manifest.json").read_text())
        key = signing_key(bytes.fromhex(KEY), "prepared")
        folder.seal(self.root / "prepared", manifest, key)

    def run(self, name="run"):
        """`run.json` of a run."""
        return json.loads((self.root / name / "run.json").read_text())

    def metrics(self, name="run"):
        """Losses of a run, in order."""
        lines = (self.root / name / "metrics.jsonl").read_text().splitlines()
        rows = [json.loads(line) for line in lines]
        return [(row["step"], row.get("loss", row.get("holdout_loss"))) for row in rows]


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def prepare(root, base, rows=None, **sections):
    """Write rows and a configuration, and run `prep`."""
    root.mkdir(parents=True)
    body = {
        "data": {"inputs": ["rows.jsonl"], "output": "prepared"},
        "privacy": {"detectors": ["rules"]},
        "tokens": {"tokenizer": str(base), "max_length": 256},
        "holdout": {"fraction": 0.1},
        "train": {"model": str(base), **TRAIN},
    }
    (root / "privatune.yaml").write_text(json.dumps({**body, **sections}))
    home = Home(root)
    home.prepare([record(n) for n in range(40)] if rows is None else rows)
    return home


class Unsealed:
    """In place of a seal, which no test process could take off again."""

    def __init__(self, run):
        run.mkdir(parents=True, exist_ok=True)
        self.caches = run / "cache-own"
        self.caches.mkdir(exist_ok=True)
        self.wiped = False

    def confirm(self):
        pass

    def evidence(self):
        return {"level": "none", "attempts": []}

    def wipe(self):
        self.wiped = True
        shutil.rmtree(self.caches, ignore_errors=True)


def act_at(monkeypatch, step, act):
    """Do something while a step is booked: before its row and its checkpoint are written."""

    @contextmanager
    def teller(told):
        def tick(now, steps, loss):
            if now == step:
                act()

        yield tick

    monkeypatch.setattr("pipeline.train_run.teller", teller)


def interrupt():
    raise KeyboardInterrupt
