"""Findings that were given to `prep`: how they travel with the records, and enter the scan.

They come instead of the tool's own detection (nothing is added, nothing left out) or beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pipeline.reading import RawRecord, Unreadable
from scrubbers.detect import Detector
from scrubbers.finding import Finding
from scrubbers.jsontext import Leaf
from scrubbers.keys import subkey
from scrubbers.overlaps import beyond
from scrubbers.record_scan import RecordFindings, language_of, scan_records

INSTEAD, BESIDE = "instead", "beside"
PROMISE = (
    "The findings of a list that was given to `prep` were replaced in `ship/`, and nothing else: no "
    "detector looked for more. What the list lacks is still there."
)
Located = tuple[int, Finding]
Item = RawRecord | Unreadable


@dataclass(frozen=True, slots=True)
class Findings:
    """What the command was told: a findings file, and whether own detection runs as well."""

    path: Path
    beside: bool = False


@dataclass(frozen=True, slots=True)
class OfRecord:
    """What was given for one record: findings in its leaves, leaves not scanned, reasons."""

    found: tuple[Located, ...] = ()
    unscanned: tuple[tuple[int, str], ...] = ()
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Given:
    """Findings for the records of one run, by index of the file and number of the record.

    `digest` is a keyed hash of the findings file, `untied` counts the input files that its
    findings could not be tied to.
    """

    mode: str
    digest: str
    count: int
    untied: int
    records: Mapping[tuple[int, int], OfRecord] = field(repr=False)

    def put_on(self, items: Iterable[Item], numbers: Mapping[str, int]) -> Iterator[Item]:
        """The records with what was given for them, so that any worker has it."""
        for item in items:
            own = self.records.get((numbers[item.file], item.number))
            if own is None or isinstance(item, Unreadable):
                yield item
            else:
                yield replace(item, given=own)

    def told(self) -> dict[str, Any]:
        """What manifest and report say of it."""
        return {
            "given": self.mode, "findings": self.count, "files_untied": self.untied,
            "hash": self.digest,
        }  # fmt: skip


def instead(told: Mapping[str, Any] | None) -> bool:
    """Whether a report or manifest tells of findings that were taken instead of detection."""
    return bool(told) and (told or {}).get("given") == INSTEAD


def in_words(told: Mapping[str, Any]) -> str:
    """One line for people about what a report tells of given findings."""
    how = "instead of" if instead(told) else "beside"
    return f"{told['findings']:,} given, {how} own detection"


def input_key(secret: bytes) -> bytes:
    """The key of the hashes that tie findings to files: one for all data sets of a home."""
    return subkey(secret, "findings", "")


def looked(
    records: Sequence[RawRecord], old: Sequence[Sequence[Leaf]], detector: Detector | None,
    languages: Sequence[str],
) -> list[RecordFindings]:  # fmt: skip
    """What the scan begins with: own findings, also those given, or without a detector these alone."""
    if detector is None:
        return [_instead(raw, found) for raw, found in zip(records, old, strict=True)]
    own = scan_records(old, detector, languages)
    return [_beside(raw, found) for raw, found in zip(records, own, strict=True)]


def _instead(raw: RawRecord, old: Sequence[Leaf]) -> RecordFindings:
    told = raw.given or OfRecord()
    return RecordFindings(
        list(old), list(told.found), {}, list(told.unscanned), language_of(old), names_scanned=True
    )


def _beside(raw: RawRecord, own: RecordFindings) -> RecordFindings:
    """Own findings give way to those given; what they cover beyond stays."""
    if raw.given is None or not raw.given.found:
        return own
    mine: dict[int, list[Finding]] = {}
    theirs: dict[int, list[Finding]] = {}
    for index, one in own.findings:
        mine.setdefault(index, []).append(one)
    for index, one in raw.given.found:
        theirs.setdefault(index, []).append(one)
    both = [
        (index, one)
        for index in sorted({*mine, *theirs})
        for one in sorted(
            [*theirs.get(index, []),
             *beyond(mine.get(index, []), theirs.get(index, []), own.leaves[index].text)]
        )
    ]  # fmt: skip
    return replace(own, findings=both)
