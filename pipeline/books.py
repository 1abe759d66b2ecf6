"""The books of one run: counts only, kept while records are written, told in the report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pipeline.drift import Drift
from pipeline.spool import Entry
from pipeline.violations import Tally
from scrubbers.surrogates.origin import origin_of

if TYPE_CHECKING:
    from pipeline.write import Outcome

PLACES = 5  # places shown for each kind of fault; the count says how many there are


@dataclass
class Books:
    """What happened to every record, by number and kind; no text from any of them."""

    names: list[str]
    records: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    replaced: Counter[tuple[str, str]] = field(default_factory=Counter)
    kept: Counter[tuple[str, str]] = field(default_factory=Counter)
    detectors: Counter[str] = field(default_factory=Counter)
    origins: Counter[tuple[str, str]] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    notes: Counter[tuple[str, str]] = field(default_factory=Counter)
    unscanned: Counter[str] = field(default_factory=Counter)
    faults: dict[str, dict[str, Any]] = field(default_factory=dict)
    tokens: list[int] = field(default_factory=list)
    lone: int = 0  # single names beside full ones, in records that were written
    pairs: Counter[str] = field(default_factory=Counter)  # replaced, kept: see pair_books
    drift: Drift = field(default_factory=Drift)
    tally: Tally = field(default_factory=Tally)
    given: Mapping[str, Any] | None = None  # what `pipeline.given` tells of findings given

    def entry(self, entry: Entry, status: str) -> None:
        """Book one record under its final status."""
        name = self.names[entry.file]
        self.records[status] += 1
        self.reasons.update(entry.reasons)
        self.notes.update((name, note) for note in entry.notes)
        self.unscanned.update({reason for _, reason in entry.unscanned})
        if entry.format:
            self.formats[entry.format] += 1
            self.languages[entry.language] += 1
        for mark in entry.marks:
            (self.replaced if mark.acted else self.kept)[name, mark.type] += 1
            self.detectors[mark.detector] += 1
            if mark.acted and status in ("train", "holdout"):
                self.origins[mark.type, origin_of(mark.type, mark.country)] += 1
        if status in ("train", "holdout"):
            self.lone += entry.lone
            self._faults(entry, name)

    def _faults(self, entry: Entry, name: str) -> None:
        for code, path, message, openai in entry.faults:
            group = self.faults.setdefault(
                code, {"count": 0, "message": message, "openai": openai, "places": []}
            )
            group["count"] += 1
            if len(group["places"]) < PLACES:
                place = {"file": name, "record": entry.number, "line": entry.line, "path": path}
                group["places"].append(place)

    def lengths(self, outcome: Outcome, source: Mapping[str, Any]) -> None:
        """Book how long a written record is, and how long it was."""
        if outcome.tokens is not None:
            self.tokens.append(outcome.tokens)
        if outcome.raw is None:
            return
        lengths = (len(outcome.raw.text), len(outcome.text))
        if outcome.tokens is not None:
            before = outcome.raw_tokens
            lengths = (outcome.tokens if before is None else before, outcome.tokens)
        self.drift.add(*lengths, source if outcome.replaced else None)

    def at_hand(self, place: dict[str, Any], *, part: bool) -> None:
        """Book whether a surrogate lies in its original or the other way round, by letters."""
        self.tally.by_letters += 1
        if part:
            self.tally.book(("surrogate-is-part", "holds a part of its original.", place))

    @property
    def total(self) -> int:
        """Records and unreadable places seen."""
        return sum(self.records.values())


def nested(counter: Counter[tuple[str, str]]) -> dict[str, dict[str, int]]:
    """A counter over pairs as a mapping of mappings, sorted."""
    table: dict[str, dict[str, int]] = {}
    for (outer, inner), count in sorted(counter.items()):
        table.setdefault(outer, {})[inner] = count
    return table
