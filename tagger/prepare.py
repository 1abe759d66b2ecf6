"""All training text as arrays in one file, ready for a GPU.

    python -m tagger.prepare DATA_DIR OUT.npz [--samples N] [--seed S] [--base FOLDER]

DATA_DIR holds the corpora of `tagger.corpora`; without it (`-`) the generator alone is used, and
with `--samples 0` the corpora alone: `tagger.train` reads several files as one.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from scrubbers.tagger.card import HOME
from scrubbers.tagger.pieces import tokenizer
from tagger import corpora
from tagger.encode import Encoded, Spans, encoded
from tagger.labels import EVERY, NUMBER, TYPES
from tagger.samples import samples
from tagger.swap import swapped

BATCH = 512
CHUNK = 10_000  # samples of one seed
TEXTS = tuple[list[str], list[Spans]]


def main() -> None:
    """Write the file and tell what is in it."""
    asked = arguments()
    sets = [made(asked.samples, asked.seed, asked.base, asked.processes)]
    masks, weights = [mask(EVERY)], [1.0]
    for corpus in corpora.TRAINED if asked.data != "-" else ():
        rows = corpora.train(Path(asked.data), corpus.name)
        texts = [(row["text"], row["spans"]) for row in rows]
        rng = random.Random(f"{asked.seed} {corpus.name}")
        extra = [swapped(row, rng) for _ in range(asked.swaps) for row in rows]
        sets.append(joined(windows_of(texts + extra, asked.base)))
        masks.append(mask(corpus.annotated))
        weights.append(corpus.weight)
        print(f"{corpus.name:24} {len(rows):6,} documents {sets[-1].count:7,} windows", flush=True)
    save(asked.out, sets, masks, weights)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data")
    parser.add_argument("out", type=Path)
    parser.add_argument("--samples", type=int, default=400_000)
    parser.add_argument("--swaps", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--base", type=Path, default=None)
    asked = parser.parse_args()
    asked.base = asked.base or HOME
    return asked


def mask(annotated: Iterable[str]) -> list[bool]:
    """Which labels count: "O" and those of the annotated types."""
    found = [False] * len(NUMBER)
    found[0] = True
    for kind in annotated:
        found[NUMBER[f"B-{kind}"]] = found[NUMBER[f"I-{kind}"]] = True
    return found


@dataclass(frozen=True)
class Joined:
    """Windows one behind the other, and the length of each."""

    ids: NDArray[np.uint16]
    looks: NDArray[np.uint8]
    labels: NDArray[np.uint8]
    lengths: NDArray[np.int32]

    @property
    def count(self) -> int:
        """How many windows."""
        return len(self.lengths)


def joined(windows: Iterable[Encoded]) -> Joined:
    """Windows as four arrays."""
    every = list(windows)
    none = np.zeros(0, np.uint16)
    return Joined(
        np.concatenate([none, *(w.ids for w in every)]).astype(np.uint16),
        np.concatenate([none, *(w.looks for w in every)]).astype(np.uint8),
        np.concatenate([none, *(w.labels for w in every)]).astype(np.uint8),
        np.array([len(w.ids) for w in every], np.int32),
    )


def together(parts: Sequence[Joined]) -> Joined:
    """Several sets of windows as one."""
    return Joined(
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.looks for part in parts]),
        np.concatenate([part.labels for part in parts]),
        np.concatenate([part.lengths for part in parts]),
    )


def made(count: int, seed: int, base: Path, processes: int) -> Joined:
    """Windows of generated text; the same for any number of processes."""
    jobs = [(seed * 10_000 + part, min(CHUNK, count - part * CHUNK), base)
            for part in range(-(-count // CHUNK))]  # fmt: skip
    with Pool(processes) as pool:
        found = together([joined(()), *pool.imap(chunk, jobs)])
    print(f"{'generated':24} {count:6,} texts {found.count:11,} windows", flush=True)
    return found


def chunk(job: tuple[int, int, Path]) -> Joined:
    """The windows of one seed."""
    seed, count, base = job
    texts = ((sample["text"], sample["spans"]) for sample in samples(seed, count))
    return joined(windows_of(texts, base))


def windows_of(texts: Iterable[tuple[str, Any]], base: Path) -> Iterator[Encoded]:
    """All windows of texts with spans."""
    reader, source = tokenizer(base), iter(texts)
    while batch := list(islice(source, BATCH)):
        for found in encoded(reader, [t for t, _ in batch], [s for _, s in batch]):
            yield from found


def save(
    path: Path, sets: Sequence[Joined], masks: Sequence[Sequence[bool]], weights: Sequence[float]
) -> None:
    """One npz: joined ids, looks, labels; lengths and set of each window; masks, weights."""
    every = together(sets)
    write = np.savez if len(sets) == 1 else np.savez_compressed  # generated text need not travel
    write(
        path,
        ids=every.ids, looks=every.looks, labels=every.labels, lengths=every.lengths,
        sets=np.repeat(np.arange(len(sets), dtype=np.int16), [part.count for part in sets]),
        masks=np.array(masks), weights=np.array(weights), types=np.array(TYPES),
    )  # fmt: skip
    print(f"{path}: {every.count:,} windows, {len(every.ids):,} pieces")


if __name__ == "__main__":
    main()
