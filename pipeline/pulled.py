"""A pulled model folder: which files belong into it, its receipt, and whether they are whole."""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
import re
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.hub import Listed, PullError, PullRefused
from trainer.model_folder import RECEIPT, file_hash

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

VERSION = 1
# What a model folder needs, and its papers. Nothing else is brought: no code, no pickles.
WANTED = re.compile(
    r"(config|generation_config|tokenizer|tokenizer_config|special_tokens_map|added_tokens|vocab"
    r"|chat_template|model\.safetensors\.index)\.json"
    r"|merges\.txt|vocab\.txt|tokenizer\.model|chat_template\.jinja"
    r"|\w[\w.-]*\.safetensors"
    r"|(LICEN[CS]E|NOTICE|USE_POLICY|README)(\.(md|txt))?",
    re.ASCII,
)
SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Receipt:
    """What `pull.json` says: whose model, at which commit, and the SHA-256 and size of each file.

    `commit` is None for a folder that was copied and never came from a hub; `host` is then empty.
    """

    id: str
    revision: str
    commit: str | None
    host: str
    files: Mapping[str, Mapping[str, Any]]

    def write(self, folder: Path) -> None:
        """Write it into the folder."""
        text = json.dumps({"version": VERSION, **asdict(self)}, indent=1) + "\n"
        (folder / RECEIPT).write_text(text, encoding="utf-8")

    def hashes(self) -> dict[str, str]:
        """File name -> SHA-256."""
        return {name: str(row["sha256"]) for name, row in self.files.items()}

    def faults(self, folder: Path) -> tuple[list[str], list[str]]:
        """Hash all files again; return the names of those that are missing and that differ."""
        missing = [name for name in self.files if not (folder / name).is_file()]
        differ = [
            name for name, digest in self.hashes().items()
            if name not in missing and file_hash(folder / name) != digest
        ]  # fmt: skip
        return missing, differ


def read_receipt(path: Path) -> Receipt:
    """Read a `pull.json`. Raises PullError."""
    try:
        value = json.loads(path.read_bytes())
        version = value.pop("version")
        receipt = Receipt(**value)
        names = all(WANTED.fullmatch(name) for name in receipt.files)
        hashes = all(SHA256.fullmatch(row["sha256"]) for row in receipt.files.values())
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
        raise PullError(f"{path}: no pull.json that can be read. Pull the model again.") from None
    if version != VERSION or not names or not hashes:
        raise PullError(f"{path}: a pull.json of another version or form. Pull the model again.")
    return receipt


def choose(files: Iterable[Listed], at: str) -> tuple[Listed, ...]:
    """Take the files that belong into a model folder; those in sub-folders never do.

    Raises PullRefused for a name that would leave the folder: such a source is not to be used.
    """
    chosen = {}
    for file in files:
        parts = file.name.split("/")
        odd = any(c < " " or c in "\\:" for c in file.name)
        if odd or any(part in ("", ".", "..") for part in parts):
            raise PullRefused(
                f"{at}: the source lists a file name that leads out of the folder "
                f"({file.name!r}). Nothing was fetched; do not use this source."
            )
        if WANTED.fullmatch(file.name):
            if file.size < 0 or file.name in chosen:
                raise PullRefused(f"{at}: the source lists {file.name} twice or without a size.")
            chosen[file.name] = file
    return tuple(chosen[name] for name in sorted(chosen))


def digest_if_right(path: Path, listed: Listed, pin: str | None) -> str | None:
    """Give a file's SHA-256 if size, the source's hash and the pinned one hold, else None.

    One hash must be known: what nobody vouches for is not right.
    """
    if path.stat().st_size != listed.size or not (listed.sha256 or listed.git or pin):
        return None
    large, small = hashlib.sha256(), hashlib.sha1(usedforsecurity=False)
    small.update(b"blob %d\0" % listed.size)  # how git names the content of a file
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            large.update(piece)
            if listed.git:
                small.update(piece)
    found = large.hexdigest()
    named = listed.git in (None, small.hexdigest())
    return found if named and listed.sha256 in (None, found) and pin in (None, found) else None


@contextmanager
def workplace(target: Path) -> Iterator[Path]:
    """Make or find the hidden folder beside the target in which it is put together; hold it alone.

    It stays when the block fails, so that the next pull goes on there. Raises PullError.
    """
    work = target.parent / f".{target.name}.pull"
    try:
        work.mkdir(parents=True, exist_ok=True)
        held = os.open(work, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise PullError(
            f"{target.parent}: cannot be written ({error.strerror}). Name another place with "
            "`--to`."
        ) from None
    try:
        try:
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise PullError(f"{target}: another pull is at work there. Wait for it.") from None
        yield work
    finally:
        os.close(held)


def part(work: Path, file: Listed) -> Path:
    """Where a file lies before it is whole; another content has another place."""
    return work / f".{file.name}.{(file.sha256 or file.git or '')[:16]}.part"


def settle(
    work: Path, files: Iterable[Listed], pins: Mapping[str, str], whole: dict[str, str]
) -> list[Listed]:
    """Move part files that are right to their names; return the files still to come.

    `whole` gets name -> SHA-256. A part of full length that is not right is removed.
    """
    left = []
    for file in files:
        for path in (work / file.name, part(work, file)):
            if not path.is_file() or (path.suffix == ".part" and path.stat().st_size < file.size):
                continue
            if digest := digest_if_right(path, file, pins.get(file.name)):
                path.replace(work / file.name)
                whole[file.name] = digest
                break
            path.unlink()
        if file.name not in whole:
            left.append(file)
    return left
