"""Spans that were found against spans that are right: figures, and floors that they must keep."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.quality_corpora import Corpus, Row

Span = dict[str, Any]
COUNTED, ASIDE = "counted", "aside"
# The names of figures in the floors' file, and in words.
FIGURES = {
    "leaked": "leaked characters",
    "documents": "documents with a leak",
    "over_scrub": "over-scrub",
}


class FloorsUnreadable(Exception):
    """The file of floors has a figure that nobody measures."""


@dataclass(frozen=True, slots=True)
class Figures:
    """Counts of one view; the shares are percentages, None where there is nothing to share.

    `characters`, `leaked`: non-space characters under spans that count, and those left of them.
    `documents`, `open_documents`: with such a span, with a leak. `others`, `scrubbed`: non-space
    characters outside every gold span, and those covered. `f2` is over spans that touch.
    """

    characters: int
    leaked: int
    documents: int
    open_documents: int
    others: int
    scrubbed: int
    f2: float | None = None

    def share(self, name: str) -> float | None:
        """The percentage of that name of FIGURES."""
        part, whole = {
            "leaked": (self.leaked, self.characters),
            "documents": (self.open_documents, self.documents),
            "over_scrub": (self.scrubbed, self.others),
        }[name]
        return 100 * part / whole if whole else None


@dataclass(frozen=True, slots=True)
class Result:
    """One system over one corpus: the whole, and by label (leaked characters alone) and language."""

    whole: Figures
    labels: Mapping[str, Figures]
    languages: Mapping[str, Figures]


def measured(corpus: Corpus, spans: Sequence[list[Span]], scorer: Any) -> Result:
    """The figures of one corpus; `spans` are those of its rows, in order, with short labels."""
    gold = [marked(row, corpus) for row in corpus.rows]
    told = [
        {"id": row["id"], "spans": kept(found, row, corpus)}
        for row, found in zip(corpus.rows, spans, strict=True)
    ]
    whole, languages, *_ = scorer.score(
        gold, told, labels=corpus.asked, id_type={COUNTED}, by="lang"
    )
    labels = {
        name: Figures(row["chars"], row["leaked"], 0, 0, 0, 0)
        for name, row in whole["chars"].items()
        if name != "ALL"
    }
    return Result(figures(whole), labels, {name: figures(view) for name, view in languages.items()})


def marked(row: Row, corpus: Corpus) -> Row:
    """The row with each span marked as counted or as neutral ground."""
    spans = [
        {**span, "id_type": COUNTED if span["label"] in corpus.asked else ASIDE}
        for span in row["spans"]
    ]
    return {**row, "spans": spans}


def kept(found: Iterable[Span], row: Row, corpus: Corpus) -> list[Span]:
    """What counts of a prediction.

    Labels that are not asked for are left out. One that the corpus does not annotate hides what
    it covers, and is no over-scrub where it stands beside every span that counts.
    """
    right = [(s["start"], s["end"]) for s in row["spans"] if s["label"] in corpus.asked]
    return [
        span
        for span in found
        if span["label"] in corpus.asked
        and (
            span["label"] in corpus.annotated
            or any(start < span["end"] and span["start"] < end for start, end in right)
        )
    ]


def figures(view: Mapping[str, Any]) -> Figures:
    """One view of the scorer as counts."""
    every, over = view["chars"]["ALL"], view["over_scrub"]
    return Figures(
        every["chars"], every["leaked"], view["docs_with_sensitive"], view["docs_with_a_leak"],
        over["non_gold_chars"], over["covered"], view["overlap"]["ALL"]["f2"],
    )  # fmt: skip


Floors = Mapping[str, Mapping[str, Mapping[str, float]]]


def floors_of(file: Path) -> Floors:
    """System -> corpus -> figure -> the most that is let pass. Raises FloorsUnreadable."""
    floors = tomllib.loads(file.read_text(encoding="utf-8"))
    for system, rows in floors.items():
        for corpus, row in rows.items():
            if unknown := set(row) - set(FIGURES):
                raise FloorsUnreadable(
                    f"{file}: {system}.{corpus} has {', '.join(sorted(unknown))}; "
                    f"figures are {', '.join(FIGURES)}."
                )
    return floors


def over_floors(system: str, results: Mapping[str, Result], floors: Floors) -> list[str]:
    """A sentence for each figure of a system that is over its floor."""
    told = []
    for corpus, row in floors.get(system, {}).items():
        whole = results[corpus].whole if corpus in results else None
        for name, floor in row.items():
            share = whole.share(name) if whole else None
            if share is not None and share > floor:
                told.append(
                    f"{system} on {corpus}: {FIGURES[name]} {share:.2f} %, floor {floor:g} %"
                )
    return told


def unmeasured(system: str, results: Mapping[str, Result], floors: Floors) -> list[str]:
    """The corpora with a floor that were not measured."""
    return [corpus for corpus in floors.get(system, {}) if corpus not in results]
