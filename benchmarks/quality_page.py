"""A run's figures as tables: on the terminal, as JSON, and in docs/quality.md."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

from benchmarks.quality_score import FIGURES, Figures, Floors, Result

BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"
Cells = Sequence[str]


class PageUnreadable(Exception):
    """A file that figures are read from or written into is not what it should be."""


@dataclass(frozen=True, slots=True)
class About:
    """What was measured with: rows that counted, dev part or all, labels, the file's hash."""

    rows: int
    part: str
    labels: str
    sha256: str


@dataclass(frozen=True, slots=True)
class Run:
    """One system's models and results, by corpus."""

    models: Mapping[str, str]
    results: dict[str, Result] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Report:
    """All that a run tells."""

    packages: Mapping[str, str]
    corpora: dict[str, About] = field(default_factory=dict)
    systems: dict[str, Run] = field(default_factory=dict)


def written(report: Report) -> str:
    """The report as JSON."""
    return json.dumps(asdict(report), indent=1) + "\n"


def read(file: Path) -> Report:
    """A report that was written. Raises PageUnreadable."""
    try:
        value = json.loads(file.read_text(encoding="utf-8"))
        return Report(
            value["packages"],
            {name: About(**row) for name, row in value["corpora"].items()},
            {
                name: Run(row["models"], {c: result(r) for c, r in row["results"].items()})
                for name, row in value["systems"].items()
            },
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        raise PageUnreadable(f"{file} is no report of this script's --json.") from None


def result(value: Mapping[str, Any]) -> Result:
    """A result from JSON."""
    labels = {name: Figures(**row) for name, row in value["labels"].items()}
    languages = {name: Figures(**row) for name, row in value["languages"].items()}
    return Result(Figures(**value["whole"]), labels, languages)


def merged(old: Report, new: Report, file: Path) -> Report:
    """The new figures beside the old ones, new before old. Raises PageUnreadable.

    Figures of other packages, corpora or models do not stand in one table.
    """
    if old.packages != new.packages:
        raise PageUnreadable(f"{file} was measured with other packages; measure it again.")
    for name in old.corpora.keys() & new.corpora.keys():
        if old.corpora[name] != new.corpora[name]:
            raise PageUnreadable(f"{file} was measured with another {name}; measure it again.")
    systems = dict(old.systems)
    for name, run in new.systems.items():
        before = systems.get(name, run)
        if before.models != run.models:
            raise PageUnreadable(f"{file} has another model of {name}; measure it again.")
        systems[name] = Run(run.models, {**before.results, **run.results})
    return Report(new.packages, {**old.corpora, **new.corpora}, systems)


def per_cent(value: float | None) -> str:
    """A percentage, or a dash where there is none."""
    return "–" if value is None else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def f2(value: float | None) -> str:
    """An F2 in per cent, or a dash."""
    return per_cent(None if value is None else 100 * value)


def shares(figures: Figures) -> list[str]:
    """Leaked characters, documents with a leak and over-scrub, in per cent."""
    return [per_cent(figures.share(name)) for name in FIGURES]


def pooled(many: Iterable[Figures]) -> Figures:
    """The counts of several views added; without F2, which is no sum."""
    names = [one.name for one in fields(Figures) if one.name != "f2"]
    rows = list(many)
    return Figures(**{name: sum(getattr(row, name) for row in rows) for name in names})


def lines(head: Cells, rows: Iterable[Cells]) -> list[str]:
    """A table for a terminal: the first two columns to the left, figures to the right."""
    every = [head, *rows]
    widths = [max(len(row[at]) for row in every) for at in range(len(head))]
    return [
        "  ".join(
            cell.ljust(width) if at < 2 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in every
    ]


def table(head: Cells, rows: Iterable[Cells]) -> str:
    """A table in Markdown."""
    every = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(row)} |" for row in every)


def by_view(found: Result, by: str) -> Mapping[str, Figures]:
    """The finer views of a result: `label` or `language`."""
    return found.labels if by == "label" else found.languages


def page(report: Report, floors: Floors) -> str:
    """The tables of docs/quality.md."""
    parts = ["## Side by side", "", side_by_side(report), ""]
    for name in ("tagger", "product"):
        if name in report.systems:
            parts += [f"## Against the floors: {name}", "", against(report, name, floors), ""]
    for by in ("label", "language"):
        parts += [f"## Leaked characters by {by}, all corpora together", ""]
        parts += [pooled_table(report, by), ""]
    return "\n".join([*parts, "## What was measured with", "", provenance(report)])


def side_by_side(report: Report) -> str:
    """One row a corpus, one column a system: three percentages."""
    head = ["corpus", "texts", "labels", *report.systems]
    rows = []
    for name, about in sorted(report.corpora.items()):
        cells = [
            " / ".join(shares(run.results[name].whole)) if name in run.results else ""
            for run in report.systems.values()
        ]
        if not any(cells):
            continue
        part = f"{about.rows:,}" + (" (dev)" if about.part == "dev" else "")
        rows.append([name, part, about.labels, *cells])
    return table(head, rows)


def against(report: Report, system: str, floors: Floors) -> str:
    """One system's figures with F2, each beside its floor."""
    rows = []
    for corpus, found in sorted(report.systems[system].results.items()):
        own = floors.get(system, {}).get(corpus, {})
        cells = []
        for figure in FIGURES:
            value, floor = found.whole.share(figure), own.get(figure)
            over = floor is not None and value is not None and value > floor
            told = f"**{per_cent(value)}**" if over else per_cent(value)
            cells.append(told if floor is None else f"{told} ({floor:g})")
        rows.append([corpus, *cells, f2(found.whole.f2)])
    return table(["corpus", *FIGURES.values(), "F2"], rows)


def pooled_table(report: Report, by: str) -> str:
    """One row a label or language, one column a system."""
    names = {
        name
        for run in report.systems.values()
        for found in run.results.values()
        for name in by_view(found, by)
    }
    rows = []
    for name in sorted(names):
        views = [
            pooled(by_view(r, by)[name] for r in run.results.values() if name in by_view(r, by))
            for run in report.systems.values()
        ]
        count = max(view.characters for view in views)
        if count:
            rows.append([name, f"{count:,}", *(per_cent(view.share("leaked")) for view in views)])
    return table([by, "characters", *report.systems], rows)


def provenance(report: Report) -> str:
    """Packages, models and corpora, with versions and hashes."""
    rows = [["package", name, version] for name, version in report.packages.items()]
    models = {item for run in report.systems.values() for item in run.models.items()}
    rows += [["model", name, told] for name, told in sorted(models)]
    measured = {name for run in report.systems.values() for name in run.results}
    rows += [
        ["corpus", name, f"sha256:{about.sha256}"]
        for name, about in sorted(report.corpora.items())
        if name in measured
    ]
    return table(["kind", "name", "version"], rows)


def put_in(file: Path, tables: str) -> None:
    """Write the tables between the markers of a page. Raises PageUnreadable."""
    text = file.read_text(encoding="utf-8")
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise PageUnreadable(f"{file} lacks the lines {BEGIN} and {END}; the tables go between.")
    file.write_text(f"{before}{BEGIN}\n\n{tables}\n\n{END}{after}", encoding="utf-8")
