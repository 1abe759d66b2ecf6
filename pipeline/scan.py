"""Pass one: read, detect, check. Dear, pure per record, and without a value in what it returns.

The scan replaces what it found with provisional surrogates and looks again: what only the second
look finds is added, so that the written set holds nothing that the same detectors can see.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import replace as change

from pipeline.carry import carried, torn
from pipeline.dated import only_dates
from pipeline.given import Item, looked
from pipeline.marking import RecordUnits
from pipeline.reading import RawRecord, Unreadable
from pipeline.reasons import policy_reasons, unscanned
from pipeline.replace import (
    Located,
    Replaced,
    ReplaceError,
    Surrogates,
    Terms,
    origin_of,
    replace,
    uncovered,
)  # fmt: skip
from pipeline.scan_plan import Plan
from pipeline.spool import Entry, Mark, blank_entry
from pipeline.terms import named_groups, terms_of_raw
from scrubbers.detect import Detector
from scrubbers.jsontext import Leaf, leaves
from scrubbers.keys import digest
from scrubbers.overlaps import beyond
from scrubbers.record_scan import RecordFindings, scan_records
from scrubbers.surrogates.write import Unwritable
from validators.checks import check_record
from validators.duplicates import content_key
from validators.pairs import Pair
from validators.record import detect_format, turns

ROUNDS = 4
HOLDS_KEY = "secret-key"  # the reason for a record that holds the run's own key


@dataclass
class Draft:
    """A record on its way through the rounds of one scan."""

    raw: RawRecord
    key: str
    old: Sequence[Leaf]
    found: RecordFindings
    acted: list[Located]
    terms: Terms
    replaced: Replaced | None = None
    torn: Sequence[Pair] = ()
    reasons: tuple[str, ...] = ()


def record_hash(plan: Plan, text: str) -> str:
    """Keyed hash of a record's text, in hex."""
    return digest(plan.record_key, "record", text).hex()


def scan_batch(
    batch: Sequence[Item], files: dict[str, int], plan: Plan, detector: Detector | None
) -> list[Entry]:
    """One entry for each record or unreadable place, in order; no exception leaves it.

    Without a detector the findings that were given with the records are all there is.
    """
    drafts = _drafts([r for r in batch if isinstance(r, RawRecord)], plan, detector)
    done = iter(drafts)
    return [
        _entry(next(done), files[item.file], plan)
        if isinstance(item, RawRecord)
        else _unreadable(item, files[item.file])
        for item in batch
    ]


def _drafts(
    records: Sequence[RawRecord], plan: Plan, detector: Detector | None
) -> list[Draft | tuple[RawRecord, str]]:
    try:
        return list(_settled(records, plan, detector))
    except Exception as error:  # noqa: BLE001  fail closed: the batch is tried one by one
        if len(records) == 1:
            return [(records[0], f"scan-failed:{type(error).__name__}")]
        return [draft for record in records for draft in _drafts([record], plan, detector)]


def _settled(records: Sequence[RawRecord], plan: Plan, detector: Detector | None) -> list[Draft]:
    old = [leaves(record.text) for record in records]
    seen = looked(records, old, detector, plan.settings.languages)
    found = [only_dates(raw, hit, plan.dates) for raw, hit in zip(records, seen, strict=True)]
    drafts = [_draft(*one, plan) for one in zip(records, old, found, strict=True)]
    waiting = drafts
    for _ in range(ROUNDS):
        for draft in waiting:
            _provisional(draft, plan)
        _judge_pairs(waiting)
        if detector is None:  # findings were given: exactly those
            waiting = []
            break
        waiting = _look_again([d for d in waiting if d.replaced], plan, detector)
        if not waiting:
            break
    for draft in waiting:
        draft.reasons += ("unstable-findings",)
    for draft in drafts:
        if draft.torn and not draft.reasons:
            draft.reasons += ("pair-broken",)
    return drafts


def _draft(raw: RawRecord, old: Sequence[Leaf], hit: RecordFindings, plan: Plan) -> Draft:
    key = record_hash(plan, raw.text)
    terms = terms_of_raw(raw, key, hit.language, plan)
    acted = acted_on(hit.findings, plan.actions)
    return Draft(raw, key, old, hit, acted, terms, reasons=_beforehand(raw, old, plan))


def _beforehand(raw: RawRecord, old: Sequence[Leaf], plan: Plan) -> tuple[str, ...]:
    """Why a record is not written whatever is found in it; the key must never be shipped."""
    told = raw.given.reasons if raw.given else ()
    return (*told, HOLDS_KEY) if any(plan.own_key.in_text(leaf.text) for leaf in old) else told


