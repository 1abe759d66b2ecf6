"""The files that the writing pass fills: records, edits, lineage, pairs, quarantine, the vault."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from pipeline.answer_proof import ANSWER_FAULTS
from pipeline.books import Books
from pipeline.folder import VERSION
from pipeline.pair_books import FILE as PAIRS
from pipeline.pair_books import pair_rows
from pipeline.places import place_of
from pipeline.reading import RawRecord
from pipeline.replace import Replaced
from pipeline.scan_plan import Plan
from pipeline.skeleton import shape
from pipeline.terms import dates_id
from pipeline.vault import NAME as VAULT
from pipeline.vault import writing
from pipeline.write import Outcome, located


class Writer:
    """The files of `ship/` and `keep/`, opened once, written in input order."""

    def __init__(
        self,
        root: Path,
        books: Books,
        stack: ExitStack,
        plan: Plan,
        vault: X25519PublicKey | None = None,
    ) -> None:
        (root / "ship").mkdir(parents=True)
        (root / "keep").mkdir()
        self._books, self._plan = books, plan
        self._ship = {s: _open(root / f"ship/{s}.jsonl", stack) for s in ("train", "holdout")}
        self._edits = _open(root / "keep/edits.jsonl", stack, versioned=True)
        self._lineage = _open(root / "keep/lineage.jsonl", stack, versioned=True)
        self._pairs = _open(root / "keep" / PAIRS, stack, versioned=True)
        self._quarantine = _open(root / "keep/quarantine.jsonl", stack, versioned=True)
        self._lines = {"train": 0, "holdout": 0}
        self._lock = stack.enter_context(writing(root / "keep" / VAULT, vault)) if vault else None

    def write(self, outcome: Outcome) -> None:
        """Write one record where its status says, and book it."""
        entry = outcome.entry
        source = {"file": self._books.names[entry.file], "record": entry.number, "line": entry.line}
        self._books.entry(entry, outcome.status)
        if outcome.status not in self._lines or outcome.raw is None:
            _put(self._quarantine, {**source, "status": outcome.status, "reasons": entry.reasons})
            return
        self._lines[outcome.status] += 1
        number = self._lines[outcome.status]
        end = outcome.raw.eol if outcome.raw.exact else "\n"
        self._ship[outcome.status].write(outcome.text + end)
        place = {"split": outcome.status, "record": number, "source": source}
        _put(self._lineage, place | _told(outcome, outcome.raw, self._plan))
        self._books.lengths(outcome, source)
        self._write_pairs(outcome, number)
        if outcome.replaced:
            self._write_edits(outcome, outcome.replaced, number, source)
            if self._lock is not None:
                for row in _originals(outcome, outcome.replaced, number):
                    self._lock(row)

    def _write_pairs(self, outcome: Outcome, number: int) -> None:
        """Where an answer's value stands in an earlier turn too."""
        new = outcome.replaced.leaves if outcome.replaced else outcome.old
        for row in pair_rows(outcome.old, new, located(outcome.entry), place_of):
            _put(self._pairs, {"split": outcome.status, "record": number, **row})
            self._books.pairs["replaced" if row["replaced"] else "kept"] += 1

    def _write_edits(
        self, outcome: Outcome, replaced: Replaced, number: int, source: dict[str, Any]
    ) -> None:
        """Place and type of each surrogate, and keyed hashes of what it stands for."""
        marks = [mark for mark in outcome.entry.marks if mark.acted]  # as `located` gives them
        for edit, claim in zip(replaced.edits, outcome.claims, strict=True):
            leaf, mark = replaced.leaves[edit.leaf], marks[edit.finding]
            start, end = leaf.outer_span(edit.start, edit.end)
            place = {"split": outcome.status, "record": number, **place_of(leaf)}
            span = {"start": start, "end": end, "type": mark.type, "country": mark.country}
            hashes = {"value": mark.value, "units": claim.units}
            alias = {"alias": True} if claim.alias else {}
            _put(self._edits, {**place, "kind": leaf.kind, **span, **hashes, **alias})
            self._books.at_hand(place | {"source": source}, part=claim.part)


def _told(outcome: Outcome, raw: RawRecord, plan: Plan) -> dict[str, Any]:
    """What lineage.jsonl tells of the original, for the evidence."""
    entry = outcome.entry
    keys = {m.leaf for m in entry.marks if m.acted and outcome.old[m.leaf].kind == "key"}
    told: dict[str, Any] = {
        "language": entry.language,
        "shape": shape(plan.value_key, raw.text, outcome.old, frozenset(keys)),
    }
    if plan.dates == "shift":
        told["dates"] = dates_id(entry.groups, entry.key)
    if outcome.replaced and outcome.replaced.order:
        told["order"] = outcome.replaced.order
    if plan.scope == "record":
        told["key"] = entry.key
    if plan.contract.answer_schema is not None:
        told["answers"] = not any(code in ANSWER_FAULTS for code, *_ in entry.faults)
    return told


def _originals(outcome: Outcome, replaced: Replaced, number: int) -> Iterator[dict[str, Any]]:
    """What the vault holds of a record: each original, and the surrogate and its place."""
    marks = [mark for mark in outcome.entry.marks if mark.acted]
    for edit in replaced.edits:
        leaf, mark = replaced.leaves[edit.leaf], marks[edit.finding]
        start, end = leaf.outer_span(edit.start, edit.end)
        place = {"split": outcome.status, "record": number, **place_of(leaf), "kind": leaf.kind}
        yield {
            **place, "start": start, "end": end, "type": mark.type,
            "original": outcome.old[mark.leaf].text[mark.start : mark.end],
            "surrogate": leaf.text[edit.start : edit.end],
        }  # fmt: skip


def _open(file: Path, stack: ExitStack, *, versioned: bool = False) -> IO[str]:
    handle = stack.enter_context(file.open("w", encoding="utf-8", newline=""))
    if versioned:
        _put(handle, {"version": VERSION})
    return handle


def _put(file: IO[str], row: dict[str, Any]) -> None:
    file.write(json.dumps(row, ensure_ascii=True) + "\n")
