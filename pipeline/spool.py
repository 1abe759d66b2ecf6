"""The spool between the two passes: one line of JSON a record, without a single value.

A scan writes entries in input order; a killed scan leaves a prefix, which `Spool.resume` trusts
when the header (configuration, inputs, versions) is the same.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

VERSION = 2


@dataclass(frozen=True, slots=True)
class Mark:
    """A finding of the scan: `leaf` is the index in `jsontext.leaves`, offsets are in that leaf.

    `units` are indexes into the entry's units, of which shifted dates have none. `value` is the
    keyed hash of the original's normal form; empty when the policy does not replace the type.
    """

    leaf: int
    start: int
    end: int
    type: str
    score: float
    detector: str
    country: str | None
    units: tuple[int, ...]
    value: str

    @property
    def acted(self) -> bool:
        """Whether the policy replaces it."""
        return bool(self.value)


@dataclass(frozen=True, slots=True)
class Entry:
    """What the scan knows of one input record.

    `key` is a keyed hash of the record's text, `settled` one of the text that the scan's own
    surrogates gave and that a second look found clean. `units` are (space, keyed hash in hex, first
    counter whose surrogate does not overlap its original).
    `identities` are keyed hashes of the values that tie records of one person together.
    `values` are keyed hashes of every original, for `values.idx`. `lone` counts single names
    beside full ones that stand for none of them.
    """

    file: int
    number: int
    line: int | None
    key: str
    settled: str
    reasons: tuple[str, ...]
    notes: tuple[str, ...]
    format: str
    language: str
    turns: int
    characters: int
    faults: tuple[tuple[str, str, str, str | None], ...]
    marks: tuple[Mark, ...]
    units: tuple[tuple[str, str, int], ...]
    names: tuple[tuple[int, ...], ...]
    duplicate: str
    groups: tuple[str, ...]
    identities: tuple[str, ...]
    values: tuple[str, ...]
    unscanned: tuple[tuple[str, str], ...]
    lone: int = 0


def blank_entry(number: int, line: int | None, file: int) -> Entry:
    """The entry of a record that nothing is known of yet."""
    return Entry(
        file=file, number=number, line=line, key="", settled="", reasons=(), notes=(), format="",
        language="", turns=0, characters=0, faults=(), marks=(), units=(), names=(), duplicate="",
        groups=(), identities=(), values=(), unscanned=(),
    )  # fmt: skip


def _mark(row: list[Any]) -> Mark:
    leaf, start, end, kind, score, detector, country, units, value = row
    return Mark(leaf, start, end, kind, score, detector, country, tuple(units), value)


def _entry(raw: dict[str, Any]) -> Entry:
    raw["marks"] = tuple(map(_mark, raw["marks"]))
    for name in ("faults", "units", "names", "unscanned"):
        raw[name] = tuple(map(tuple, raw[name]))
    for name in ("reasons", "notes", "groups", "identities", "values"):
        raw[name] = tuple(raw[name])
    return Entry(**raw)


def _line(entry: Entry) -> str:
    raw = asdict(entry)
    raw["marks"] = [list(mark.values()) for mark in raw["marks"]]
    return json.dumps(raw, ensure_ascii=True, separators=(",", ":")) + "\n"


class Spool:
    """An append-only file of entries with a header that says what they belong to."""

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        self.path = path
        self._header = {"version": VERSION, **header}
        self._file: IO[str] | None = None

    def resume(self) -> int:
        """Open for appending; return how many entries of an earlier, equal scan are kept."""
        kept, size = self._usable()
        if size == 0:
            self.path.write_text(json.dumps(self._header, sort_keys=True) + "\n", encoding="ascii")
        else:
            os.truncate(self.path, size)
        self._file = self.path.open("a", encoding="ascii")
        return kept

    def _usable(self) -> tuple[int, int]:
        if not self.path.exists():
            return 0, 0
        kept, size = -1, 0
        with self.path.open("rb") as lines:
            for line in lines:
                if not line.endswith(b"\n") or not self._fits(line, first=kept < 0):
                    break
                kept, size = kept + 1, size + len(line)
        return max(kept, 0), size

    def _fits(self, line: bytes, *, first: bool) -> bool:
        try:
            value = json.loads(line)
        except ValueError:
            return False
        return bool(value == self._header) if first else True

    def append(self, entries: list[Entry]) -> None:
        """Add entries and hand them to the operating system, so that a kill loses few."""
        if self._file is None:
            raise RuntimeError("spool is not open")
        self._file.writelines(_line(entry) for entry in entries)
        self._file.flush()

    def close(self) -> None:
        """Close the file; entries can still be read."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __iter__(self) -> Iterator[Entry]:
        with self.path.open(encoding="ascii") as lines:
            next(lines, None)
            for line in lines:
                yield _entry(json.loads(line))
