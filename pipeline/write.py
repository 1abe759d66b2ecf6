"""Pass three: splice the settled surrogates, read the result back, write it down."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from dataclasses import replace as change
from pathlib import Path
from typing import IO, Any

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from pipeline.again import confirmed_again
from pipeline.answer_proof import ANSWER_FAULTS
from pipeline.books import Books
from pipeline.claims import Claim, claims
from pipeline.folder import VERSION
from pipeline.given import INSTEAD
from pipeline.pair_books import FILE as PAIRS
from pipeline.pair_books import pair_rows
from pipeline.places import place_of
from pipeline.plan import refused
from pipeline.reading import RawRecord, Unreadable, one_line
from pipeline.replace import (
    Located,
    Replaced,
    ReplaceError,
    Surrogates,
    replace,
    uncovered,
)
from pipeline.scan import Plan, acted_on, record_hash, with_findings
from pipeline.settle import Settled, settle_record
from pipeline.skeleton import shape
from pipeline.spool import Entry
from pipeline.terms import dates_id, terms_of
from pipeline.vault import NAME as VAULT
from pipeline.vault import writing
from scrubbers.detect import Detector
from scrubbers.finding import Finding
from scrubbers.jsontext import Leaf, leaves, to_value
from scrubbers.record_scan import scan_records
from scrubbers.surrogates.write import Unwritable

CountTokens = Callable[[list[object]], list[int]]
Pair = tuple[RawRecord | Unreadable, Entry]


class ChangedInput(Exception):
    """An input file that is not the one that was scanned."""


@dataclass
class Outcome:
    """A record with its final text and status: train, holdout, quarantine or dropped."""

    entry: Entry
    raw: RawRecord | None
    text: str
    replaced: Replaced | None
    status: str
    tokens: int | None = None
    old: Sequence[Leaf] = ()  # the leaves of the original
    claims: Sequence[Claim] = ()  # one for each edit
    raw_tokens: int | None = None  # of the original; counted where something was replaced


@dataclass(frozen=True)
class Desk:
    """All that the writing pass works with; `detector` is built only when it is needed."""

    plan: Plan
    settled: Settled
    detector: Callable[[], Detector]
    count: CountTokens | None
    max_length: int
    drop_long: bool


def outcomes(pairs: Iterable[Pair], desk: Desk) -> Iterator[Outcome]:
    """Decide each record: its text after settling, and where it goes."""
    side = iter(desk.settled.split.holdout)
    plan = desk.plan
    shared = Surrogates(plan.surrogate_key, desk.settled.redraws, valid=plan.valid_checksums)
    for raw, entry in pairs:
        held = next(side) if not entry.reasons else False
        yield _outcome(raw, entry, held=held, shared=shared, desk=desk)


def _outcome(
    raw: RawRecord | Unreadable, entry: Entry, *, held: bool, shared: Surrogates, desk: Desk
) -> Outcome:
    if isinstance(raw, RawRecord) and entry.key and record_hash(desk.plan, raw.text) != entry.key:
        raise ChangedInput(
            f"{raw.file}: record {raw.number} changed while `prep` ran. Run it again."
        )
    if entry.reasons or isinstance(raw, Unreadable):
        return Outcome(entry, None, "", None, "quarantine")
    try:
        entry, old = _with_known_names(raw, entry, desk)
        done, told = _settled_text(raw, old, entry, shared, desk)
        text = one_line(done.text if done else raw.text)
        text.encode("utf-8")
    except (ReplaceError, Unwritable, UnicodeEncodeError) as error:
        return _quarantined(entry, getattr(error, "reason", type(error).__name__))
    except Exception as error:  # noqa: BLE001  fail closed: the record is quarantined
        return _quarantined(entry, f"write-failed:{type(error).__name__}")
    return Outcome(entry, raw, text, done, "holdout" if held else "train", old=old, claims=told)


def _quarantined(entry: Entry, reason: str) -> Outcome:
    return Outcome(change(entry, reasons=(reason,)), None, "", None, "quarantine")


def _with_known_names(raw: RawRecord, entry: Entry, desk: Desk) -> tuple[Entry, Sequence[Leaf]]:
    old, found = leaves(raw.text), located(entry)
    if desk.plan.given == INSTEAD:  # exactly those
        return entry, old
    more = confirmed_again(old, found, desk.settled.known, desk.plan)
    return (with_findings(entry, old, found + more, desk.plan) if more else entry), old


def _settled_text(
    raw: RawRecord, old: Sequence[Leaf], entry: Entry, shared: Surrogates, desk: Desk
) -> tuple[Replaced | None, Sequence[Claim]]:
    found, plan = located(entry), desk.plan
    if not found:
        return None, ()
    surrogates = shared
    if plan.scope == "record":
        redraws = settle_record(entry, plan.surrogate_key)
        surrogates = Surrogates(plan.surrogate_key, redraws, entry.key, valid=plan.valid_checksums)
    done = replace(raw.text, old, found, surrogates, terms_of(entry, plan, desk.settled.apart))
    if record_hash(plan, done.text) != entry.settled:
        _look_again(done, desk)
    return done, claims(old, found, done, surrogates)


def located(entry: Entry) -> list[Located]:
    """The entry's findings that are replaced."""
    return [
        (m.leaf, Finding(m.start, m.end, m.type, m.score, m.detector, m.country))
        for m in entry.marks
        if m.acted
    ]


