"""Pass three: splice the settled surrogates, read the result back, and decide where it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from dataclasses import replace as change

from pipeline.again import confirmed_again
from pipeline.claims import Claim, claims
from pipeline.given import INSTEAD
from pipeline.marking import with_findings
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
from pipeline.scan import acted_on, record_hash
from pipeline.scan_plan import Plan
from pipeline.settle import Settled, settle_record
from pipeline.spool import Entry
from pipeline.terms import terms_of
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
