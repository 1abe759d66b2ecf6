"""The input files of a run: found, hashed under the key, read in order."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace as change
from pathlib import Path

from pipeline.folder import ship_of
from pipeline.reading import InputError, RawRecord, Unreadable, read
from pipeline.tables import is_saved_set
from scrubbers.jsontext import to_value
from validators.record import CannotConvert, detect_format, to_messages

DATA_SUFFIXES = (".jsonl", ".ndjson", ".json", ".parquet")
PACKED = (".gz", ".zst")
SHIPPED = ("train.jsonl", "holdout.jsonl")
PLAIN = re.compile(r"[^\x00-\x1f\x7f-\x9f\u2028\u2029]{1,200}")


def expand(paths: Sequence[Path], output: Path | None = None) -> list[str]:
    """Files and saved data sets that the paths name, folders opened, none twice.

    Without `output` (an audit) a prepared folder's shipped files are read too. With it (a
    preparation) prepared folders, and what a run on `output` leaves, are no input: a set must not
    be trained on its own books. Raises InputError.
    """
    found: dict[Path, str] = {}
    for path in paths:
        for file in _files_of(path, output):
            found.setdefault(file.resolve(), str(file))
    return list(found.values())


def _files_of(path: Path, output: Path | None) -> list[Path]:
    if not path.is_dir() or is_saved_set(path):
        return [path]
    if is_prepared(path):
        return _shipped_of(path, output)
    files = list(_walk(path, output))
    if not files:
        raise InputError(f"{path}: a folder without data files ({', '.join(DATA_SUFFIXES)}).")
    return files


def _shipped_of(path: Path, output: Path | None) -> list[Path]:
    if output is not None:
        raise InputError(
            f"{path}: a prepared folder. Name `ship/train.jsonl` in it, if that is what you mean."
        )
    return [ship_of(path) / name for name in SHIPPED]


def _walk(folder: Path, output: Path | None) -> Iterator[Path]:
    """Data files below a folder in the order of their names; a saved set is one of them."""
    for path in sorted(folder.iterdir()):
        if path.is_symlink() and not path.exists():
            raise InputError(f"{path}: a link to nothing. Mend or remove it.")
        if path.is_dir():
            if path.name.startswith(".") or (output and _is_ours(path, output)):
                continue
            if is_saved_set(path):
                yield path
            elif not is_prepared(path):
                yield from _walk(path, output)
            elif output is None:
                yield from _shipped_of(path, output)
        elif is_data_file(path):
            yield path


def _is_ours(path: Path, output: Path) -> bool:
    places = (output, output.with_name(f"{output.name}.refused"))
    return any(path.resolve() == place.resolve() for place in places)


def is_prepared(path: Path) -> bool:
    """A folder that `prep` wrote, or the shipped part of one."""
    return any((place / "manifest.sig").is_file() for place in (path, path / "ship"))


def is_data_file(path: Path) -> bool:
    """A file whose suffix says that it holds records."""
    suffixes = [s for s in path.suffixes if s not in PACKED]
    return path.is_file() and bool(suffixes) and suffixes[-1].lower() in DATA_SUFFIXES


def labels(files: Sequence[str], shown: Callable[[str], bool] = bool) -> list[str]:
    """What files are called in books and reports: by name, or by number.

    Reports travel further than file names do, and an export may be named after a person: a name
    that is not `shown`, or that is none a terminal should print, becomes `[file 3]`.
    """
    names = [Path(file).name for file in files]
    if len(set(names)) < len(names):
        names = [file.lstrip("/") for file in files]
    return [
        name if PLAIN.fullmatch(name) and shown(name) else f"[file {number}]"
        for number, name in enumerate(names, start=1)
    ]


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
