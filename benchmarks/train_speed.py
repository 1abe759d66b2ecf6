"""The guide's script as it stands against `train`, on the same rows and the same card.

    python benchmarks/train_speed.py [--steps 12] [--only guide within free] [--points]

Makes a model of the Qwen3-8B shape with random weights (speed and memory do not depend on them),
log-normal rows (mean about 620 tokens, cap 2,048: the guides' example workload), and prints real
row tokens per second in the steady state, and peak memory. Padding does not count. `--points`
also prints the peaks of single passes for `plan`. Needs a GPU with 40 GiB and 17 GiB in /dev/shm.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1", TOKENIZERS_PARALLELISM="false")
os.environ.setdefault("PYTORCH_CUDA_ALLOC_CONF", "expandable_segments:True")

SEALED = "--sealed" in sys.argv
if SEALED:
    from trainer.seal import enter

    SEAL = enter()

import torch
import transformers
from peft import LoraConfig, get_peft_model
from tokenizers import Tokenizer, models
from trl import SFTConfig, SFTTrainer

from trainer import attention, kernels, room
from trainer.base import load_base
from trainer.examples import Examples, Stats, to_dataset
from trainer.fit import Job, fit
from trainer.labels import Example
from trainer.model_folder import read_model
from trainer.parts import parts_of
from trainer.recipe import REFERENCE

VOCABULARY = 151_936
SHAPES: dict[str, dict[str, Any]] = {
    "qwen3-8b": {"hidden_size": 4096, "intermediate_size": 12288, "num_hidden_layers": 36,
                 "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128,
                 "tie_word_embeddings": False},
    "qwen3-1.7b": {"hidden_size": 2048, "intermediate_size": 6144, "num_hidden_layers": 28,
                   "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128,
                   "tie_word_embeddings": True},
}  # fmt: skip


# (longest example, [(tokens in the row, layers recomputed)]) of single passes.
POINTS: dict[str, tuple[int, list[tuple[int, int]]]] = {
    "qwen3-8b": (2048, [(2048, 36), (4096, 36), (8192, 36), (4096, 18), (4096, 0), (8192, 0)]),
    "qwen3-1.7b": (1024, [(1024, 28), (3072, 28), (6144, 28), (3072, 14), (3072, 0), (6144, 0)]),
}


def make_model(folder: Path, shape: str, layers: int | None) -> None:
    numbers = dict(SHAPES[shape])
    if layers:
        numbers["num_hidden_layers"] = layers
    config = transformers.Qwen3Config(
        vocab_size=VOCABULARY,
        max_position_embeddings=40960,
        eos_token_id=1,
        pad_token_id=0,
        **numbers,
    )
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        model = transformers.Qwen3ForCausalLM(config)
    torch.set_default_dtype(torch.float32)
    model.save_pretrained(folder)
    tokenizer().save_pretrained(folder)
    del model
    clear()


def tokenizer() -> Any:
    words = Tokenizer(models.WordLevel({"<pad>": 0, "<eos>": 1, "<unk>": 2}, unk_token="<unk>"))
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=words, pad_token="<pad>", eos_token="<eos>", unk_token="<unk>"
    )


def make_rows(count: int) -> Examples:
    draw = random.Random(0)
    rows = []
    for number in range(count):
        length = max(32, min(2048, int(draw.lognormvariate(6.2, 0.65))))
        ids = [draw.randrange(3, VOCABULARY) for _ in range(length)]
        rows.append(Example(ids, list(ids), number + 1, (0,)))
    tokens = [len(row.ids) for row in rows]
    stats = Stats(count, count, sum(tokens), sum(tokens), max(tokens), 0, 0)
    return Examples(rows, stats)


def clear() -> None:
    gc.collect()
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()


def guide(folder: Path, rows: Examples, steps: int) -> tuple[float, float]:
    """The first guide's script; only the rows come ready as ids, and it stops after `steps`."""
    clear()
    bnb = transformers.BitsAndBytesConfig(
        load_in_4bit=True,
        bnb_4bit_quant_type="nf4",
        bnb_4bit_compute_dtype=torch.bfloat16,
        bnb_4bit_use_double_quant=True,
    )
    lora = LoraConfig(
        r=16, lora_alpha=32, lora_dropout=0.05, target_modules="all-linear", task_type="CAUSAL_LM"
    )
    with tempfile.TemporaryDirectory() as out:
        args = SFTConfig(
            output_dir=out,
            max_steps=steps,
            per_device_train_batch_size=4,
            gradient_accumulation_steps=4,
            learning_rate=2e-4,
            lr_scheduler_type="cosine",
            warmup_steps=20,
            max_length=2048,
            bf16=True,
            logging_steps=1,
            save_strategy="no",
            report_to="none",
            model_init_kwargs={"dtype": torch.bfloat16},
            disable_tqdm=True,
        )
        trainer = SFTTrainer(
            model=str(folder),
            args=args,
            quantization_config=bnb,
            train_dataset=to_dataset(rows.rows).remove_columns("length"),
            processing_class=tokenizer(),
            peft_config=lora,
        )
        stamps: list[float] = []

        class Clock(transformers.TrainerCallback):
            def on_step_end(self, *_: Any, **__: Any) -> None:
                torch.cuda.synchronize()
                stamps.append(time.perf_counter())

        trainer.add_callback(Clock())
        trainer.train()
        seen = [row["num_tokens"] for row in trainer.state.log_history if "num_tokens" in row]
    rate = (seen[-1] - seen[1]) / (stamps[-1] - stamps[1])
    return rate, torch.cuda.max_memory_allocated() / room.GIB


