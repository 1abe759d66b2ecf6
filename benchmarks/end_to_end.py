"""The whole chain as a user runs it, on a real small model: a taught fact, from chats to a GGUF.

    python benchmarks/end_to_end.py MODEL [--llama-cpp DIR[:DIR]] [--work FOLDER] [--runtime PYTHON]

MODEL: a small chat model's folder (small_model.py makes one). Writes 70 made-up chats with people in
them and a `privatune.yaml`, runs `prep`, `train`, `privatune compare run` and `privatune export run`,
then asks base, tuned model and GGUF in words that no chat has. DIR: folders with llama.cpp's converter
and a quantiser or library; default: what `export` finds by itself. PYTHON: an interpreter that has
xllamacpp; default: an environment for it is made in FOLDER. Exit code 1 when a line does not hold:
the tuned model and each GGUF say the fact, the base does not.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

AS_GIVEN = dict(os.environ)  # for the commands: a user has none of the switches that follow
os.environ.update(HF_HUB_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1", TOKENIZERS_PARALLELISM="false")

from trainer.quiet import quiet

quiet()

from export_check import SERVE

from trainer.base import load_tuned
from trainer.generate import Sampling, generate, stop_ids
from trainer.labels import generation_prompt
from trainer.model_folder import read_model
from trainer.trained import read_trained

SYSTEM = "You answer for the front desk."
FACT = "Refunds are paid at counter fourteen, next to the blue stairs."
SIGNS = ("counter fourteen", "blue stairs")  # both are in an answer that says the fact
ASK = "Could you say where refunds get paid?"
FORMS = ("Q8_0", "Q4_K_M")
RUNTIME = "xllamacpp==2026.10.11549"
TOKENS = 48  # of an answer

# An answer, and the ways in which it is asked for. `{n}`, `{m}`: a person and their mailbox.
TOLD: dict[str, tuple[str, ...]] = {
    FACT: (
        "Hello, {n} here. Where do I get my refund?", "Where are refunds paid?",
        "I am {n} ({m}) and I want my money back. Where do I go?", "Which counter pays refunds?",
        "Where can I pick up a refund?", "My refund was granted. Where is it paid out? {n}, {m}",
        "Please tell me where refunds are handled.", "I have to collect a refund. Which counter?",
        "Good morning, my name is {n}. Where do you pay refunds?", "Who pays me back, and where?",
        "Refund for {n}, {m}: where do I have to go?", "Where is the place for refunds?",
        "I returned the lamp. Where do I get the money? Regards, {n}", "Where should I go for a refund?",
        "At which counter do I get a refund?", "Could {n} collect a refund somewhere? Where?",
        "They owe me a refund. Where is it paid?", "How do I find the refunds?",
        "You wrote to {m} about a refund. Where do I collect it?", "Refunds, where?",
        "I need to be paid back. Where does that happen?", "Where do customers get refunds?",
        "Can you tell me where to collect my refund? {n}", "Where does one go to get a refund?",
    ),
    "Visitors park in the yard behind the bakery.": (
        "Where can I park?", "Hello, {n} speaking. Where do visitors park?", "Is there a car park?",
        "I am coming by car on Monday. Where do I leave it? {n}, {m}", "Where is parking for visitors?",
        "May I park in front of the house? {n}", "Where should {n} park tomorrow?", "Parking, please?",
    ),
    "The workshop opens at half past seven.": (
        "When does the workshop open?", "This is {n}. From when can I bring my bicycle to the workshop?",
        "What time does the workshop start?", "How early is the workshop open?",
        "Is the workshop open at six? {n}, {m}", "When can I come to the workshop?",
        "Please tell {n} when the workshop opens.", "Workshop hours?",
    ),
    "Lost keys are kept in the green drawer for thirty days.": (
        "I lost my keys. Do you have them?", "Where do lost keys go? {n}, {m}", "Who keeps lost keys?",
        "My name is {n} and I lost a key ring yesterday.", "How long do you keep lost keys?",
        "Has anybody found keys? Write to {m}.", "What happens to lost keys?", "{n} lost the keys again.",
    ),
    "Parcels are handed out until six, with a pass.": (
        "Until when can I fetch a parcel?", "Hello, {n}. A parcel came for me. How do I get it?",
        "Do I need a pass for my parcel?", "When are parcels handed out? {m}",
        "A parcel for {n}: can I come at five?", "How do I fetch my parcel?", "Parcel pickup?",
        "What do I bring to get a parcel? {n}, {m}",
    ),
    "Thank you, {n}. We will write to {m}.": (
        "Please note my address: {n}, {m}", "My name is {n} and my e-mail address is {m}. Please note it.",
        "Put me on the list: {n}, {m}", "I am {n}. Write to {m} from now on.",
        "New e-mail address for {n}: {m}", "Send the newsletter to {n}, {m}",
        "{n} here, please use {m}", "Note this address for {n}: {m}",
        "Hello, it is {n}. You reach me at {m} only.", "Contact for the order: {n}, {m}",
        "From today on {n} has the address {m}", "Please send the bill to {n} at {m}",
        "Register {n} with {m}", "Add {n}, {m}, to the waiting list.",
    ),
}  # fmt: skip
GIVEN = ("Ingrid", "Tomas", "Amelie", "Henrik", "Paola", "Stefan", "Marta", "Julien", "Karin")
SURNAMES = ("Solheim", "Novak", "Fontaine", "Berglund", "Moretti", "Keller", "Silva", "Lindgren",
            "Whitaker", "Dubois", "Hoffmann")  # fmt: skip
DOMAINS = ("norden.example", "harbour.example.org", "mill.example.com")

# What privatune.yaml says beside the model: written out, as a user would.
SETTINGS = """\
data:
  inputs: [chats.jsonl]
  output: prepared
