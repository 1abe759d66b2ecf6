"""Rows of a findings file put on the files and records of a run, before the scan begins.

A list that does not fit costs nothing then: every place is looked up, and all faults are told.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pipeline.errors import Refused
from pipeline.findings import Document, FindingsError, Row, Skipped, complain, read_findings
from pipeline.given import BESIDE, INSTEAD, Findings, Given, Item, Located, OfRecord, input_key
from pipeline.inputs import keyed_hash
from pipeline.reading import Unreadable
from scrubbers.finding import Finding
from scrubbers.jsonplace import PlaceError, Places
from scrubbers.jsontext import leaves

_AUDIT = "Run `privatune audit --format json` again and review that"


def fit(
    findings: Findings, secret: bytes, key_id: str, files: Sequence[str], names: Sequence[str],
    items: Iterable[Item],
) -> Given:  # fmt: skip
    """Read a findings file for a run on `files` (shown as `names`), whose records are `items`.

    Raises FindingsError for a list that cannot be carried out, Refused for a stale one.
    """
    path, mode = findings.path, BESIDE if findings.beside else INSTEAD
    if path.resolve() in {Path(file).resolve() for file in files}:
        raise FindingsError(f"{path}: is an input of this run as well. Keep it elsewhere.")
    document = read_findings(path)
    key = input_key(secret)
    index = _Files(files, names)
    tied = _tied(path, document, index, key, key_id)
    rows: tuple[Row | Skipped, ...] = document.rows
    if mode == INSTEAD:  # own detection tells itself what it could not read
        rows += document.skipped
    used = _by_file(path, rows, index)
    if mode == INSTEAD:
        _require_all(path, index, {*tied, *used})
    records = _on_records(path, used, items, index)
    untied = sum(not tied.get(number) for number in {*tied, *used})
    count = sum(len(one.found) for one in records.values())
    return Given(mode, keyed_hash(str(path), key), count, untied, records)


class _Files:
    """The input files of a run, found by what a findings file calls them."""

    def __init__(self, files: Sequence[str], names: Sequence[str]) -> None:
        self.files, self.names = files, names
        self._written = {file: number for number, file in enumerate(files)}
        self._resolved = {Path(file).resolve(): number for number, file in enumerate(files)}
        self._named = {name: number for number, name in enumerate(names)}

    def number(self, file: str) -> int | None:
        """By the path as written, then where it leads, then the name in the run's books."""
        if file in self._written:
            return self._written[file]
        try:
            found = self._resolved.get(Path(file).resolve())
        except (OSError, ValueError):  # a path that no system takes
            found = None
        return self._named.get(file) if found is None else found


def _tied(
    path: Path, document: Document, index: _Files, key: bytes, key_id: str
) -> dict[int, bool]:
    """Files that `inputs` names -> whether a hash ties them; stale ones are refused."""
    tied: dict[int, bool] = {}
    stale: list[str] = []
    for file, told in document.inputs.items():
        number = index.number(file)
        if number is None:
            continue  # audited, but no part of this run
        tied[number] = told is not None
        if told is not None and told != keyed_hash(index.files[number], key):
            stale.append(index.names[number])
    if stale and document.key_id not in (None, key_id):
        raise Refused(
            f"{path}: was made under another secret key, so it cannot be told whether it is of "
            f"these files. {_AUDIT}, with the key of this home."
        )
    if stale:
        raise Refused(
            f"{path}: is stale: {', '.join(stale)} changed since it was audited. {_AUDIT}."
        )
    return tied


def _by_file(
    path: Path, rows: Sequence[Row | Skipped], index: _Files
) -> dict[int, list[Row | Skipped]]:
    used: dict[int, list[Row | Skipped]] = {}
    faults = []
    for row in rows:
        number = index.number(row.file)
        if number is None:
            faults.append(
                f"{row.where}: `file` names no input of this run; its inputs are "
                f"{', '.join(index.names)}."
            )
        else:
            used.setdefault(number, []).append(row)
    if faults:
        raise complain(path, faults)
    return used


def _require_all(path: Path, index: _Files, known: set[int]) -> None:
    """Instead of detection, a file that the list does not know would ship as it is."""
    missing = [name for number, name in enumerate(index.names) if number not in known]
    if missing:
        raise FindingsError(
            f"{path}: says nothing about {', '.join(missing)}. Audit all inputs, name a file "
            "without findings in `inputs` (with null for its hash), or use `--beside`."
        )


