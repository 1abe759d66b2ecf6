"""Splice surrogates into one record and say where they landed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import replace as change

from scrubbers.finding import Finding
from scrubbers.jsontext import Leaf, leaves, splice
from scrubbers.keys import digest
from scrubbers.surrogates.context import Context, Value, contexts
from scrubbers.surrogates.draw import draw
from scrubbers.surrogates.normal import Unit
from scrubbers.surrogates.overlap import first_counter, is_inside
from scrubbers.surrogates.shift import moved
from scrubbers.surrogates.write import write

Located = tuple[int, Finding]


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for the surrogates of one record: its language, and what its dates get.

    `dates` is "" where they are drawn like other values, "shift" or "generalise"; `days` is how far
    they are shifted. `keep_area`: places stay, so those inside addresses do.
    `alone`: numbers of findings that are read without the names of the record.
    """

    language: str = ""
    dates: str = ""
    days: int = 0
    keep_area: bool = False
    alone: frozenset[int] = frozenset()


PLAIN = Terms()


class ReplaceError(Exception):
    """A record whose findings cannot be replaced; `reason` is a code without any value."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Edit:
    """A surrogate in the new record: leaf index, code points in that leaf, which finding it is."""

    leaf: int
    start: int
    end: int
    finding: int


@dataclass(frozen=True, slots=True)
class Replaced:
    """The new record text, its leaves (same order and number as before) and the edits.

    `moves` are (old start, old end, new end) of each edit in the record's text, ascending. `order`:
    how the record's dates were read, where they were shifted or made coarse. `terms`: what held.
    """

    text: str
    leaves: Sequence[Leaf]
    edits: tuple[Edit, ...]
    moves: tuple[tuple[int, int, int], ...]
    order: str = ""
    terms: Terms = PLAIN


class Surrogates:
    """Unit -> surrogate under one key; `joined` ties the mapping to one record or is empty."""

    def __init__(
        self, key: bytes, redraws: Mapping[bytes, int], joined: str = "", *, valid: bool = False
    ) -> None:
        self._key, self._redraws, self._joined, self.valid = key, redraws, joined, valid
        self._seen: dict[Unit, str] = {}

    def digest(self, unit: Unit) -> bytes:
        """The keyed hash that the surrogate of `unit` is drawn from."""
        return unit_digest(self._key, unit, self._joined)

    def __call__(self, unit: Unit) -> str:
        """The surrogate of `unit`, as a norm."""
        known = self._seen.get(unit)
        if known is None:
            hashed = self.digest(unit)
            counter = self._redraws.get(hashed)
            if counter is None:
                counter = first_counter(unit, hashed)
            known = draw(unit.space, hashed, counter)
            if hashed in self._redraws and is_inside(unit, known):
                raise ReplaceError("surrogate-is-part")  # the settle pass has no value to see it
            if len(self._seen) < 50_000:
                self._seen[unit] = known
        return known


def unit_digest(key: bytes, unit: Unit, joined: str = "") -> bytes:
    """Keyed hash of a unit: its family and norm, so that all spaces of a family share it."""
    return digest(key, unit.space.partition(":")[0], unit.norm, joined)


def replace(
    text: str,
    old: Sequence[Leaf],
    findings: Sequence[Located],
    surrogates: Surrogates,
    terms: Terms = PLAIN,
) -> Replaced:
    """Replace all `findings` (leaf index, finding); raises ReplaceError."""
    numbers = sorted(range(len(findings)), key=lambda number: _raw(old, findings[number]))
    order = [(number, *findings[number]) for number in numbers]
    told = contexts_of(old, findings, terms)
    lookup = _lookup(surrogates, terms)
    edits = [
        (old[i], f.start, f.end, _surrogate(old[i], f, told[n], lookup, valid=surrogates.valid))
        for n, i, f in order
    ]
    changed = splice(text, edits)
    new = leaves(changed)
    if len(new) != len(old) or any(a.kind != b.kind for a, b in zip(old, new, strict=True)):
        raise ReplaceError("structure-changed")
    moves = tuple(_moves(text, edits))
    places = [(number, index) for number, index, _ in order]
    read_as = next((context.order for context in told if context.order), "")
    return Replaced(changed, new, tuple(_landed(new, places, moves)), moves, read_as, terms)


def values_of(old: Sequence[Leaf], found: Sequence[Located]) -> list[Value]:
    """The values of a record as surrogates are told from them."""
    return [Value(f.type, old[i].text[f.start : f.end], f.country) for i, f in found]


def contexts_of(old: Sequence[Leaf], found: Sequence[Located], terms: Terms) -> list[Context]:
    """What the record says about each finding, in the order of `found`."""
    numbers = sorted(range(len(found)), key=lambda number: _raw(old, found[number]))
    values = values_of(old, [found[number] for number in numbers])
    told = contexts(values, terms.language, terms.dates, keep_area=terms.keep_area)
    placed = dict(zip(numbers, told, strict=True))
    return [
        change(placed[n], stands_for=()) if n in terms.alone else placed[n]
        for n in range(len(found))
    ]


def _lookup(surrogates: Surrogates, terms: Terms) -> Callable[[Unit], str]:
    def look(unit: Unit) -> str:
        return surrogates(unit) if unit.is_drawn else moved(unit, terms.dates, terms.days)

    return look


def _raw(old: Sequence[Leaf], located: Located) -> tuple[int, int]:
    index, finding = located
    return old[index].raw_span(finding.start, finding.end)


def _moves(
    text: str, edits: Sequence[tuple[Leaf, int, int, str]]
) -> Iterator[tuple[int, int, int]]:
    shift = 0
    for leaf, first, last, new in edits:
        start, end = leaf.raw_span(first, last)
        shift += len(leaf.escaped(new, text)) - (end - start)
        yield start, end, end + shift


def _surrogate(
    leaf: Leaf, finding: Finding, context: Context, lookup: Callable[[Unit], str], *, valid: bool
) -> str:
    old = leaf.text[finding.start : finding.end]
    new = write(finding.type, old, context, lookup, valid=valid)
    if new == old and context.dates not in ("generalise", "year"):  # a date may be coarse already
        raise ReplaceError(f"no-surrogate:{finding.type}")
    if leaf.kind == "number" and not _same_number_form(old, new):
        raise ReplaceError("number-form")
    return new


def _same_number_form(old: str, new: str) -> bool:
    if new.lstrip("-")[:1] == "0" != old.lstrip("-")[:1]:
        return False  # 0467 is no JSON number
    return len(old) == len(new) and all(
        a.isdigit() == b.isdigit() and (a.isdigit() or a == b)
        for a, b in zip(old, new, strict=True)
    )


def _landed(
    new: Sequence[Leaf],
    places: Sequence[tuple[int, int]],
    moves: Sequence[tuple[int, int, int]],
) -> Iterator[Edit]:
    """Where each surrogate stands in the new leaf; edits of other leaves inside it count too."""
    shift = 0
    for (number, index), (start, end, new_end) in zip(places, moves, strict=True):
        leaf = new[index]
        yield Edit(index, offset_of(leaf, start + shift), offset_of(leaf, new_end), number)
        shift = new_end - end


def offset_of(leaf: Leaf, raw: int) -> int:
    """The code point of the leaf that stands at offset `raw` of the record's text."""
    start, end = leaf.raw_span(0, len(leaf.text))
    if end - start == len(leaf.text):  # no escape in it
        return max(0, min(raw - start, len(leaf.text)))
    return bisect_left(range(len(leaf.text)), raw, key=lambda at: leaf.raw_span(at, at)[0])


def uncovered(found: Sequence[Located], edits: Sequence[Edit]) -> list[Located]:
    """Findings in a new record that touch no edit."""
    by_leaf: dict[int, list[Edit]] = {}
    for edit in edits:
        by_leaf.setdefault(edit.leaf, []).append(edit)
    return [
        (index, finding)
        for index, finding in found
        if not any(e.start < finding.end and finding.start < e.end for e in by_leaf.get(index, ()))
    ]


def origin_of(located: Located, old: Sequence[Leaf], replaced: Replaced) -> Located:
    """An uncovered finding of the new record, moved back to the old one."""
    index, finding = located
    start, end = replaced.leaves[index].raw_span(finding.start, finding.end)
    shift = 0
    for _, old_end, new_end in replaced.moves:
        if new_end <= start:
            shift = old_end - new_end
    leaf = old[index]
    first, last = offset_of(leaf, start + shift), offset_of(leaf, end + shift)
    return index, change(finding, start=first, end=last)
