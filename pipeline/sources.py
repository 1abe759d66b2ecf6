"""Files as streams of text: opened, unpacked and decoded, whatever they were saved as."""

from __future__ import annotations

import codecs
import gzip
import itertools
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 256 * 1024  # bytes
_ZSTD_CHUNK = 4096  # packed bytes; what they may unpack to is many times more

# Longest first: the mark of UTF-32 starts with that of UTF-16.
_MARKS: tuple[tuple[bytes, str, str], ...] = (
    (codecs.BOM_UTF32_LE, "utf-32", "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig", "bom"),
    (codecs.BOM_UTF16_LE, "utf-16", "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "utf-16"),
    (b"{\0", "utf-16-le", "utf-16"),
    (b"[\0", "utf-16-le", "utf-16"),
    (b"\0{", "utf-16-be", "utf-16"),
    (b"\0[", "utf-16-be", "utf-16"),
)
_OTHERS: tuple[tuple[bytes, str], ...] = (
    (
        b"PK\x03\x04",
        "a zip archive or a spreadsheet: unpack it, or export its table as CSV or JSONL",
    ),
    (b"%PDF", "a PDF document: extract its records as JSONL first"),
    (b"ARROW1", "an Arrow file: give the folder that `datasets` saved, or write it as Parquet"),
    (b"BZh", "packed with bzip2: unpack it, or pack it with gzip or zstd"),
    (b"\xfd7zXZ\0", "packed with xz: unpack it, or pack it with gzip or zstd"),
)
_LONE = re.compile("[\ud800-\udfff]")
_GZIP, _ZSTD, PARQUET = b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"PAR1"


class InputError(Exception):
    """A whole input cannot be read: what, where, and the next step."""


@dataclass(frozen=True, slots=True)
class Text:
    """Text of a file in pieces. `notes` say how it was encoded unless it was plain UTF-8.

    In UTF-8, bytes that are none stand as lone surrogates (PEP 383) for the reader to settle.
    """

    chunks: Iterator[str]
    notes: tuple[str, ...]


def head(path: Path, size: int = 16) -> bytes:
    """Return the first bytes of a file. Raises InputError when it cannot be opened."""
    try:
        with path.open("rb") as opened:
            return opened.read(size)
    except FileNotFoundError:
        raise InputError(
            f"{path}: no such file. Check `data.inputs` or the path that was given."
        ) from None
    except PermissionError:
        raise InputError(f"{path}: no permission to read. Check the owner and the mode.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}). Check the path.") from None


def open_text(path: Path) -> Text:
    """Open, unpack and decode a file. Raises InputError, also while the chunks are read."""
    start = head(path)
    for magic, what in _OTHERS:
        if start.startswith(magic):
            raise InputError(f"{path}: {what}.")
    blocks = _blocks(path, start)
    first = next(blocks, b"")
    codec, notes = _encoding(first)
    if codec == "utf-8" and _is_binary(first):
        raise InputError(f"{path}: a binary file, not text. Give JSONL, JSON or Parquet.")
    return Text(_decoded(path, first, blocks, codec), notes)


def _is_binary(first: bytes) -> bool:
    """NULs in more than a hundredth of the bytes; a stray one is the fault of its line alone."""
    return first.count(0) * 100 > len(first)


def _encoding(first: bytes) -> tuple[str, tuple[str, ...]]:
    for mark, codec, note in _MARKS:
        if first.startswith(mark):
            return codec, (note,)
    return "utf-8", ()


def _blocks(path: Path, start: bytes) -> Iterator[bytes]:
    """Yield the unpacked bytes. A packed file is known by its first bytes, whatever its name."""
    unpack = _gunzip if start.startswith(_GZIP) else _unzstd if start.startswith(_ZSTD) else _plain
    try:
        with path.open("rb") as raw:
            yield from unpack(raw)
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise InputError(
            f"{path}: the packed data is damaged or cut off. Fetch or pack it again."
        ) from None
    except OSError as error:
        raise InputError(f"{path}: reading stopped ({error.strerror}). Check the disk.") from None


def _plain(raw: IO[bytes]) -> Iterator[bytes]:
    while block := raw.read(CHUNK):
        yield block


def _gunzip(raw: IO[bytes]) -> Iterator[bytes]:
    with gzip.open(raw, "rb") as opened:
        while block := opened.read(CHUNK):
            yield block


def _unzstd(raw: IO[bytes]) -> Iterator[bytes]:
    """Unpack frame after frame. Raises EOFError for a damaged or cut one, as gzip does.

    The library's stream reader ends quietly where a file is cut, so frames are counted here.
    """
    import zstandard  # noqa: PLC0415 - only packed files need it

    frame = zstandard.ZstdDecompressor().decompressobj()
    try:
        while packed := raw.read(_ZSTD_CHUNK):
            while packed:
                if frame.eof:
                    frame = zstandard.ZstdDecompressor().decompressobj()
                yield frame.decompress(packed)
                packed = frame.unused_data if frame.eof else b""
    except zstandard.ZstdError:
        raise EOFError from None
    if not frame.eof:
        raise EOFError


def _decoded(path: Path, first: bytes, blocks: Iterator[bytes], codec: str) -> Iterator[str]:
    utf8 = codec.startswith("utf-8")
    decoder = codecs.getincrementaldecoder(codec)("surrogateescape" if utf8 else "surrogatepass")
    try:
        for block in itertools.chain([first], blocks):
            text = decoder.decode(block)
            yield text if utf8 else _LONE.sub(_escaped, text)
        yield decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise InputError(
            f"{path}: starts as {codec[:6].upper()} but is not. Save it as UTF-8 again."
        ) from None


def _escaped(lone: re.Match[str]) -> str:
    return f"\\u{ord(lone.group()):04x}"


def true_text(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Decode a record whose bytes are no UTF-8 as Windows-1252; None where that is no answer.

    A record with right UTF-8 beside wrong bytes has two encodings: either choice would spoil it.
    """
    if text.isascii() or _LONE.search(text) is None:
        return text, ()
    if not _LONE.sub("", text).isascii():
        return None
    try:
        return text.encode("utf-8", "surrogateescape").decode("cp1252"), ("cp1252",)
    except UnicodeDecodeError:
        return None
