"""Pass one: read, detect, check. Dear, pure per record, and without a value in what it returns.

The scan replaces what it found with provisional surrogates and looks again: what only the second
look finds is added, so that the written set holds nothing that the same detectors can see.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from dataclasses import replace as change

from pipeline.carry import carried, torn
from pipeline.dated import only_dates
from pipeline.given import Item, looked
from pipeline.own_key import Spellings
from pipeline.owners import OWNED
from pipeline.reading import RawRecord, Unreadable
from pipeline.reasons import policy_reasons, unscanned
from pipeline.replace import (
    Located,
    Replaced,
    ReplaceError,
    Surrogates,
    Terms,
    contexts_of,
    origin_of,
    replace,
    uncovered,
    unit_digest,
)  # fmt: skip
from pipeline.spool import Entry, Mark, blank_entry
from pipeline.terms import named_groups, terms_of, terms_of_raw
from scrubbers.detect import Detector, DetectorSettings
from scrubbers.finding import Finding
from scrubbers.jsontext import Leaf, leaves
from scrubbers.keys import digest
from scrubbers.record_scan import RecordFindings, scan_records
from scrubbers.surrogates.context import Context
from scrubbers.surrogates.normal import Unit, units
from scrubbers.surrogates.overlap import first_counter
from scrubbers.surrogates.write import Unwritable
from validators.checks import Contract, check_record
from validators.duplicates import content_key
from validators.record import detect_format, turns

ROUNDS = 4
HOLDS_KEY = "secret-key"  # the reason for a record that holds the run's own key
# Values that tie records to one person (design.md, invariant 9).
IDENTITY = frozenset(
    {"EMAIL_ADDRESS", "IBAN_CODE", "BANK_ACCOUNT", "CREDIT_CARD", "NATIONAL_ID", "PASSPORT",
     "MEDICAL_ID", "PHONE_NUMBER"}
)  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """All that decides a scan; flat and picklable, so that any worker gives the same entries."""

    actions: dict[str, str]
    settings: DetectorSettings
    contract: Contract
    format: str
    scope: str
    unscanned: str
    valid_checksums: bool
    dates: str
    group_by: tuple[str, ...]
    surrogate_key: bytes
    value_key: bytes
    record_key: bytes
    given: str = ""
    own_key: Spellings = field(default_factory=Spellings)


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
    drafts = [
        Draft(
            raw,
            record_hash(plan, raw.text),
            leaf,
            hit,
            acted_on(hit.findings, plan.actions),
            terms_of_raw(raw, record_hash(plan, raw.text), hit.language, plan),
            reasons=_beforehand(raw, leaf, plan),
        )
        for raw, leaf, hit in zip(records, old, found, strict=True)
    ]
    waiting = drafts
    for _ in range(ROUNDS):
        for draft in waiting:
            _provisional(draft, plan)
        if detector is None:  # findings were given: exactly those
            waiting = []
            break
        waiting = _look_again([d for d in waiting if d.replaced], plan, detector)
        if not waiting:
            break
    for draft in waiting:
        draft.reasons += ("unstable-findings",)
    for draft in drafts:
        if draft.replaced and not draft.reasons and torn(draft.old, draft.acted, draft.replaced):
            draft.reasons += ("pair-broken",)
    return drafts


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
        mended = carried(draft.old, draft.acted, draft.replaced)
        if missed or mended is not None:
            known = draft.acted if mended is None else mended
            draft.acted = known + [origin_of(m, draft.old, draft.replaced) for m in missed]
            more.append(draft)
    return more


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
    book = _Units(plan, joined)
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
        marks=tuple(marks + kept), units=tuple(book.listed()), names=tuple(book.names),
        duplicate=digest(plan.value_key, "content", content_key(value, form)).hex(),
        groups=named_groups(value, plan), identities=tuple(sorted(book.identities)),
        values=tuple(sorted(book.values)), unscanned=unscanned(draft.found),
    )  # fmt: skip


def with_findings(
    entry: Entry, text_leaves: Sequence[Leaf], found: Sequence[Located], plan: Plan
) -> Entry:
    """The entry with these replaced findings instead of its own; what was kept stays."""
    book = _Units(plan, entry.key if plan.scope == "record" else "")
    marks = book.marks(text_leaves, found, terms_of(entry, plan))
    kept = [mark for mark in entry.marks if not mark.acted]
    return change(
        entry,
        marks=tuple(marks + kept),
        units=tuple(book.listed()),
        names=tuple(book.names),
        values=tuple(sorted({*entry.values, *book.values})),
    )


class _Units:
    """Collects the units, full names and value hashes of one record."""

    def __init__(self, plan: Plan, joined: str) -> None:
        self._plan, self._joined = plan, joined
        self._index: dict[Unit, int] = {}
        self._listed: list[tuple[str, str, int]] = []
        self.names: list[tuple[int, ...]] = []
        self.identities: set[str] = set()
        self.values: set[str] = set()

    def listed(self) -> list[tuple[str, str, int]]:
        return self._listed

    def marks(self, old: Sequence[Leaf], found: Sequence[Located], terms: Terms) -> list[Mark]:
        told = contexts_of(old, found, terms)
        return [
            self._mark(old, *place, context) for place, context in zip(found, told, strict=True)
        ]

    def _mark(self, old: Sequence[Leaf], index: int, finding: Finding, context: Context) -> Mark:
        text = old[index].text[finding.start : finding.end]
        parts = units(finding.type, text, context, valid=self._plan.valid_checksums)
        alone = self._alone(finding.type, text, context) or parts
        hashed = value_digest(self._plan.value_key, finding.type, alone)
        full_name = finding.type == "PERSON" and len(parts) > 1
        numbers = tuple(self._number(unit) for unit in parts if unit.is_drawn)
        if full_name:
            self.names.append(numbers)
        if full_name or finding.type in IDENTITY:
            self.identities.add(hashed)
        if full_name or finding.type != "PERSON":
            self.values.add(hashed)
        return Mark(
            index, finding.start, finding.end, finding.type, finding.score, finding.detector,
            finding.country, numbers, hashed,
        )  # fmt: skip

    def _alone(self, kind: str, text: str, context: Context) -> list[Unit]:
        """The units that a mailbox or user name has without its owner, who stands in the record.

        Its hash must be the same in a record that does not name the owner; and if there is such a
        record, these are the units that it is written with (`settle`).
        """
        if kind not in OWNED or not context.stands_for:
            return []
        found = units(kind, text)
        for unit in found:
            self._number(unit)
        return found

    def _number(self, unit: Unit) -> int:
        if unit not in self._index:
            hashed = unit_digest(self._plan.surrogate_key, unit, self._joined)
            self._index[unit] = len(self._listed)
            self._listed.append((unit.space, hashed.hex(), first_counter(unit, hashed)))
        return self._index[unit]


def value_digest(key: bytes, kind: str, parts: Sequence[Unit]) -> str:
    """Keyed hash of a value's normal form, equal for all spellings of it; hex."""
    return digest(key, "value", kind, *(f"{u.family} {u.norm}" for u in parts)).hex()
