"""Does text that the tagger is trained on stand in what judges it? Runs of words tell.

    python -m tagger.leakage DATA_DIR [--samples N]

A document of a judge, or of a dev part, is touched where a run of WORDS words of it, in any letter
case, stands in training text. Prints each pair of sets with touched documents, and the share of
their runs that is found.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from hashlib import blake2b
from pathlib import Path

from tagger import corpora
from tagger.samples import samples

WORDS = 8
WORD = re.compile(r"\w+")
SEED = 10_000  # the first of those that `tagger.prepare` uses
Runs = frozenset[int]


def main() -> None:
    """Print what is found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", type=Path)
    parser.add_argument("--samples", type=int, default=50_000)
    asked = parser.parse_args()
    judged = dict(judges(asked.data))
    index: dict[int, list[tuple[str, int]]] = {}
    for name, documents in judged.items():
        for number, own in enumerate(documents):
            for run in own:
                index.setdefault(run, []).append((name, number))
    for name, texts in training(asked.data, asked.samples):
        for line in touched(name, texts, index, judged):
            print(line, flush=True)


def runs(text: str) -> Runs:
    """Numbers that stand for the runs of words of a text."""
    words = [word.casefold() for word in WORD.findall(text)]
    ends = range(WORDS, len(words) + 1)
    return frozenset(number(" ".join(words[end - WORDS : end])) for end in ends)


def number(words: str) -> int:
    """One number for a run of words, the same in every process."""
    return int.from_bytes(blake2b(words.encode(), digest_size=8).digest(), "big")


def judges(folder: Path) -> Iterator[tuple[str, list[Runs]]]:
    """The runs of every document that judges: whole corpora, and the dev parts of the others."""
    for name in corpora.JUDGES:
        yield name, [runs(row["text"]) for row in corpora.documents(folder, name)]
    for corpus in corpora.TRAINED:
        yield (
            f"{corpus.name} (dev)",
            [runs(row["text"]) for row in corpora.dev(folder, corpus.name)],
        )


def training(folder: Path, count: int) -> Iterator[tuple[str, Iterable[str]]]:
    """The texts that are trained on, set by set."""
    yield "generated", (sample["text"] for sample in samples(SEED, count))
    for corpus in corpora.TRAINED:
        yield corpus.name, (row["text"] for row in corpora.train(folder, corpus.name))


def touched(
    name: str, texts: Iterable[str], index: dict[int, list[tuple[str, int]]],
    judged: dict[str, list[Runs]],
) -> Iterator[str]:  # fmt: skip
    """A line for each set that judges and shares runs with these texts."""
    seen: dict[tuple[str, int], set[int]] = {}
    for text in texts:
        for run in runs(text):
            for place in index.get(run, ()):
                seen.setdefault(place, set()).add(run)
    documents = Counter(judge for judge, _ in seen)
    for judge, count in sorted(documents.items()):
        shared = sum(len(found) for (own, _), found in seen.items() if own == judge)
        every = sum(len(own) for own in judged[judge])
        size = len(judged[judge])
        share = 100 * shared / every
        yield f"{name:24} in {judge:30} {count:5} of {size:5} documents, {share:6.2f} % of runs"


if __name__ == "__main__":
    main()