def acted_on(findings: Sequence[Located], actions: dict[str, str]) -> list[Located]:
    """Those findings that the policy replaces."""
    return [(index, finding) for index, finding in findings if actions[finding.type] == "replace"]


def _provisional(draft: Draft, plan: Plan) -> None:
    draft.replaced = None
    if not draft.acted or draft.reasons:
        return
    joined = draft.key if plan.scope == "record" else ""
    surrogates = Surrogates(plan.surrogate_key, {}, joined, valid=plan.valid_checksums)
    try:
        draft.replaced = replace(draft.raw.text, draft.old, draft.acted, surrogates, draft.terms)
    except ReplaceError as error:
        draft.reasons += (error.reason,)
    except Unwritable as error:
        draft.reasons += (error.reason,)


def _judge_pairs(drafts: Sequence[Draft]) -> None:
    for draft in drafts:
        draft.torn = torn(draft.old, draft.acted, draft.replaced) if draft.replaced else ()


def _look_again(drafts: Sequence[Draft], plan: Plan, detector: Detector) -> list[Draft]:
    """Scan the provisional records; those with new findings get them and come again.

    New are what only this look finds, and what pairs that would break ask for.
    """
    texts = [list(d.replaced.leaves) for d in drafts if d.replaced]
    again = scan_records(texts, detector, plan.settings.languages, propagation=False)
    more = []
    for draft, hit in zip(drafts, again, strict=True):
        if draft.replaced is None:
            continue
        missed = uncovered(acted_on(hit.findings, plan.actions), draft.replaced.edits)
        mended = carried(draft.old, draft.acted, draft.torn)
        if missed or mended is not None:
            known = draft.acted if mended is None else mended
            fresh = [origin_of(m, draft.old, draft.replaced) for m in missed]
            draft.acted = known + _beside(fresh, known, draft.old)
            more.append(draft)
    return more


def _beside(
    fresh: Sequence[Located], known: Sequence[Located], old: Sequence[Leaf]
) -> list[Located]:
    """Findings of the second look, cut to what a known one, which a pair made longer, leaves."""
    return [
        (index, rest)
        for index, finding in fresh
        for rest in beyond([finding], [f for at, f in known if at == index], old[index].text)
    ]


def _entry(draft: Draft | tuple[RawRecord, str], file: int, plan: Plan) -> Entry:
    if isinstance(draft, tuple):
        raw, reason = draft
        return change(blank_entry(raw.number, raw.line, file), reasons=(reason,))
    blank = blank_entry(draft.raw.number, draft.raw.line, file)
    if draft.reasons:
        return change(blank, reasons=draft.reasons, notes=draft.raw.notes)
    try:
        return _full_entry(draft, file, plan)
    except Exception as error:  # noqa: BLE001  fail closed: the record is quarantined
        return change(blank, reasons=(f"check-failed:{type(error).__name__}",))


def _unreadable(place: Unreadable, file: int) -> Entry:
    blank = blank_entry(place.number, place.line, file)
    return change(blank, reasons=(f"unreadable:{place.reason}",))


def _full_entry(draft: Draft, file: int, plan: Plan) -> Entry:
    value = json.loads(draft.raw.text)  # strict JSON, or its leaves had not been read
    form = detect_format(value) if plan.format == "auto" else plan.format
    faults = check_record(value, form, plan.contract)
    joined = draft.key if plan.scope == "record" else ""
    book = RecordUnits(plan, joined)
    marks = book.marks(draft.old, draft.acted, draft.terms)
    kept = [
        Mark(i, f.start, f.end, f.type, f.score, f.detector, f.country, (), "")
        for i, f in draft.found.findings
        if plan.actions[f.type] != "replace"
    ]
    settled = draft.replaced.text if draft.replaced else draft.raw.text
    return Entry(
        file=file, number=draft.raw.number, line=draft.raw.line, key=draft.key,
        settled=record_hash(plan, settled),
        reasons=draft.reasons + policy_reasons(draft.found, plan.actions, plan.unscanned),
        notes=draft.raw.notes, format=form, language=draft.found.language,
        turns=len(turns(value, form)), characters=len(draft.raw.text),
        faults=tuple((f.code, f.path, f.message, f.openai) for f in faults),
        marks=tuple(marks + kept), units=tuple(book.listed), names=tuple(book.names),
        duplicate=digest(plan.value_key, "content", content_key(value, form)).hex(),
        groups=named_groups(value, plan), identities=tuple(sorted(book.identities)),
        values=tuple(sorted(book.values)), unscanned=unscanned(draft.found), lone=book.lone,
    )  # fmt: skip