def ours(folder: Path, rows: Examples, steps: int, **settings: Any) -> dict[str, Any]:
    """`train`'s own run: the reference preset, which is the guide's recipe."""
    clear()
    with tempfile.TemporaryDirectory() as out:
        start = time.perf_counter()
        outcome = fit(
            Job(
                run=Path(out),
                model=read_model(folder),
                tokenizer=tokenizer(),
                train=rows,
                holdout=Examples([], Stats(0, 0, 0, 0, 0, 0, 0)),
                recipe=replace(REFERENCE, epochs=1),
                stop_after=steps,
                **settings,
            )
        )
        whole = time.perf_counter() - start
        log = [json.loads(line) for line in (Path(out) / "metrics.jsonl").read_text().splitlines()]
    steady = [row for row in log if "loss" in row]
    first = steady[1]
    rate = (steady[-1]["tokens"] - first["tokens"]) / (steady[-1]["seconds"] - first["seconds"])
    return {
        "rate": rate,
        "peak": outcome.peak_gib,
        "layout": outcome.layout,
        "before": whole - steady[-1]["seconds"],
        "losses": [row["loss"] for row in steady],
    }


def points(
    folder: Path, name: str, longest: int, sizes: list[tuple[int, int]]
) -> list[dict[str, Any]]:
    """Peaks of one pass: tokens in the row, layers recomputed; adapter of rank 16, dropout 0.05."""
    clear()
    attention.register()
    model = load_base(read_model(folder), "qlora", "cuda")
    model = get_peft_model(
        model,
        LoraConfig(
            r=16,
            lora_alpha=32,
            lora_dropout=0.05,
            target_modules="all-linear",
            task_type="CAUSAL_LM",
        ),
    )
    for weight in model.parameters():
        if weight.requires_grad:
            weight.data = weight.data.to(torch.bfloat16)
    model.get_base_model().set_attn_implementation(attention.NAME)
    parts = parts_of(model)
    assert parts is not None
    found = []
    for compiled in (False, True):
        if compiled:
            kernels.apply("compile", model, parts)
        probe = room.Probe(model, parts, longest, kernel=True)
        probe.peak(sizes[0][0], sizes[0][1])
        for tokens, recomputed in sizes:
            peak = probe.peak(tokens, recomputed)
            found.append(
                {
                    "shape": name,
                    "tokens": tokens,
                    "longest": longest,
                    "compiled": compiled,
                    "recomputed": recomputed,
                    "seconds": round(probe.seconds, 3),
                    "gib": None if peak is None else round(peak / room.GIB, 3),
                }
            )
            print("POINT", json.dumps(found[-1]), flush=True)
    del model, parts, probe
    clear()
    return found


