"""samples(seed, n): one text each with exact spans, of all scenes and languages.

`python -m tagger.samples N [--seed S] [--languages en,de] [--out FILE | --stats]`
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TypedDict

from tagger.pieces import Pieces, flatten
from tagger.scenes import leaves_of
from tagger.slots import LANGUAGES

LONGEST, SHORTEST = 1500, 10
TRIES = 6
SCENES = (  # name, weight
    ("frame", 26), ("document", 7), ("instruct", 4), ("turns", 13), ("bare", 4), ("json", 10), ("form", 7), ("table", 4), ("program", 7), ("mail", 6), ("export", 3), ("dialogue", 2), ("names", 4), ("contact", 1),
    ("mixed", 3), ("negative", 13), ("quiet.json", 3), ("quiet.program", 4), ("quiet.table", 1.5), ("quiet.form", 1),
    ("world", 14), ("casting", 3), ("answer", 10), ("snippet", 10), ("cue", 5),
    ("near", 14), ("wordname", 8), ("chatter", 7), ("opening", 8), ("capitals", 3.5), ("street", 4.5),
)  # fmt: skip
DIRECT = frozenset(
    "PERSON EMAIL PHONE ADDRESS DOB IBAN CARD BANK_ACCOUNT NATIONAL_ID PASSPORT LICENCE_PLATE IP USERNAME "
    "PASSWORD SECRET MEDICAL_ID OTHER_ID".split()
)


class Span(TypedDict):
    """Where a value stands and what it is."""

    start: int
    end: int
    label: str


class Sample(TypedDict):
    """One text with its spans."""

    text: str
    spans: list[Span]
    lang: str
    scene: str


def samples(seed: int, n: int, languages: Sequence[str] | None = None) -> Iterator[Sample]:
    """So many samples; the same seed gives the same, and more of them continue the same row."""
    spoken = tuple(languages or LANGUAGES)
    made, index = 0, 0
    while made < n:
        rng = random.Random(f"{seed}:{index}")
        index += 1
        for sample in scene_samples(rng, rng.choice(spoken)):
            if made < n:
                made += 1
                yield sample


def scene_samples(rng: random.Random, language: str) -> list[Sample]:
    """The leaves of one scene."""
    for _ in range(TRIES):
        scene = rng.choices([name for name, _ in SCENES], [weight for _, weight in SCENES])[0]
        leaves = leaves_of(rng, scene, language)
        found = [finished(pieces, language, name) for name, pieces in leaves]
        kept = [
            sample
            for sample in found
            if SHORTEST <= len(sample["text"]) <= LONGEST or scene == "bare"
        ]
        if kept:
            return kept
    return []


def finished(pieces: Pieces, language: str, scene: str) -> Sample:
    """A sample of pieces."""
    text, spans = flatten(pieces)
    shown: list[Span] = [
        {"start": int(s["start"]), "end": int(s["end"]), "label": str(s["label"])} for s in spans
    ]
    return {"text": text, "spans": shown, "lang": language, "scene": scene}


def statistics(seed: int, n: int, languages: Sequence[str] | None) -> str:
    """What n samples hold."""
    labels: Counter[str] = Counter()
    scenes: Counter[str] = Counter()
    spoken: Counter[str] = Counter()
    lengths: list[int] = []
    bare = direct = 0
    for sample in samples(seed, n, languages):
        labels.update(span["label"] for span in sample["spans"])
        scenes[sample["scene"]] += 1
        spoken[sample["lang"]] += 1
        lengths.append(len(sample["text"]))
        bare += not sample["spans"]
        direct += not any(span["label"] in DIRECT for span in sample["spans"])
    lengths.sort()
    marks = [lengths[int(len(lengths) * share)] for share in (0.05, 0.25, 0.5, 0.75, 0.95)]
    rows = [
        f"{n} samples, mean length {sum(lengths) / n:.0f}, length at 5/25/50/75/95 %: {' '.join(map(str, marks))}",
        f"without any span {bare / n:.1%}, without a direct identifier {direct / n:.1%}",
        "labels per 1,000 samples: "
        + ", ".join(f"{k} {v * 1000 / n:.0f}" for k, v in labels.most_common()),
        "scenes: " + ", ".join(f"{k} {v / n:.1%}" for k, v in scenes.most_common()),
        "languages: " + ", ".join(f"{k} {v / n:.1%}" for k, v in sorted(spoken.items())),
    ]
    return "\n".join(rows)


def main() -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="tagger.samples", description=__doc__)
    parser.add_argument("number", nargs="?", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--languages", default="")
    parser.add_argument("--out", default="-")
    parser.add_argument("--stats", action="store_true")
    arguments = parser.parse_args()
    languages = arguments.languages.split(",") if arguments.languages else None
    if arguments.stats:
        print(statistics(arguments.seed, arguments.number, languages))
        return 0
    rows = (
        json.dumps(row, ensure_ascii=False)
        for row in samples(arguments.seed, arguments.number, languages)
    )
    if arguments.out == "-":
        sys.stdout.writelines(f"{row}\n" for row in rows)
    else:
        with open(arguments.out, "w", encoding="utf-8") as file:  # noqa: PTH123
            file.writelines(f"{row}\n" for row in rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
