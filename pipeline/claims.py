"""What the books claim of each surrogate, told while the original is still at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.replace import Located, Replaced, contexts_of, unit_digest
from pipeline.scan import Plan
from pipeline.spool import Entry
from scrubbers.jsontext import Leaf
from scrubbers.surrogates.context import ALONE, Context, Value, contexts
from scrubbers.surrogates.normal import Unit, Unwritable, units
from scrubbers.surrogates.overlap import is_inside

HEX = 16  # digits of a unit's keyed hash


@dataclass(frozen=True, slots=True)
class Claim:
    """Keyed hashes of the original's units in order, and whether it stands for another value.

    `part`: whether a unit of the surrogate holds, or is held by, the one that it stands for.
    """

    units: list[str]
    alias: bool
    part: bool


def claims(
    old: Sequence[Leaf], found: Sequence[Located], replaced: Replaced, entry: Entry, plan: Plan
) -> list[Claim]:
    """One claim for each edit of a record, in order. `found`: what was replaced in `old`."""
    terms = replaced.terms
    before = contexts_of(old, found, terms)
    written = [_written(edit.leaf, edit.start, edit.end, replaced, found[edit.finding][1].type)
               for edit in replaced.edits]  # fmt: skip
    after = contexts(
        written, terms.language, terms.dates, replaced.order, keep_area=terms.keep_area
    )
    joined = entry.key if plan.scope == "record" else ""
    told = []
    for edit, value, context in zip(replaced.edits, written, after, strict=True):
        index, finding = found[edit.finding]
        was = Value(finding.type, old[index].text[finding.start : finding.end], finding.country)
        parts = _units(was, before[edit.finding], plan)
        alias = parts != _units(was, _alone(before[edit.finding]), plan)
        new = [] if alias else _units(value, _alone(context), plan)
        hashes = [unit_digest(plan.surrogate_key, unit, joined).hex()[:HEX] for unit in parts]
        told.append(Claim(hashes, alias, _overlap(parts, new)))
    return told


def _alone(context: Context) -> Context:
    return replace(context, stands_for=ALONE.stands_for) if context.stands_for else context


def _written(index: int, start: int, end: int, replaced: Replaced, entity: str) -> Value:
    return Value(entity, replaced.leaves[index].text[start:end])


def _units(value: Value, context: Context, plan: Plan) -> list[Unit]:
    try:
        return units(value.entity, value.text, context, valid=plan.valid_checksums)
    except Unwritable:  # a coarse date may have nothing left that could be replaced
        return []


def _overlap(old: Sequence[Unit], new: Sequence[Unit]) -> bool:
    """Whether one is inside the other; equal ones are seen by their hashes."""
    if len(old) != len(new):
        return False
    return any(is_inside(a, b.norm) for a, b in zip(old, new, strict=True) if a.is_drawn)
