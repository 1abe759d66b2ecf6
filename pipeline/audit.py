"""`privatune audit`: read only, list what the policy would replace, never show it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pipeline import folder
from pipeline.errors import UsageFault
from pipeline.inputs import expand, is_data_file, keyed_hash
from pipeline.places import place_of
from pipeline.reading import InputError, RawRecord, Unreadable, read
from pipeline.tables import is_saved_set
from pipeline.workers import batches
from scrubbers.detect import Detector
from scrubbers.jsontext import Leaf, leaves
from scrubbers.record_scan import RecordFindings, scan_records

VERSION = 1


@dataclass
class Audited:
    """Findings that the policy would act on, what could not be scanned, and counts of all."""

    versions: dict[str, Any]
    findings: list[dict[str, Any]] = field(default_factory=list)
    not_scanned: list[dict[str, Any]] = field(default_factory=list)
    covered: list[str] = field(default_factory=list)
    acted: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    records: int = 0
    inputs: dict[str, str] = field(default_factory=dict)
    key_id: str = ""

    @property
    def exit_code(self) -> int:
        """1 with findings, and with anything that could not be scanned."""
        return 1 if self.findings or self.not_scanned else 0

    def as_json(self) -> str:
        """Findings, version 1, as `prep --findings` takes them."""
        counts = {
            "records": self.records, "acted": dict(sorted(self.acted.items())),
            "kept": dict(sorted(self.kept.items())), "covered_files": self.covered,
        }  # fmt: skip
        body = {
            "version": VERSION, "findings": self.findings, "not_scanned": self.not_scanned,
            "counts": counts, "versions": self.versions, "inputs": self.inputs,
        }  # fmt: skip
        if self.key_id:
            body["key_id"] = self.key_id
        return json.dumps(body, indent=1, ensure_ascii=True)


def audit(
    paths: Sequence[Path], actions: dict[str, str], detector: Detector,
    languages: Sequence[str], audited: Audited, trust: Sequence[str] = (),
    hash_key: bytes | None = None,
) -> Audited:  # fmt: skip
    """Scan every file; a data file that a valid manifest covers is passed over.

    With `hash_key` each file scanned is hashed under it, so that `prep --findings` can tell
    whether it still is the one.
    """
    for file in expand(paths):
        if _covered(Path(file), trust):
            audited.covered.append(file)
            continue
        if hash_key is not None:
            audited.inputs[file] = keyed_hash(file, hash_key)
        for batch in batches(_items(file)):
            _scan(batch, actions, detector, languages, audited)
    return audited


def _covered(file: Path, trust: Sequence[str]) -> bool:
    """A file of a prepared folder whose signature and hashes hold, its own books included."""
    try:
        if (file.parent / folder.MANIFEST).is_file():
            manifest = folder.verify(file.parent, tuple(trust)).manifest
            return file.name in (*manifest["files"], folder.MANIFEST, folder.SIGNATURE)
        if file.parent.name == "keep" and (file.parent.parent / "ship").is_dir():
            manifest = folder.verify(file.parent.parent, tuple(trust)).manifest
            return bool(manifest["kept"].get(f"keep/{file.name}") == folder.file_hash(file))
    except (folder.FolderError, UsageFault):
        return False
    return False


def _items(file: str) -> Iterator[RawRecord | Unreadable]:
    path = Path(file)
    if is_data_file(path) or is_saved_set(path):
        return read(file)
    return _text_lines(path)


def _text_lines(path: Path) -> Iterator[RawRecord | Unreadable]:
    """A plain-text file as one record a line: a JSON string, with the path `text`."""
    try:
        with path.open(encoding="utf-8", errors="strict") as lines:
            for number, line in enumerate(lines, start=1):
                text = json.dumps(line.rstrip("\n"), ensure_ascii=False)
                yield RawRecord(str(path), number, number, text, exact=False, notes=(), eol="\n")
    except UnicodeDecodeError:
        raise InputError(f"{path}: is not UTF-8 text. Convert it, or leave it out.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None


def _scan(
    batch: Sequence[RawRecord | Unreadable],
    actions: dict[str, str],
    detector: Detector,
    languages: Sequence[str],
    audited: Audited,
) -> None:
    audited.records += len(batch)
    for item in batch:
        if isinstance(item, Unreadable):
            audited.not_scanned.append({**_source(item), "reason": f"unreadable:{item.reason}"})
    readable = [item for item in batch if isinstance(item, RawRecord)]
    for record, found in zip(readable, _found(readable, detector, languages), strict=True):
        if isinstance(found, str):
            audited.not_scanned.append({**_source(record), "reason": found})
        else:
            _add(record, found, actions, audited)


def _found(
    records: Sequence[RawRecord], detector: Detector, languages: Sequence[str]
) -> list[RecordFindings | str]:
    """Findings of each record, or why it could not be scanned: one bad record costs only itself."""
    try:
        return list(scan_records([leaves(r.text) for r in records], detector, languages))
    except Exception as error:  # noqa: BLE001  fail closed: told as not scanned
        if len(records) == 1:
            return [f"scan-failed:{type(error).__name__}"]
        return [found for record in records for found in _found([record], detector, languages)]


def _source(item: RawRecord | Unreadable) -> dict[str, Any]:
    line = {} if item.line is None else {"line": item.line}
    return {"file": item.file, "record": item.number, **line}


def _add(record: RawRecord, hit: RecordFindings, actions: dict[str, str], audited: Audited) -> None:
    old = hit.leaves
    hidden = frozenset(old[i].text for i, _ in hit.findings if old[i].kind == "key")
    for index, reason in hit.unscanned:
        place = _place(old[index], hidden)
        audited.not_scanned.append({**_source(record), **place, "reason": reason})
    for index, finding in hit.findings:
        if actions[finding.type] == "keep":
            audited.kept[finding.type] += 1
            continue
        audited.acted[finding.type] += 1
        start, end = old[index].outer_span(finding.start, finding.end)
        country = {"country": finding.country} if finding.country else {}
        kind = {"kind": "key"} if old[index].kind == "key" else {}
        audited.findings.append(
            {
                **_source(record),
                **_place(old[index], hidden),
                **kind,
                "start": start,
                "end": end,
                "type": finding.type,
                **country,
                "score": round(finding.score, 3),
                "detector": finding.detector,
            }
        )


def _place(leaf: Leaf, hidden: frozenset[str]) -> dict[str, str]:
    place = place_of(leaf, hidden)
    return {**place, "path": "text"} if not leaf.steps else place


def as_table(audited: Audited) -> str:
    """Lines for people: place, type and detector; then the counts."""
    lines = [_line(row) for row in audited.findings]
    lines += [f"{_where(row)}  not scanned: {row['reason']}" for row in audited.not_scanned]
    lines += [f"{file}: covered by its manifest" for file in audited.covered]
    acted = ", ".join(f"{kind} {count:,}" for kind, count in sorted(audited.acted.items()))
    kept = ", ".join(f"{kind} {count:,}" for kind, count in sorted(audited.kept.items()))
    lines.append(f"{audited.records:,} records; to replace: {acted or 'nothing'}")
    if kept:
        lines.append(f"kept by policy: {kept}")
    if audited.exit_code:
        lines.append("next: `privatune prep` replaces them; `privacy.allow` keeps what may stay.")
    return "\n".join(lines)


def _line(row: dict[str, Any]) -> str:
    inner = f" {row['inner']}" if "inner" in row else ""
    span = f"{row['start']}-{row['end']}"
    return f"{_where(row)}  {row['path']}{inner} [{span}]  {row['type']}  {row['detector']}"


def _where(row: dict[str, Any]) -> str:
    return f"{row['file']}:{row.get('line', row['record'])}"
