"""All training text as arrays in one file, ready for a GPU.

    python -m tagger.prepare DATA_DIR OUT.npz [--samples N] [--seed S] [--base FOLDER]

DATA_DIR holds the corpora of `tagger.corpora`; without it (`-`) the generator alone is used.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import numpy as np

from scrubbers.weights import checked_folder
from tagger import corpora
from tagger.encode import Encoded, Spans, encoded, tokenizer
from tagger.labels import EVERY, NUMBER, TYPES
from tagger.samples import samples
from tagger.swap import swapped

BATCH = 512
CHUNK = 20_000  # samples of one seed
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
        sets.append(list(windows_of(texts + extra, asked.base)))
        masks.append(mask(corpus.annotated))
        weights.append(corpus.weight)
        print(f"{corpus.name:24} {len(rows):6,} documents {len(sets[-1]):7,} windows", flush=True)
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
    asked.base = asked.base or checked_folder("rampart")
    return asked


def mask(annotated: Iterable[str]) -> list[bool]:
    """Which labels count: "O" and those of the annotated types."""
    found = [False] * len(NUMBER)
    found[0] = True
    for kind in annotated:
        found[NUMBER[f"B-{kind}"]] = found[NUMBER[f"I-{kind}"]] = True
    return found


def made(count: int, seed: int, base: Path, processes: int) -> list[Encoded]:
    """Windows of generated text; the same for any number of processes."""
    jobs = [(seed * 10_000 + part, min(CHUNK, count - part * CHUNK), base)
            for part in range(-(-count // CHUNK))]  # fmt: skip
    with Pool(processes) as pool:
        found = [window for part in pool.imap(chunk, jobs) for window in part]
    print(f"{'generated':24} {count:6,} texts {len(found):11,} windows", flush=True)
    return found


def chunk(job: tuple[int, int, Path]) -> list[Encoded]:
    """The windows of one seed."""
    seed, count, base = job
    texts = ((sample["text"], sample["spans"]) for sample in samples(seed, count))
    return list(windows_of(texts, base))


def windows_of(texts: Iterable[tuple[str, Any]], base: Path) -> Iterator[Encoded]:
    """All windows of texts with spans."""
    reader, source = tokenizer(base), iter(texts)
    while batch := list(islice(source, BATCH)):
        for found in encoded(reader, [t for t, _ in batch], [s for _, s in batch]):
            yield from found


def save(
    path: Path, sets: Sequence[Sequence[Encoded]], masks: Sequence[Sequence[bool]],
    weights: Sequence[float],
) -> None:  # fmt: skip
    """One npz: joined ids, looks, labels; lengths and set of each window; masks, weights."""
    windows = [window for group in sets for window in group]
    np.savez_compressed(
        path,
        ids=np.concatenate([w.ids for w in windows]),
        looks=np.concatenate([w.looks for w in windows]),
        labels=np.concatenate([w.labels for w in windows]),
        lengths=np.array([len(w.ids) for w in windows], np.int32),
        sets=np.repeat(np.arange(len(sets), dtype=np.int16), [len(group) for group in sets]),
        masks=np.array(masks),
        weights=np.array(weights),
        types=np.array(TYPES),
    )
    print(f"{path}: {len(windows):,} windows, {sum(len(w.ids) for w in windows):,} pieces")


if __name__ == "__main__":
    main()
