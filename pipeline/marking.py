"""What the spool keeps of replaced findings: units, full names and values as keyed hashes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace as change

from pipeline.owners import OWNED
from pipeline.replace import Located, Terms, contexts_of, unit_digest, values_of
from pipeline.scan_plan import Plan
from pipeline.spool import Entry, Mark
from pipeline.terms import terms_of
from scrubbers.finding import Finding
from scrubbers.jsontext import Leaf
from scrubbers.keys import digest
from scrubbers.surrogates.context import Context, lone_names
from scrubbers.surrogates.normal import Unit, units
from scrubbers.surrogates.overlap import first_counter

# Values that tie records to one person (design.md, invariant 9).
IDENTITY = frozenset(
    {"EMAIL_ADDRESS", "IBAN_CODE", "BANK_ACCOUNT", "CREDIT_CARD", "NATIONAL_ID", "PASSPORT",
     "MEDICAL_ID", "PHONE_NUMBER"}
)  # fmt: skip


class RecordUnits:
    """Collects the units, full names and value hashes of one record.

    `lone`: single names beside full ones that stand for none of them.
    """

    def __init__(self, plan: Plan, joined: str) -> None:
        self._plan, self._joined = plan, joined
        self._index: dict[Unit, int] = {}
        self.listed: list[tuple[str, str, int]] = []
        self.names: list[tuple[int, ...]] = []
        self.identities: set[str] = set()
        self.values: set[str] = set()
        self.lone = 0

    def marks(self, old: Sequence[Leaf], found: Sequence[Located], terms: Terms) -> list[Mark]:
        """What the spool keeps of the record's replaced findings, in their order."""
        told = contexts_of(old, found, terms)
        self.lone = lone_names(values_of(old, found), told)
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
            self._index[unit] = len(self.listed)
            self.listed.append((unit.space, hashed.hex(), first_counter(unit, hashed)))
        return self._index[unit]


def with_findings(
    entry: Entry, text_leaves: Sequence[Leaf], found: Sequence[Located], plan: Plan
) -> Entry:
    """The entry with these replaced findings instead of its own; what was kept stays."""
    book = RecordUnits(plan, entry.key if plan.scope == "record" else "")
    marks = book.marks(text_leaves, found, terms_of(entry, plan))
    kept = [mark for mark in entry.marks if not mark.acted]
    return change(
        entry,
        marks=tuple(marks + kept),
        units=tuple(book.listed),
        names=tuple(book.names),
        values=tuple(sorted({*entry.values, *book.values})),
        lone=book.lone,
    )


def value_digest(key: bytes, kind: str, parts: Sequence[Unit]) -> str:
    """Keyed hash of a value's normal form, equal for all spellings of it; hex."""
    return digest(key, "value", kind, *(f"{u.family} {u.norm}" for u in parts)).hex()
