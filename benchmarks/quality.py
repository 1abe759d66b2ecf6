"""What detection leaves and what it takes too much of, on every span corpus of a folder.

    python benchmarks/quality.py DATA_DIR [--only NAME ...] [--systems NAME,...] [--by label]
                                 [--check] [--json OUT] [--read OUT ...] [--write docs/quality.md]

DATA_DIR holds span corpora (*.jsonl) and score_spans.py. How to read the figures is in
docs/quality.md. `--check` ends with 1 where a figure is over its floor in benchmarks/floors.toml.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))  # run as a script: the repository's root

from benchmarks import quality_page as pages
from benchmarks import quality_score as scores
from benchmarks.quality_corpora import Corpus, NoCorpora, found
from benchmarks.quality_models import ModelMissing
from benchmarks.quality_systems import SYSTEMS, NoTagger, Options, System, packages
from scrubbers.tagger.card import ModelDamaged
from scrubbers.weights import ModelsMissing
from tagger.evaluate import loaded

FLOORS = Path(__file__).with_name("floors.toml")
USUAL = ("product", "tagger", "presidio", "onnx", "union")
EXPECTED = (
    NoCorpora, NoTagger, ModelDamaged, ModelMissing, ModelsMissing, scores.FloorsUnreadable,
    pages.PageUnreadable,
)  # fmt: skip
BATCH = 64  # texts that a system is given at once


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit code: 0, or 1 where `--check` found a figure over its floor, or 2."""
    asked = parsed(arguments)
    try:
        return run(asked)
    except EXPECTED as error:
        print(error, file=sys.stderr)
        return 2


def parsed(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", type=Path)
    parser.add_argument("--only", nargs="*", default=[], help="corpora, without .jsonl")
    parser.add_argument("--systems", default=",".join(USUAL), help=f"of {', '.join(SYSTEMS)}")
    parser.add_argument("--by", action="append", default=[], choices=["label", "language"])
    parser.add_argument("--all", action="store_true", help="also what the tagger is trained on")
    parser.add_argument("--check", action="store_true", help="compare with the floors")
    parser.add_argument("--floors", type=Path, default=FLOORS)
    parser.add_argument("--times", type=float, default=1.0, help="floors, so many times")
    parser.add_argument(
        "--model", type=Path, help="another tagger: a folder with its card, or an ONNX file"
    )
    parser.add_argument("--base", type=Path, help="the folder of that model's tokenizer")
    parser.add_argument("--least", type=float, default=0.5, help="that model's least probability")
    parser.add_argument(
        "--spacy", default="en_core_web_md", help="Presidio's model: folder, package"
    )
    parser.add_argument("--json", type=Path, help="write the report there")
    parser.add_argument("--read", type=Path, action="append", default=[], help="earlier reports")
    parser.add_argument("--write", type=Path, help="put the tables into that page")
    asked = parser.parse_args(arguments)
    asked.systems = [name for name in asked.systems.split(",") if name]
    if unknown := [name for name in asked.systems if name not in SYSTEMS]:
        parser.error(f"--systems: {', '.join(unknown)}; known: {', '.join(SYSTEMS)}")
    return asked


def run(asked: argparse.Namespace) -> int:
    floors = scores.floors_of(asked.floors)
    corpora, skipped = found(asked.data, asked.only, every=asked.all)
    for line in skipped:
        print(f"skipped {line}")
    scorer = loaded(asked.data / "score_spans.py")
    report = pages.Report(packages(), {one.name: about(one) for one in corpora})
    options = Options(asked.model, asked.base, asked.least, asked.spacy)
    for name in asked.systems:
        system = SYSTEMS[name](options)
        report.systems[name] = pages.Run(dict(system.models))
        measure(name, system, corpora, scorer, report, asked.by)
    for file in asked.read:
        report = pages.merged(pages.read(file), report, file)
    print(f"\n{pages.provenance(report)}")
    if asked.json:
        asked.json.write_text(pages.written(report), encoding="utf-8")
    if asked.write:
        pages.put_in(asked.write, pages.page(report, floors))
    return judged(report, floors, asked.times) if asked.check else 0


def about(corpus: Corpus) -> pages.About:
    return pages.About(len(corpus.rows), corpus.part, corpus.labels, corpus.sha256)


def measure(
    name: str, system: System, corpora: list[Corpus], scorer: Any, report: pages.Report,
    by: list[str],
) -> None:  # fmt: skip
    """Fill a system's results and print its table."""
    rows: list[list[str]] = []
    for corpus in corpora:
        print(f"\r{name}: {corpus.name:30}", end="", file=sys.stderr, flush=True)
        texts = [row["text"] for row in corpus.rows]
        began = time.perf_counter()
        spans = [
            s for at in range(0, len(texts), BATCH) for s in system.find(texts[at : at + BATCH])
        ]
        speed = sum(map(len, texts)) / (time.perf_counter() - began)
        result = scores.measured(corpus, spans, scorer)
        report.systems[name].results[corpus.name] = result
        shown = [corpus.name, corpus.labels + (" dev" if corpus.part == "dev" else "")]
        whole = result.whole
        rows.append([*shown, *pages.shares(whole), pages.f2(whole.f2), f"{speed:,.0f}"])
        for view in by:
            rows += [
                ["", f"{key}", *pages.shares(figures), pages.f2(figures.f2), ""]
                for key, figures in pages.by_view(result, view).items()
            ]
    print("\r", end="", file=sys.stderr)
    head = ["corpus", "labels", "leaked %", "documents %", "over-scrub %", "F2 %", "characters/s"]
    print(f"\n{name}", *pages.lines(head, rows), sep="\n", flush=True)


def judged(report: pages.Report, floors: scores.Floors, times: float) -> int:
    """Say which figures are over their floors."""
    scaled = {
        system: {c: {k: v * times for k, v in row.items()} for c, row in rows.items()}
        for system, rows in floors.items()
    }
    over: list[str] = []
    for name, done in report.systems.items():
        over += scores.over_floors(name, done.results, scaled)
        if left := scores.unmeasured(name, done.results, scaled):
            print(f"no figures for the floors of {name} on: {', '.join(left)}")
    print(*over, sep="\n")
    print(f"{len(over)} figures are over their floors" if over else "no figure is over its floor")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
