"""Splice surrogates into one record and say where they landed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scrubbers.finding import Finding
from scrubbers.jsontext import Leaf, leaves, splice
from scrubbers.keys import digest
from scrubbers.surrogates.draw import draw
from scrubbers.surrogates.normal import Unit
from scrubbers.surrogates.overlap import first_counter
from scrubbers.surrogates.write import write

Located = tuple[int, Finding]


class ReplaceError(Exception):
    """A record whose findings cannot be replaced; `reason` is a code without any value."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Edit:
    """A surrogate in the new record: leaf index and code points in that leaf."""

    leaf: int
    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """The new record text, its leaves (same order and number as before) and the edits."""

    text: str
    leaves: Sequence[Leaf]
    edits: tuple[Edit, ...]


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
            if len(self._seen) < 50_000:
                self._seen[unit] = known
        return known


def unit_digest(key: bytes, unit: Unit, joined: str = "") -> bytes:
    """Keyed hash of a unit: its family and norm, so that all spaces of a family share it."""
    return digest(key, unit.space.partition(":")[0], unit.norm, joined)


def replace(
    text: str, old: Sequence[Leaf], findings: Sequence[Located], surrogates: Surrogates
) -> Replaced:
    """Replace all `findings` (leaf index, finding); raises ReplaceError."""
    texts = [_surrogate(old[index], finding, surrogates) for index, finding in findings]
    edits = [
        (old[index], finding.start, finding.end, new)
        for (index, finding), new in zip(findings, texts, strict=True)
    ]
    changed = splice(text, edits)
    new = leaves(changed)
    if len(new) != len(old) or any(a.kind != b.kind for a, b in zip(old, new, strict=True)):
        raise ReplaceError("structure-changed")
    return Replaced(changed, new, tuple(_landed(findings, texts)))


def _surrogate(leaf: Leaf, finding: Finding, surrogates: Surrogates) -> str:
    old = leaf.text[finding.start : finding.end]
    new = write(finding.type, old, finding.country, surrogates, valid=surrogates.valid)
    if new == old:
        raise ReplaceError(f"no-surrogate:{finding.type}")
    if leaf.kind == "number" and not _same_number_form(old, new):
        raise ReplaceError("number-form")
    return new


def _same_number_form(old: str, new: str) -> bool:
    return len(old) == len(new) and all(
        a.isdigit() == b.isdigit() and (a.isdigit() or a == b)
        for a, b in zip(old, new, strict=True)
    )


def _landed(findings: Sequence[Located], texts: Sequence[str]) -> list[Edit]:
    """Where each surrogate stands in the new leaf: earlier edits of the leaf shift it."""
    shift: dict[int, int] = {}
    edits = []
    order = sorted(range(len(findings)), key=lambda i: (findings[i][0], findings[i][1].start))
    for i in order:
        index, finding = findings[i]
        start = finding.start + shift.get(index, 0)
        end = start + len(texts[i])
        shift[index] = end - finding.end
        edits.append(Edit(index, start, end, finding.type))
    return edits


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


def origin_of(located: Located, edits: Sequence[Edit], findings: Sequence[Located]) -> Located:
    """An uncovered finding of the new record, moved back to the old one."""
    index, finding = located
    shift = 0
    old = sorted((f for i, f in findings if i == index), key=lambda f: f.start)
    new = sorted((e for e in edits if e.leaf == index), key=lambda e: e.start)
    for before, after in zip(old, new, strict=True):
        if after.end <= finding.start:
            shift = before.end - after.end
    moved = Finding(
        finding.start + shift, finding.end + shift, finding.type, finding.score,
        finding.detector, finding.country,
    )  # fmt: skip
    return index, moved