def _look_again(done: Replaced, desk: Desk) -> None:
    """A redraw made a text that the scan never saw: it must be clean too."""
    if desk.plan.given == INSTEAD:
        return
    languages = desk.plan.settings.languages
    hit = scan_records([list(done.leaves)], desk.detector(), languages, propagation=False)[0]
    if uncovered(acted_on(hit.findings, desk.plan.actions), done.edits):
        raise ReplaceError("unstable-findings")


def with_tokens(stream: Iterable[Outcome], desk: Desk, batch: int = 256) -> Iterator[Outcome]:
    """Count tokens of the final text, in batches; drop or mark what is over `max_length`."""
    if desk.count is None:
        yield from stream
        return
    waiting: list[Outcome] = []
    for outcome in stream:
        waiting.append(outcome)
        if len(waiting) >= batch:
            yield from _counted(waiting, desk, desk.count)
            waiting = []
    yield from _counted(waiting, desk, desk.count)


def _counted(waiting: list[Outcome], desk: Desk, count: CountTokens) -> list[Outcome]:
    written = [o for o in waiting if o.status in ("train", "holdout")]
    values = [to_value(o.text) for o in written]
    _count_originals(written, count)
    rows = zip(written, count(values), refused(count, values), strict=True)
    for outcome, tokens, wrong in rows:
        outcome.tokens = tokens
        known = {code for code, *_ in outcome.entry.faults}
        if wrong and wrong.code not in known:  # what the trainer would refuse
            told = (wrong.code, wrong.path, wrong.message, wrong.openai)
            outcome.entry = change(outcome.entry, faults=(*outcome.entry.faults, told))
        if tokens > desk.max_length and desk.drop_long:
            outcome.status = "dropped"
            outcome.entry = change(outcome.entry, reasons=("over-length",))
    return waiting


def _count_originals(written: Sequence[Outcome], count: CountTokens) -> None:
    """For the drift: only where something was replaced, since the rest has the same length."""
    changed = [(o, o.raw) for o in written if o.replaced and o.raw]
    counts = count([to_value(raw.text) for _, raw in changed]) if changed else []
    for (outcome, _), tokens in zip(changed, counts, strict=True):
        outcome.raw_tokens = tokens


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
                for row in _originals(outcome.raw, outcome, outcome.replaced, number):
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


def _originals(
    raw: RawRecord, outcome: Outcome, replaced: Replaced, number: int
) -> Iterator[dict[str, Any]]:
    """What the vault holds of a record: each original, and the surrogate and its place."""
    old = leaves(raw.text)
    marks = [mark for mark in outcome.entry.marks if mark.acted]
    for edit in replaced.edits:
        leaf, mark = replaced.leaves[edit.leaf], marks[edit.finding]
        start, end = leaf.outer_span(edit.start, edit.end)
        place = {"split": outcome.status, "record": number, **place_of(leaf), "kind": leaf.kind}
        yield {
            **place, "start": start, "end": end, "type": mark.type,
            "original": old[mark.leaf].text[mark.start : mark.end],
            "surrogate": leaf.text[edit.start : edit.end],
        }  # fmt: skip


def _open(file: Path, stack: ExitStack, *, versioned: bool = False) -> IO[str]:
    handle = stack.enter_context(file.open("w", encoding="utf-8", newline=""))
    if versioned:
        _put(handle, {"version": VERSION})
    return handle


def _put(file: IO[str], row: dict[str, Any]) -> None:
    file.write(json.dumps(row, ensure_ascii=True) + "\n")
