"""What single records and surrogates are held against; each proof books what it judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from pipeline.known import Known, first_bits
from pipeline.readback import UNIT, Bench, Read, Shipped, edited_keys
from pipeline.replace import unit_digest
from pipeline.skeleton import shape
from pipeline.violations import Tally, Violation
from scrubbers.entities import DATES
from scrubbers.jsontext import Leaf
from scrubbers.surrogates.draw import is_small
from scrubbers.surrogates.forms import plain_text
from scrubbers.surrogates.normal import Unit
from scrubbers.surrogates.phones import BEHIND, dialled, plan_told
from scrubbers.surrogates.ranges import JUDGES, country_of, in_range
from scrubbers.surrogates.shift import offset, unshifted

Place = dict[str, Any]
CODES = frozenset({"NATIONAL_ID", "CREDIT_CARD", "IBAN_CODE"})
# May be dictated in words; an address is judged in the words that it stands in.
NUMBERS = CODES | {"PHONE_NUMBER"}


def originals(path: Path) -> Known:
    """The keyed hashes of values.idx."""
    with path.open(encoding="ascii") as lines:
        next(lines, None)
        return Known([first_bits(line) for line in lines])


def structure(
    record: Shipped, found: Sequence[Leaf], bench: Bench, tally: Tally
) -> Iterator[Violation]:
    """Keys, kinds, literals and array lengths are the original's."""
    tally.judged["structure"] += 1
    told = record.line.get("shape")
    if told is None:
        yield "structure", "has no line in lineage.jsonl that tells its shape.", record.place()
    elif told != shape(bench.value_key, record.text, found, edited_keys(record, found)):
        yield "structure", "has other keys, kinds or lengths than its original.", record.place()


def surrogate(
    read: Read, record: Shipped, known: Known, bench: Bench, tally: Tally
) -> Iterator[Violation]:
    """Everything that one surrogate is held against by itself."""
    place = record.place(path=read.edit["path"])
    coarse = bench.dates == "generalise" and _is_date(read)
    if read.parts is None and coarse:
        return
    if read.parts is None or (read.pairs is None and not read.apart):
        yield "edit", "is not read as it was written.", place
        return
    yield from _range(read, place, bench, tally)
    if coarse:
        return
    yield from _original(read, place, known, tally)
    yield from _part(read, place, tally)
    if bench.dates == "shift" and _is_date(read):
        yield from _dates(read, place, record, bench, tally)


def _is_date(read: Read) -> bool:
    return read.value.entity in DATES


def is_weak(unit: Unit) -> bool:
    """Whether it says nothing that a surrogate is another original of the set.

    Kinds with few values are permutations, and a single given name may be someone's.
    """
    return is_small(unit.space) or unit.space.startswith("name:given")


def _original(read: Read, place: Place, known: Known, tally: Tally) -> Iterator[Violation]:
    """Neither its own original nor, where that says something, another one of the set."""
    name = "surrogate-is-original"
    drawn = [unit for unit in read.parts or () if unit.is_drawn]
    full_name = read.value.entity == "PERSON" and len(drawn) > 1
    weak = all(is_small(unit.space) if full_name else is_weak(unit) for unit in drawn)
    if read.digest.hex() == read.edit["value"]:
        tally.judged[name] += 1
        yield name, "equals its original.", place
    elif weak or read.apart:
        tally.exempt[name] += 1
    else:
        tally.judged[name] += 1
        if read.digest.hex() in known:
            yield name, "equals an original of the set.", place


def _part(read: Read, place: Place, tally: Tally) -> Iterator[Violation]:
    """No unit is the one that it stands for, nor another one of the same original."""
    if read.apart:
        tally.exempt["surrogate-is-part"] += 1
        return
    pairs = read.pairs or ()
    tally.judged["surrogate-is-part"] += len(pairs)
    whole = {old for old, _ in pairs}
    for unit, (old, new) in zip(read.parts or (), pairs, strict=True):
        if new == old or (new in whole and not is_weak(unit)):
            yield "surrogate-is-part", "holds a part of its original.", place
            return


def _range(read: Read, place: Place, bench: Bench, tally: Tally) -> Iterator[Violation]:
    """It comes from the range that the table of docs/surrogates.md names for its type."""
    value, country = read.value, read.value.country
    if value.entity not in JUDGES:
        return
    if read.edit.get("alias") and value.entity in CODES:
        tally.exempt["range"] += 1  # a part of a number, or one of another type
        return
    text = plain_text(value.entity, value.text) if value.entity in NUMBERS else value.text
    if value.entity == "PHONE_NUMBER":  # whose number it is, is told from the number alone
        country = country_of(read.context.plan.removesuffix(BEHIND) or plan_told(text)[1])
        text = dialled(text, read.context.plan)
    verdict = in_range(value.entity, text, country, bench.valid)
    if verdict is None:
        tally.exempt["range"] += 1
        return
    tally.judged["range"] += 1
    if not verdict:
        yield "range", f"is outside the range that the table names for {value.entity}.", place


def _dates(
    read: Read, place: Place, record: Shipped, bench: Bench, tally: Tally
) -> Iterator[Violation]:
    """Moved back by the record's interval, a date is the original's."""
    ident = record.line.get("dates")
    days = offset(bench.surrogate_key, ident) if ident else 0
    for unit, (old, _) in zip(read.parts or (), read.pairs or (), strict=True):
        if unit.is_drawn:
            continue
        tally.judged["dates"] += 1
        if not any(old == one for one in _before(unit, days, record.joined(bench), bench)):
            yield "dates", "moved by another interval than its record's.", place
            return


def _before(unit: Unit, days: int, joined: str, bench: Bench) -> Iterator[bytes]:
    for norm in unshifted(unit.norm, days):
        yield unit_digest(bench.surrogate_key, Unit(unit.space, norm), joined)[:UNIT]