def _on_records(
    path: Path, used: Mapping[int, list[Row | Skipped]], items: Iterable[Item], index: _Files
) -> dict[tuple[int, int], OfRecord]:
    numbers = {file: number for number, file in enumerate(index.files)}
    waiting = {number: _Waiting(rows) for number, rows in used.items()}
    records: dict[tuple[int, int], OfRecord] = {}
    faults: list[str] = []
    for item in items:
        number = numbers[item.file]
        rows = waiting[number].of(item, faults) if number in waiting else ()
        if rows:
            records[number, item.number] = _on_record(item, rows, faults)
    for one in waiting.values():
        faults += one.left()
    if faults:
        raise complain(path, faults)
    return records


class _Waiting:
    """The rows of one file, by record or by line, until their record comes."""

    def __init__(self, rows: Sequence[Row | Skipped]) -> None:
        self._by_record: dict[int, list[Row | Skipped]] = {}
        self._by_line: dict[int, list[Row | Skipped]] = {}
        self._lines: set[int] = set()
        for row in rows:
            if row.record is not None:
                self._by_record.setdefault(row.record, []).append(row)
            elif row.line is not None:
                self._by_line.setdefault(row.line, []).append(row)

    def of(self, item: Item, faults: list[str]) -> list[Row | Skipped]:
        """The rows of a record; those whose line is another one are told as faults."""
        rows = self._by_record.pop(item.number, [])
        faults += [
            f"{row.where}: record {item.number:,} does not begin on the line that `line` names. "
            f"{_AUDIT}."
            for row in rows
            if None not in (row.line, item.line) and row.line != item.line
        ]
        if item.line is None:
            return rows
        if item.line in self._lines:
            faults.append(f"line {item.line:,}: several records begin there; give `record`.")
        if item.line in self._by_line:
            self._lines.add(item.line)
            rows = rows + self._by_line.pop(item.line)
        return rows

    def left(self) -> Iterator[str]:
        """Rows whose record never came."""
        for rows in (*self._by_record.values(), *self._by_line.values()):
            for row in rows:
                which = "record" if row.record is not None else "line"
                yield f"{row.where}: its file has no such {which}. {_AUDIT}."


def _on_record(item: Item, rows: Sequence[Row | Skipped], faults: list[str]) -> OfRecord:
    skipped = [row for row in rows if isinstance(row, Skipped)]
    findings = [row for row in rows if isinstance(row, Row)]
    if isinstance(item, Unreadable) or "converted" in item.notes:
        why = (
            "cannot be read" if isinstance(item, Unreadable)
            else "is converted to `messages` first; set `data.output_format: same`"
        )  # fmt: skip
        faults += [f"{row.where}: record {item.number:,} {why}." for row in findings]
        return OfRecord()
    old = leaves(item.text)
    places = Places(old)
    found = [(row, place) for row in findings if (place := _placed(row, places, item, faults))]
    unscanned = [one for row in skipped if (one := _unscanned(row, places, item, faults))]
    whole = {row.reason for row in skipped if not row.reason.startswith("no-name-detector:")}
    return OfRecord(
        tuple(_apart(found, faults)), tuple(sorted(set(unscanned))), tuple(sorted(whole))
    )


def _placed(row: Row, places: Places, item: Item, faults: list[str]) -> Located | None:
    try:
        index, start, end = places.find(
            row.path, row.start, row.end, inner=row.inner, kind=row.kind
        )
    except PlaceError as error:
        faults.append(f"{row.where}: record {item.number:,}: {error}.")
        return None
    return index, Finding(start, end, row.type, row.score, row.detector, row.country)


def _unscanned(
    row: Skipped, places: Places, item: Item, faults: list[str]
) -> tuple[int, str] | None:
    if not row.reason.startswith("no-name-detector:"):
        return None
    try:
        return places.leaf(row.path or ""), row.reason
    except PlaceError as error:
        faults.append(f"{row.where}: record {item.number:,}: {error}.")
        return None


def _apart(found: Sequence[tuple[Row, Located]], faults: list[str]) -> Iterator[Located]:
    """The findings in document order, those given twice once; overlaps are faults."""
    last: tuple[Row, Located] | None = None
    for row, (index, one) in sorted(
        found, key=lambda pair: (pair[1][0], pair[1][1], pair[0].number)
    ):
        if last is not None and last[1][0] == index and one.start < last[1][1].end:
            same = replace(one, score=0, detector="") == replace(last[1][1], score=0, detector="")
            if not same:
                faults.append(f"{row.where}: overlaps {last[0].where}. Keep one of them.")
            continue
        last = row, (index, one)
        yield last[1]
