"""Span corpora of a folder: which rows count, which labels are asked for, what is annotated."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scrubbers.entities import BALANCED, LABELS
from scrubbers.weights import sha256_of
from tagger import corpora
from tagger.labels import TYPES

Row = dict[str, Any]
# Our types and those of models -> the corpora's short names; other names stay as they are.
SHORT = {LABELS[name][0]: name for name in TYPES}
DIRECT = tuple(SHORT[name] for name in BALANCED)
PERSON = ("PERSON",)
NEUTRAL = frozenset({"LOCATION", "ORG", "DATE", "URL", "MISC", "PUBLIC"})
# Corpora with more labels than they annotate everywhere, of which people alone are asked for.
PEOPLE = ("wikineural_", "wnut17_", "btc_twitter_", "tab_", "echr_")
# Beginnings of names of corpora -> direct labels that they leave out though such values stand in
# their texts. An unseen half of the same source is annotated alike. The table by which the tagger
# is trained is another one: it says of which labels a missing one teaches something.
LEFT_OUT: dict[str, frozenset[str]] = {
    "plpii_": frozenset({"IP"}),
    "ler_de_": frozenset({"OTHER_ID"}),  # file numbers of courts
    "sgd_": frozenset(DIRECT) - {"PERSON", "ADDRESS", "PHONE"},  # values of slots alone
}


class NoCorpora(Exception):
    """The folder holds nothing that can be measured with."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Rows that count, the labels asked for, and those of which a wrong one is over-scrub.

    `part` is "dev" where the tagger is trained on the rest, else "all".
    """

    name: str
    rows: list[Row]
    part: str
    asked: tuple[str, ...]
    annotated: frozenset[str]
    sha256: str

    @property
    def labels(self) -> str:
        """What is asked for, in a word."""
        return "PERSON" if self.asked == PERSON else "D"


def found(folder: Path, only: list[str], *, every: bool) -> tuple[list[Corpus], list[str]]:
    """The corpora of a folder, and a line for each file or asked name that is none.

    `only`: names without ending, empty for all. `every`: also what the tagger is trained on.
    Raises NoCorpora.
    """
    scorer = folder / "score_spans.py"
    if not scorer.is_file():
        raise NoCorpora(f"{scorer} is missing: name the folder of the corpora and their scorer.")
    files = [f for f in sorted(folder.glob("*.jsonl")) if not only or f.stem in only]
    listed: list[Corpus] = []
    skipped = [f"{name}: no such file" for name in only if name not in {f.stem for f in files}]
    for file in files:
        rows = read(file)
        if rows is None:
            skipped.append(f"{file.name}: rows of another form than id (once), text, spans in it")
        else:
            listed.append(corpus_of(file, rows, every=every))
    if not listed:
        raise NoCorpora(f"{folder} holds no span corpus (*.jsonl, a row: id, lang, text, spans).")
    return listed, skipped


def read(file: Path) -> list[Row] | None:
    """The rows of a span corpus; None for a file of another form."""
    rows: list[Row] = []
    try:
        for line in lines(file):
            row = json.loads(line)
            if not is_row(row):
                return None
            rows.append(row)
    except ValueError:
        return None
    once = len({row["id"] for row in rows}) == len(rows)
    return rows if rows and once else None


def lines(file: Path) -> Iterator[str]:
    """The lines of a file that hold something."""
    with file.open(encoding="utf-8") as handle:
        yield from (line for line in handle if line.strip())


def is_row(row: object) -> bool:
    """Whether it has an id, a text, and spans in that text."""
    if not isinstance(row, dict) or "id" not in row or not isinstance(row.get("text"), str):
        return False
    spans, length = row.get("spans"), len(row["text"])
    return isinstance(spans, list) and all(is_span(span, length) for span in spans)


def is_span(span: object, length: int) -> bool:
    """Whether it has a label and a place within so many characters."""
    if not isinstance(span, dict) or not isinstance(span.get("label"), str):
        return False
    start, end = span.get("start"), span.get("end")
    return isinstance(start, int) and isinstance(end, int) and 0 <= start < end <= length


def corpus_of(file: Path, rows: list[Row], *, every: bool) -> Corpus:
    """The corpus of a file's rows."""
    trained = {row.name for row in corpora.TRAINED}
    dev = file.stem in trained and not every
    return Corpus(
        name=file.stem,
        rows=[row for row in rows if corpora.is_dev(row)] if dev else rows,
        part="dev" if dev else "all",
        asked=asked_of(file.stem, rows),
        annotated=annotated_of(file.stem, rows),
        sha256=sha256_of(file),
    )


def asked_of(name: str, rows: list[Row]) -> tuple[str, ...]:
    """PERSON where a corpus annotates no other direct label (but by rule), else all of them."""
    gold = {s["label"] for row in rows for s in row["spans"] if s.get("orig") != "auto"}
    people_alone = "PERSON" in gold and gold <= NEUTRAL | set(PERSON)
    return PERSON if people_alone or name.startswith(PEOPLE) else DIRECT


def annotated_of(name: str, rows: list[Row]) -> frozenset[str]:
    """The direct labels that are annotated wherever they stand; of an unknown corpus, all."""
    if asked_of(name, rows) == PERSON:
        return frozenset(PERSON)
    left = (labels for start, labels in LEFT_OUT.items() if name.startswith(start))
    return frozenset(DIRECT) - next(left, frozenset())
