"""Copies of a secret key in small files that would travel with the data or with a commit.

Looked at are the files that lie directly in the folders of the data, of the output and of the
configuration, and at the root of the repository that these lie in: where `.env` files, job scripts
and key files are left. Bounded in files and bytes; no file is opened that is not a plain one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.home import Key, KeyRefused, repository_of
from pipeline.own_key import spellings

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

    from pipeline.config import Config

MAX_FILE = 1 << 16
MAX_CONFIG = 1 << 20  # the largest configuration that is read
MAX_BYTES = 1 << 26
MAX_ENTRIES = 10_000  # names looked at in one folder
MAX_FILES = 5_000
_CONFIGS = (".yaml", ".yml")
_PEM = b"-----BEGIN PRIVATE KEY-----", b"-----END PRIVATE KEY-----"


def folders_of(config: Config, files: Iterable[Path]) -> list[Path]:
    """The folders that travel: of configuration, output, data, and the roots of repositories."""
    output = config.data.output
    named = [output.parent, output, output / "ship", output / "keep"]
    if config.source is not None:
        named.append(config.source.parent)
    for file in files:
        named += [file, file.parent] if file.is_dir() else [file.parent]
    found = dict.fromkeys(path.resolve() for path in named if path.is_dir())
    roots = [repository_of(folder) for folder in found]
    return list(dict.fromkeys([*found, *(root for root in roots if root is not None)]))


def refuse_copies(key: Key, folders: Sequence[Path], vault: X25519PublicKey | None = None) -> None:
    """Raise KeyRefused for a file that holds a key of any epoch, or the vault's private key."""
    holds = spellings(one.secret for one in key.all()).in_bytes
    for path, data in _small_files(folders):
        if holds(data):
            raise KeyRefused(_words(path, key))
        if vault is not None and _opens(vault, data):
            raise KeyRefused(
                f"{path}: holds the private key of the vault, where it would travel with the data "
                "or a commit. Keep it on the machine that opens the vault alone; if the file was "
                "ever copied or committed, make another one with `privatune vault new-key`."
            )


def _words(path: Path, key: Key) -> str:
    if key.path is not None and key.path.resolve() == path.resolve():
        return (
            f"{path}: the key lies in the folder of data, output or configuration, with which it "
            "would travel. Move it to a folder of its own and set PRIVATUNE_KEY_FILE."
        )
    return (
        f"{path}: holds a copy of the secret key, where it would travel with the data or a commit. "
        "Take it out; the key belongs where `privatune key show` says. If the file was ever copied "
        "or committed, add a new key with `privatune key rotate`."
    )


def _opens(vault: X25519PublicKey, data: bytes) -> bool:
    from cryptography.hazmat.primitives.serialization import (  # noqa: PLC0415
        load_pem_private_key,
    )

    start = data.find(_PEM[0])
    while start >= 0:
        end = data.find(_PEM[1], start) + len(_PEM[1])
        try:
            private = load_pem_private_key(data[start:end], None)
        except (ValueError, TypeError):  # another kind of key, or half of one
            private = None
        if private is not None and private.public_key() == vault:
            return True
        start = data.find(_PEM[0], start + 1)
    return False


def _small_files(folders: Sequence[Path]) -> Iterator[tuple[Path, bytes]]:
    """Small plain files of the folders, the smallest first, up to the bounds."""
    files = read = 0
    for folder in folders:
        for path in _candidates(folder):
            files += 1
            if files > MAX_FILES or read > MAX_BYTES:
                return
            try:
                with path.open("rb") as file:
                    data = file.read(MAX_CONFIG)
            except OSError:
                continue  # not ours to read, or gone
            read += len(data)
            yield path, data.replace(b"\0", b"")  # UTF-16, as some shells write it, too


def _candidates(folder: Path) -> list[Path]:
    found: list[tuple[int, str]] = []
    try:
        with os.scandir(folder) as entries:
            for number, entry in enumerate(entries):
                if number >= MAX_ENTRIES:
                    break
                size = _size(entry)
                if 0 < size < (MAX_CONFIG if entry.name.endswith(_CONFIGS) else MAX_FILE):
                    found.append((size, entry.name))
    except OSError:
        return []
    return [folder / name for _, name in sorted(found)]


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat().st_size if entry.is_file() else 0
    except OSError:
        return 0