VARIANTS: dict[str, dict[str, Any]] = {
    "within": {"kernels": "compile", "limited": True},
    "free": {"kernels": "compile"},
    "free, sealed, Liger": {"kernels": "liger", "sealed": True},
    "within, Liger": {"kernels": "liger", "limited": True},
}


def one(name: str, folder: Path, given: argparse.Namespace, limit: float) -> dict[str, Any]:
    """Run one variant in this process; called in a process of its own."""
    if name == "guide":
        rate, peak = guide(folder, make_rows(given.rows), min(given.steps, 8))
        return {"rate": rate, "peak": peak, "about": ""}
    if name.startswith("points:"):
        sizes = POINTS[name.partition(":")[2]]
        return {"points": points(folder, name.partition(":")[2], *sizes)}
    settings = VARIANTS[name]
    memory = limit if settings.get("limited") else None
    if SEALED:
        SEAL.confirm()
    result = ours(folder, make_rows(given.rows), given.steps, memory=memory,
                  kernels=settings["kernels"])  # fmt: skip
    lay = result["layout"]
    about = (
        f"{lay.get('tokens')} tokens a row, {lay.get('recomputed')} layers recomputed, "
        f"16-bit copy {lay.get('dequantised')}, {lay.get('kernels')}, "
        f"{result['before']:.0f} s before the first step"
    )
    if SEALED:
        evidence = SEAL.evidence()
        about += f", sealed: {evidence['level']}, stopped {evidence['attempts']}"
    return {**result, "about": about}


def apart(name: str, folder: Path, given: argparse.Namespace, limit: float) -> dict[str, Any]:
    """Run a variant in a process of its own: what one leaves behind must not weigh on the next."""
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [sys.executable, __file__, "--one", name, "--to", out.name, "--folder",
                   str(folder), "--limit", str(limit), "--steps", str(given.steps),
                   "--rows", str(given.rows)]  # fmt: skip
        command += ["--sealed"] if VARIANTS.get(name, {}).get("sealed") else []
        code = subprocess.run(command, check=False).returncode
        text = Path(out.name).read_text()
    result: dict[str, Any] = json.loads(text) if code == 0 else {"failed": code}
    print("RESULT", name, json.dumps(result), flush=True)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--steps", type=int, default=12)
    parser.add_argument("--rows", type=int, default=480)
    parser.add_argument("--layers", type=int)
    parser.add_argument("--only", nargs="*", default=["guide", *VARIANTS])
    parser.add_argument("--points", action="store_true")
    parser.add_argument("--out", type=Path, default=Path())
    parser.add_argument("--limit", type=float, default=10.9)
    parser.add_argument("--folder", type=Path, default=Path("/dev/shm/privatune-speed"))
    parser.add_argument("--one", help=argparse.SUPPRESS)
    parser.add_argument("--sealed", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--to", type=Path, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        given.to.write_text(json.dumps(one(given.one, given.folder, given, given.limit)))
        return
    print({m.__name__: m.__version__ for m in (torch, transformers)}, torch.cuda.get_device_name())
    results = run_all(given)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "train_speed.json").write_text(json.dumps(results))
    base = results.get("guide", {}).get("rate")
    for name, result in results.items():
        if "rate" in result:
            times = f"{result['rate'] / base:.2f}" if base else ""
            print(f"| {name} | {result['rate']:,.0f} | {times} | {result['peak']:.1f} "
                  f"| {result['about']} |")  # fmt: skip


def run_all(given: argparse.Namespace) -> dict[str, Any]:
    shutil.rmtree(given.folder, ignore_errors=True)
    make_model(given.folder, "qwen3-8b", given.layers)
    results: dict[str, Any] = {}
    limit = given.limit
    for name in given.only:
        results[name] = apart(name, given.folder, given, limit)
        limit = results.get("guide", {}).get("peak", limit)
    if given.points:
        for shape in POINTS:
            if shape != "qwen3-8b":
                shutil.rmtree(given.folder)
                make_model(given.folder, shape, None)
            results[f"points:{shape}"] = apart(f"points:{shape}", given.folder, given, limit)
    shutil.rmtree(given.folder, ignore_errors=True)
    return results


if __name__ == "__main__":
    main()
