"""Characters a second of one process, and its memory: the tagger, the models in use, Presidio, the product.

    python benchmarks/detection_speed.py DATA_DIR [--characters 100000] [--systems NAME,...]
                                         [--rounds 1] [--model FILE] [--spacy FOLDER]

Reads the same distinct texts of presidio_v2, tab, sgd and chat_gold in DATA_DIR, each once, so that
no cache helps; up to so many characters of each. Every system runs in a process of its own, on one
thread, after a few texts that load its models. Ratios are of the processor's time, since other
work on the machine stretches the clock; it slows the processor as well, so on a machine that is not
idle several rounds are run, and the best of each counts.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))  # run as a script: the repository's root

from benchmarks import quality_models as peers
from benchmarks.quality_corpora import NoCorpora, read
from benchmarks.quality_systems import NoTagger, Options, packages, product, rules, tagger
from scrubbers import names
from scrubbers.language import detect_language
from scrubbers.passage import Passage
from scrubbers.tagger.card import ModelDamaged
from scrubbers.weights import ModelsMissing

SOURCES = ("presidio_v2_", "tab_", "sgd_", "chat_gold_")
BATCH = 64  # texts that a system is given at once
# What numerical libraries ask for the number of their threads.
ONE_THREAD = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "BLIS", "RAYON")}
WARM = ("Please call Ada Ledger at 555-0142.", "Invoice 7 goes to ada@ledger.example, thanks.")
ASKED = {"tagger": {"union": 3.0, "presidio": 2.5}, "product": {"presidio": 2.0},
         "rules": {"presidio": 20.0}}  # fmt: skip
EXPECTED = (NoCorpora, NoTagger, peers.ModelMissing, ModelsMissing, ModelDamaged)


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds by the clock and of the processor, over so many characters, and the peak memory."""

    characters: int
    seconds: float
    processor: float
    mebibytes: float


def union(_: Options) -> peers.Finder:
    """The models in use before the tagger: spaCy's names in English and the multilingual model."""
    detect = names.build(["spacy", "onnx"])

    def find(texts: Sequence[str]) -> peers.Found:
        detect([Passage(text, detect_language(text)) for text in texts])
        return []

    return find


SYSTEMS: Mapping[str, Callable[[Options], peers.Finder]] = {
    "tagger": lambda options: tagger(options).find,
    "union": union,
    # Its default, one text a batch, and a size at which spaCy is near its fastest.
    "presidio": lambda options: peers.presidio_batch(options.spacy, 1),
    "presidio-32": lambda options: peers.presidio_batch(options.spacy, 32),
    "product": lambda options: product(options).find,
    "rules": lambda options: rules(options).find,
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0, or 2 where something is missing."""
    asked = parsed(arguments)
    try:
        texts = list(distinct(asked.data, asked.characters))
        if asked.one:
            print(json.dumps(asdict(paced(asked.one, options_of(asked), texts))))
            return 0
    except EXPECTED as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{len(texts):,} distinct texts, {sum(map(len, texts)):,} characters")
    print(*(f"{name} {version}" for name, version in packages().items()), sep=", ")
    paces: dict[str, Pace] = {}
    for name in asked.systems.split(",") * asked.rounds:
        if (pace := apart(name, asked)) is None:
            return 2
        paces[name] = min(paces.get(name, pace), pace, key=lambda one: one.processor)
        print(line(name, pace), flush=True)
    print("Best round of each:" if asked.rounds > 1 else "", *compared(paces), sep="\n")
    return 0


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--characters", type=int, default=100_000, help="of each corpus")
    parser.add_argument(
        "--rounds", type=int, default=1, help="one system after the other, so often"
    )
    parser.add_argument("--systems", default=",".join(SYSTEMS))
    parser.add_argument(
        "--model", type=Path, help="another tagger: a folder with its card, or an ONNX file"
    )
    parser.add_argument("--base", type=Path, help="the folder of that model's tokenizer")
    parser.add_argument("--spacy", default=Options().spacy, help="Presidio's model")
    parser.add_argument("--one", choices=SYSTEMS, help=argparse.SUPPRESS)
    return parser.parse_args(arguments)


def options_of(asked: argparse.Namespace) -> Options:
    return Options(asked.model, asked.base, spacy=asked.spacy)


def distinct(folder: Path, characters: int) -> Iterator[str]:
    """Texts that come once, up to so many characters of each source. Raises NoCorpora."""
    seen: set[str] = set()
    for source in SOURCES:
        left = characters
        for file in sorted(folder.glob(f"{source}*.jsonl")):
            for text in (row["text"] for row in read(file) or []):
                if left > 0 and text not in seen:
                    seen.add(text)
                    left -= len(text)
                    yield text
    if not seen:
        raise NoCorpora(f"{folder} has none of {', '.join(f'{s}*.jsonl' for s in SOURCES)}.")


def apart(name: str, asked: argparse.Namespace) -> Pace | None:
    """One system in a process of its own; None where it failed, which it has told."""
    command = [sys.executable, __file__, str(asked.data), "--one", name, "--spacy", asked.spacy]
    command += ["--characters", str(asked.characters)]
    for option in ("model", "base"):
        if value := getattr(asked, option):
            command += [f"--{option}", str(value)]
    environment = {**os.environ, **ONE_THREAD}
    done = subprocess.run(command, stdout=subprocess.PIPE, check=False, env=environment, text=True)
    return Pace(**json.loads(done.stdout.splitlines()[-1])) if done.returncode == 0 else None


def paced(name: str, options: Options, texts: Sequence[str]) -> Pace:
    """What this process takes for the texts, its models loaded before."""
    find = SYSTEMS[name](options)
    find(WARM)
    began, used = time.perf_counter(), time.process_time()
    for at in range(0, len(texts), BATCH):
        find(texts[at : at + BATCH])
    seconds, processor = time.perf_counter() - began, time.process_time() - used
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return Pace(sum(map(len, texts)), seconds, processor, peak)


def line(name: str, pace: Pace) -> str:
    clock, own = pace.characters / pace.seconds, pace.characters / pace.processor
    return (
        f"{name:12} {own:9,.0f} characters/s of processor {clock:9,.0f} by the clock "
        f"{pace.mebibytes:6,.0f} MiB at most"
    )


def compared(paces: Mapping[str, Pace]) -> Iterator[str]:
    """How many times as fast, with what is asked for."""
    for name, others in ASKED.items():
        for peer, times in others.items():
            for other in (one for one in paces if one.startswith(peer) and name in paces):
                ratio = paces[other].processor / paces[name].processor
                yield f"{name} : {other} = {ratio:.2f} (asked: {times:g})"


if __name__ == "__main__":
    sys.exit(main())
