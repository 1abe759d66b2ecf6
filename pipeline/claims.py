"""What the books claim of each surrogate, told while the original is still at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pipeline.readback import UNIT
from pipeline.replace import Located, Replaced, ReplaceError, Surrogates, contexts_of
from scrubbers.jsontext import Leaf
from scrubbers.surrogates.context import ALONE, Context, Value, contexts
from scrubbers.surrogates.normal import Unit, Unwritable, units
from scrubbers.surrogates.overlap import is_inside


@dataclass(frozen=True, slots=True)
class Claim:
    """Keyed hashes of the original's units in order, and whether it stands for another value.

    `part`: whether a unit of the surrogate holds, or is held by, the one that it stands for.
    """

    units: list[str]
    alias: bool
    part: bool


def claims(
    old: Sequence[Leaf], found: Sequence[Located], replaced: Replaced, surrogates: Surrogates
) -> list[Claim]:
    """One claim for each edit of a record, in order. `found`: what was replaced in `old`.

    Raises ReplaceError where a surrogate is not read as what was looked up: what agrees by its
    units would not agree for a reader.
    """
    terms = replaced.terms
    before = contexts_of(old, found, terms)
    written = [_written(edit.leaf, edit.start, edit.end, replaced, found[edit.finding][1].type)
               for edit in replaced.edits]  # fmt: skip
    after = contexts(
        written, terms.language, terms.dates, replaced.order, keep_area=terms.keep_area
    )
    told = []
    for edit, value, context in zip(replaced.edits, written, after, strict=True):
        index, finding = found[edit.finding]
        was = Value(finding.type, old[index].text[finding.start : finding.end], finding.country)
        parts = _units(was, before[edit.finding], surrogates)
        alias = parts != _units(was, _alone(before[edit.finding]), surrogates)
        new = [] if alias else _units(value, _alone(context), surrogates)
        if not alias and _norms(new) != [surrogates(unit) for unit in parts if unit.is_drawn]:
            raise ReplaceError("not-read-back")
        hashes = [surrogates.digest(unit)[:UNIT].hex() for unit in parts]
        told.append(Claim(hashes, alias, _overlap(parts, new)))
    return told


def _norms(parts: Sequence[Unit]) -> list[str]:
    return [unit.norm for unit in parts if unit.is_drawn]


def _alone(context: Context) -> Context:
    return replace(context, stands_for=ALONE.stands_for) if context.stands_for else context


def _written(index: int, start: int, end: int, replaced: Replaced, entity: str) -> Value:
    return Value(entity, replaced.leaves[index].text[start:end])


def _units(value: Value, context: Context, surrogates: Surrogates) -> list[Unit]:
    try:
        return units(value.entity, value.text, context, valid=surrogates.valid)
    except Unwritable:  # a coarse date may have nothing left that could be replaced
        return []


def _overlap(old: Sequence[Unit], new: Sequence[Unit]) -> bool:
    """Whether one is inside the other; equal ones are seen by their hashes."""
    if len(old) != len(new):
        return False
    return any(is_inside(a, b.norm) for a, b in zip(old, new, strict=True) if a.is_drawn)
