"""The input files of a run: found, hashed under the key, read in order."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator, Sequence
from dataclasses import replace as change
from pathlib import Path

from pipeline.reading import InputError, RawRecord, Unreadable, read
from scrubbers.jsontext import to_value
from validators.record import CannotConvert, detect_format, to_messages

DATA_SUFFIXES = (".jsonl", ".ndjson", ".json", ".parquet")
PACKED = (".gz", ".zst")


def expand(paths: Sequence[Path]) -> list[str]:
    """Files and saved data sets: what the paths name, folders opened, none twice."""
    found: dict[str, None] = {}
    for path in paths:
        found.update(dict.fromkeys(_files_of(path)))
    return list(found)


def _files_of(path: Path) -> list[str]:
    if not path.is_dir() or is_saved_set(path):
        return [str(path)]
    files = [str(p) for p in sorted(path.rglob("*")) if is_data_file(p)]
    if not files:
        raise InputError(f"{path}: a folder without data files ({', '.join(DATA_SUFFIXES)}).")
    return files


def is_saved_set(path: Path) -> bool:
    """A folder written by `datasets`' `save_to_disk`."""
    return (path / "dataset_info.json").is_file() or (path / "dataset_dict.json").is_file()


def is_data_file(path: Path) -> bool:
    """A file whose suffix says that it holds records."""
    suffixes = [s for s in path.suffixes if s not in PACKED]
    return path.is_file() and bool(suffixes) and suffixes[-1].lower() in DATA_SUFFIXES


def labels(files: Sequence[str]) -> list[str]:
    """Short names of the files for reports: the part of the path that tells them apart."""
    names = [Path(f).name for f in files]
    if len(set(names)) == len(names):
        return names
    return list(files)


def keyed_hash(file: str, key: bytes) -> str:
    """HMAC-SHA256 of a file's bytes (of all files of a folder), in hex."""
    mac = hmac.new(key, digestmod=hashlib.sha256)
    path = Path(file)
    for part in sorted(path.rglob("*")) if path.is_dir() else [path]:
        if part.is_file():
            mac.update(f"\0{part.relative_to(path).as_posix()}\0".encode())
            with part.open("rb") as opened:
                while piece := opened.read(1 << 20):
                    mac.update(piece)
    return mac.hexdigest()


def read_all(
    files: Sequence[str], *, as_messages: bool, form: str
) -> Iterator[RawRecord | Unreadable]:
    """Every record of every file, in order; converted to `messages` where that was asked."""
    for file in files:
        for item in read(file):
            if as_messages and isinstance(item, RawRecord):
                yield _converted(item, form)
            else:
                yield item


def _converted(raw: RawRecord, form: str) -> RawRecord | Unreadable:
    value = to_value(raw.text)
    known = detect_format(value) if form == "auto" else form
    if known == "messages":
        return raw
    try:
        text = json.dumps(to_messages(value, known), ensure_ascii=False)
    except CannotConvert:
        return Unreadable(
            raw.file, raw.number, raw.line, "cannot-convert",
            "has no turns that `messages` could hold; set `data.output_format: same`.",
        )  # fmt: skip
    return change(raw, text=text, exact=False, notes=(*raw.notes, "converted"))
