"""Records of an input as strict JSON text, one after the other, whatever the file looks like."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.framing import Piece, pieces
from pipeline.sources import PARQUET, InputError, head, open_text
from pipeline.window import Window
from scrubbers.jsonlex import BODY, NotJson, lex_all

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pipeline.given import OfRecord

__all__ = ["InputError", "RawRecord", "Unreadable", "one_line", "read"]

MAX_RECORD = 16 * 1024 * 1024  # code points; about four million tokens, no model takes that
JSON_SUFFIXES = (".jsonl", ".json", ".ndjson")
_PACKED = (".gz", ".zst")
_MAX_WRAPS = 8

REASONS: dict[str, str] = {
    "not-json": "Not a JSON value. Repair the line, or remove it.",
    "broken-array": "Not JSON, and where the next record of the array begins is not certain: what "
    "lies between is left out. Repair the array.",
    "truncated": "The record is cut off. Fetch the file again, or remove the record.",
    "too-long": "The record is longer than any model reads. Split or remove it.",
    "too-deep": "Containers are nested too deeply. Flatten or remove the record.",
    "encoding": "Bytes that are neither UTF-8 nor Windows-1252. Save the file as UTF-8.",
    "unclosed-array": "The file ends inside its array: records may be missing. Fetch it again.",
    "no-json-form": "The row holds bytes, NaN or a type that JSON lacks. Drop or convert the column.",
}

_STRING = re.compile(rf'"({BODY})"')
_BREAK = re.compile(rf'"{BODY}"|[ \t]*+[\r\n][ \t\r\n]*+')
_LONE = re.compile(
    r"(?<!\\)(?:\\\\)*+(?:\\u[dD][89abAB]..(?!\\u[dD][c-fC-F])"
    r"|(?<!\\u[dD][89abAB]..)\\u[dD][c-fC-F]..)"
)


@dataclass(frozen=True, slots=True)
class RawRecord:
    """One record. `line`: the 1-based physical line where it starts, None in tables.

    `text` is strict JSON; `exact`: it is byte for byte the input's. `notes`: codes of what the
    reader met or mended. `given`: findings that a user gave for it.
    """

    file: str
    number: int
    line: int | None
    text: str = field(repr=False)
    exact: bool
    notes: tuple[str, ...]
    eol: str
    given: OfRecord | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A record that could not be read. It holds no text of it."""

    file: str
    number: int
    line: int | None
    reason: str
    detail: str


def read(path: str | Path, *, limit: int = MAX_RECORD) -> Iterator[RawRecord | Unreadable]:
    """Yield the records of a JSON, JSONL or Parquet file (also .gz, .zst) or a saved data set.

    Streams: memory grows with the longest record, which may have `limit` code points, not with
    the file. Raises InputError where nothing can be read, also half-way (a damaged archive).
    """
    place = Path(path)
    if place.is_dir():
        yield from _rows(str(path), _saved(place))
    elif head(place).startswith(PARQUET):
        yield from _rows(str(path), _parquet(place))
    else:
        yield from _texts(str(path), place, limit)


def _saved(place: Path) -> Iterator[str | None]:
    from pipeline.tables import is_saved_set, saved_rows  # noqa: PLC0415 - heavy behind it

    if not is_saved_set(place):
        raise InputError(
            f"{place}: a folder, but not one that `datasets` saved with `save_to_disk`. "
            "Name the files in it."
        )
    return saved_rows(place)


def _parquet(place: Path) -> Iterator[str | None]:
    from pipeline.tables import parquet_rows  # noqa: PLC0415 - heavy behind it

    return parquet_rows(place)


def _rows(file: str, rows: Iterator[str | None]) -> Iterator[RawRecord | Unreadable]:
    for number, text in enumerate(rows, 1):
        if text is None:
            yield Unreadable(file, number, None, "no-json-form", REASONS["no-json-form"])
        else:
            notes = ("lone-surrogate",) if _has_lone(text) else ()
            yield RawRecord(file, number, None, text, exact=False, notes=notes, eol="\n")


def _texts(file: str, place: Path, limit: int) -> Iterator[RawRecord | Unreadable]:
    source = open_text(place)
    window = Window(source.chunks, limit)
    _sniff(place, window)
    eol = "\n"
    for number, piece in enumerate(pieces(window), 1):
        eol = piece.eol or eol
        if piece.reason:
            yield Unreadable(file, number, piece.line, piece.reason, REASONS[piece.reason])
        else:
            yield _record(file, number, piece, source.notes, eol)


def _sniff(place: Path, window: Window) -> None:
    """Refuse a file whose name does not promise JSON and whose first character is none."""
    suffixes = [suffix for suffix in place.suffixes if suffix.lower() not in _PACKED]
    if suffixes and suffixes[-1].lower() in JSON_SUFFIXES:
        return
    window.more()
    if window.text.strip() and window.text.lstrip()[0] not in "{[":
        raise InputError(f"{place}: does not look like JSON. Export it as JSONL, JSON or Parquet.")


def _record(file: str, number: int, piece: Piece, coded: tuple[str, ...], eol: str) -> RawRecord:
    text, wrapped = _unwrapped(piece.text)
    notes = coded + piece.notes
    notes += ("double-encoded",) if wrapped else ()
    notes += ("lone-surrogate",) if _has_lone(text) else ()
    exact = piece.exact and not coded and not wrapped
    return RawRecord(file, number, piece.line, text, exact, tuple(dict.fromkeys(notes)), eol)


def _unwrapped(text: str) -> tuple[str, bool]:
    """The record inside a JSON string, if the record is nothing else."""
    inner = text
    for _ in range(_MAX_WRAPS):
        if inner.lstrip()[:1] in ("{", "["):
            return inner, inner is not text
        if _STRING.fullmatch(inner.strip()) is None:
            break
        try:
            inner = lex_all(inner)[0][1].strip()
            lex_all(inner)
        except NotJson:
            break
    return text, False


def _has_lone(text: str) -> bool:
    return "\\u" in text and _LONE.search(text) is not None


def one_line(text: str) -> str:
    """Take the line breaks out of a record's structure; strings and all else stay as they are."""
    if "\n" not in text and "\r" not in text:
        return text
    return _BREAK.sub(_joined, text)


def _joined(found: re.Match[str]) -> str:
    if found.group()[0] == '"':
        return found.group()
    return " " if found.string[found.start() - 1 : found.start()] in (",", ":") else ""