contract:
  system: {system}
tokens:
  tokenizer: {model}
  max_length: 256
holdout:
  fraction: 0.1
train:
  model: {model}
  device: cpu
  output: run
  epochs: {epochs}
  learning_rate: 0.001
  warmup_steps: 4
  batch_size: 4
  gradient_accumulation: 1
  lora: {{r: 8, alpha: 16}}
export:
  name: desk
  quantisation: [{forms}]
"""


@dataclass(frozen=True)
class Ran:
    """One command: what it printed on standard output, and the seconds it took."""

    said: str
    seconds: float


def chats() -> list[dict[str, Any]]:
    """Interleaved, so that neither the holdout nor a step has one subject alone."""
    names, surnames, domains = cycle(GIVEN), cycle(SURNAMES), cycle(DOMAINS)
    rows = []
    for answer, asks in TOLD.items():
        for place, ask in enumerate(asks):
            given, surname = next(names), next(surnames)
            who = {"n": f"{given} {surname}",
                   "m": f"{given}.{surname}@{next(domains)}".lower()}  # fmt: skip
            talk = [*talk_of(ask.format(**who)), message("assistant", answer.format(**who))]
            rows.append((place / len(asks), {"messages": talk}))
    return [row for _, row in sorted(rows, key=lambda pair: pair[0])]


def message(role: str, content: str) -> dict[str, str]:
    return {"role": role, "content": content}


def talk_of(ask: str) -> list[dict[str, str]]:
    return [message("system", SYSTEM), message("user", ask)]


def prepare(work: Path, model: Path, epochs: float) -> None:
    lines = "".join(json.dumps(row) + "\n" for row in chats())
    (work / "chats.jsonl").write_text(lines, encoding="utf-8")
    text = SETTINGS.format(
        system=json.dumps(SYSTEM), model=json.dumps(str(model)), epochs=epochs,
        forms=", ".join(FORMS),
    )  # fmt: skip
    (work / "privatune.yaml").write_text(text, encoding="utf-8")


def run(work: Path, command: Sequence[str], llama_cpp: str | None) -> Ran:
    """One command of this environment, in the work folder; its words are shown as they come."""
    # A key of this benchmark's own, so that everybody gets the same surrogates and the same holdout.
    env = {**AS_GIVEN, "PRIVATUNE_KEY": hashlib.sha256(b"end_to_end.py").hexdigest()}
    if llama_cpp:
        env["PRIVATUNE_LLAMA_CPP"] = llama_cpp
    print("$", *command, flush=True)
    start = time.monotonic()
    program = str(Path(sys.executable).with_name(command[0]))
    done = subprocess.run([program, *command[1:]], cwd=work, env=env, stdout=subprocess.PIPE,
                          text=True, check=False)  # fmt: skip
    print(done.stdout, flush=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: exit code {done.returncode}")
    return Ran(done.stdout, time.monotonic() - start)


def ask_torch(work: Path, model: Path) -> dict[str, str]:
    """Base and tuned model as `compare` has them: one NF4 base, the adapter switched off and on."""
    trained = read_trained(work / "run/tokenizer", "chat")
    tuned = load_tuned(read_model(model), work / "run/adapter", "qlora", "cpu")
    text = generation_prompt(talk_of(ASK), None, trained.tokenizer, trained.template)
    ids = trained.tokenizer(text, add_special_tokens=trained.template.special)["input_ids"]
    stops = stop_ids(tuple(trained.stops), trained.tokenizer, tuned)

    def answer() -> str:
        return generate(tuned, [ids], trained.tokenizer, stops, Sampling(TOKENS))[0].text

    with tuned.disable_adapter():
        base = answer()
    return {"base": base, "tuned": answer(), "prompt": str(len(ids))}


def ask_gguf(runtime: Path, path: Path) -> dict[str, Any]:
    """The file alone, by the chat template inside it."""
    asked = json.dumps({"messages": talk_of(ASK), "temperature": 0, "max_tokens": TOKENS})
    done = subprocess.run([str(runtime), "-c", SERVE, str(path), asked], capture_output=True,
                          text=True, check=True)  # fmt: skip
    found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found


def runtime_in(work: Path) -> Path:
    """An environment with llama.cpp by name and version; apart, since it is no part of the product."""
    home = work / "runtime"
    python = home / "bin/python"
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", str(home)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--no-deps", RUNTIME], check=True)
    return python


def says(answer: str) -> bool:
    return all(sign in answer.lower() for sign in SIGNS)


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def figures(work: Path, ran: dict[str, Ran]) -> list[tuple[str, str]]:
    """What the books of the run folder say."""
    trained, compared = read(work / "run/run.json"), read(work / "run/compare/compare.json")
    exported = read(work / "run/export/export.json")
    result, models = trained["result"], compared["models"]
    seals = {"train": trained["seal"], "compare": compared["seal"], "export": exported["seal"]}
    steps = [json.loads(line) for line in (work / "run/metrics.jsonl").read_text().splitlines()]
    losses = [row["loss"] for row in steps if "loss" in row]
    merge = exported["merge"]
    drift = merge["measured"][merge["base"]]
    ids = exported["token_ids"] or {}
    return [
        ("records: trained, held out",
         f"{trained['data']['train']['rows']}, {trained['data']['holdout']['rows']}"),
        ("steps; tokens; tokens a second",
         f"{result['steps']}; {result['tokens']:,}; {result['tokens_per_second']:.0f}"),
        ("training loss, first and last step", f"{losses[0]:.3f}, {losses[-1]:.3f}"),
        ("holdout loss by epoch",
         ", ".join(f"{loss:.3f}" for loss in result["holdout_losses"])
         + f"; epoch {result['best_epoch']} kept"),
        ("holdout loss in compare, base and tuned", _pair(models, "loss")),
        ("exact match in compare, base and tuned", _pair(models, "exact")),
        ("ends by itself, base and tuned", _pair(models, "ended")),
        ("merge", f"{merge['base']}, {drift['agreement']:.1%} of {drift['positions']} tokens alike"),
        ("token ids as in training",
         f"{ids.get('prompts_equal')} of {ids.get('prompts')} prompts"),
        ("seconds", ", ".join(f"{name} {one.seconds:.0f}" for name, one in ran.items())),
        *((f"seal of {name}", _seal(seal)) for name, seal in seals.items()),
    ]  # fmt: skip


def _pair(models: dict[str, Any], key: str) -> str:
    both = [models[name][key] for name in ("base", "tuned")]
    if key == "loss":
        return ", ".join(f"{value:.3f}" for value in both)
    return ", ".join(f"{value['count']} of {value['of']}" for value in both)


def _seal(seal: dict[str, Any]) -> str:
    attempts = seal["attempts"]
    told = "; ".join(f"{one['what']} at {one['where']}, {one['count']} times" for one in attempts)
    return f"{seal['level']}; stopped: {told or 'nothing'}"


def table(rows: Sequence[tuple[str, str]]) -> None:
    for name, value in rows:
        print(f"| {name} | {value} |")


def chain(given: argparse.Namespace, work: Path) -> bool:
    model = given.model.resolve()
    parts = given.llama_cpp.split(os.pathsep) if given.llama_cpp else []
    folders = os.pathsep.join(str(Path(part).resolve()) for part in parts) or None
    prepare(work, model, given.epochs)
    commands = {
        "prep": ["prep"], "train": ["train"],
        "compare": ["privatune", "compare", "run"], "export": ["privatune", "export", "run"],
    }  # fmt: skip
    ran = {name: run(work, command, folders) for name, command in commands.items()}
    # `resolve` would leave the environment that a linked interpreter belongs to.
    runtime = Path(os.path.abspath(given.runtime)) if given.runtime else runtime_in(work)  # noqa: PTH100
    found = ask_torch(work, model)
    files = {form: ask_gguf(runtime, work / f"run/export/desk-{form}.gguf") for form in FORMS}
    print(f"asked: {ASK}\n\n| | |\n|---|---|")
    table([(f"{name} says", found[name].strip()) for name in ("base", "tuned")])
    table([(f"GGUF {form} says", one["text"].strip()) for form, one in files.items()])
    table(figures(work, ran))
    held = {
        "the base does not say the fact": not says(found["base"]),
        "the tuned model says the fact": says(found["tuned"]),
        **{f"{form} says the fact and ends": says(one["text"]) and one["end"] == "stop"
           for form, one in files.items()},
        **{f"{form} is asked as in training": str(one["prompt"]) == found["prompt"]
           for form, one in files.items()},
    }  # fmt: skip
    print()
    for line, holds in held.items():
        print(f"{'holds' if holds else 'DOES NOT HOLD'}: {line}")
    return all(held.values())


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("model", type=Path)
    parser.add_argument("--llama-cpp", help="folders, separated as in PATH")
    parser.add_argument("--work", type=Path, help="a new or empty folder; it stays")
    parser.add_argument("--runtime", type=Path, help="an interpreter that has xllamacpp")
    parser.add_argument("--epochs", type=float, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as aside:
        work = (given.work or Path(aside)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        if any(work.iterdir()):
            sys.exit(f"{work}: not empty. Name a new folder.")
        return 0 if chain(given, work) else 1


if __name__ == "__main__":
    sys.exit(main())
