"""The vault of a prepared folder: originals, locked for whoever holds the vault's private key.

`prep` writes `keep/vault.bin` where `privacy.vault` names a public key, and cannot read it back.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization as forms
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey

from pipeline import folder
from pipeline.errors import UsageFault
from pipeline.home import KeyRefused, read_secret, refuse_inside, repository_of
from scrubbers.lockbox import Lockbox, LockboxBroken, LockboxKey, unlocked

if TYPE_CHECKING:
    from collections.abc import Iterable

NAME = "vault.bin"
VERSION = 1
_PRIVATE = b"PRIVATE KEY-----"
_HOW = "Name the file that `privatune vault new-key` made, with --key"
Row = dict[str, Any]


class VaultKeyError(Exception):
    """A key file that is not the one that is needed."""

    exit_code = 2


class VaultBroken(Exception):
    """A vault that is not, or no longer, what `prep` wrote."""

    exit_code = 1


def new_key(file: Path, kept_from: Iterable[Path] = (), not_in: Iterable[Path] = ()) -> Path:
    """Make a private key in `file` (mode 0600) and its public one beside it; return the latter.

    Neither is ever overwritten. Raises KeyRefused in a repository, in `kept_from` (data, output) or
    directly in a folder of `not_in`; UsageFault where a file cannot be made.
    """
    refuse_inside(file, kept_from, "name it there")
    if file.resolve().parent in not_in:
        raise KeyRefused(
            f"{file}: the folder holds data, output or configuration, so the key would travel with "
            "them. Name a file in a folder of its own."
        )
    public = file.with_name(f"{file.name}.pub")
    private = X25519PrivateKey.generate()
    pem = forms.Encoding.PEM
    secret = private.private_bytes(pem, forms.PrivateFormat.PKCS8, forms.NoEncryption())
    _write_new(file, 0o600, secret)
    try:
        shared = private.public_key().public_bytes(pem, forms.PublicFormat.SubjectPublicKeyInfo)
        _write_new(public, 0o644, shared)
    except UsageFault:
        file.unlink()
        raise
    return public


def recipient(file: Path | None) -> X25519PublicKey | None:
    """The public key that `privacy.vault` names, if it names one; raises VaultKeyError."""
    return None if file is None else public_key(file)


def public_key(file: Path) -> X25519PublicKey:
    """Read the key that a vault is locked with; raises VaultKeyError."""
    try:
        data = file.read_bytes()[: 1 << 16]
    except OSError as exc:
        raise VaultKeyError(
            f"{file}: the vault's public key cannot be read ({exc.strerror}). Bring it here, or "
            "take `privacy.vault` out."
        ) from None
    if _PRIVATE in data:
        raise VaultKeyError(
            f"{file}: this is a private key, which a machine that prepares must not have. Name its "
            f"public key in `privacy.vault` (made beside it as {file.name}.pub)."
        )
    try:
        key = forms.load_pem_public_key(data)
    except (ValueError, UnsupportedAlgorithm):
        key = None
    if not isinstance(key, X25519PublicKey):
        raise VaultKeyError(
            f"{file}: is not a vault's public key. `privatune vault new-key FILE` makes one, "
            "FILE.pub."
        )
    return key


def private_key(file: Path) -> X25519PrivateKey:
    """Read the key that opens a vault; raises KeyRefused (open to others) or VaultKeyError."""
    text = read_secret(file, "the vault's private key", _HOW)
    try:
        key = forms.load_pem_private_key(text.encode("ascii"), None)
    except (ValueError, TypeError, UnsupportedAlgorithm):  # TypeError: it needs a pass phrase
        key = None
    if not isinstance(key, X25519PrivateKey):
        raise VaultKeyError(f"{file}: is not the private key of a vault. {_HOW}.")
    return key


@contextmanager
def writing(path: Path, key: X25519PublicKey) -> Iterator[Callable[[Row], None]]:
    """A function that locks one row away; a stage that breaks leaves a file without its end."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        path.chmod(0o600)
        box = Lockbox(file, key)
        box.add(_line({"version": VERSION}))
        yield lambda row: box.add(_line(row))
        box.close()


def _line(row: Row) -> bytes:
    return json.dumps(row, ensure_ascii=True).encode("ascii") + b"\n"


@dataclass(frozen=True, slots=True)
class Asked:
    """Which rows of a vault are wanted; None is all."""

    split: str | None = None
    record: int | None = None

    def takes(self, row: Row) -> bool:
        """Whether a row is one of them."""
        return self.split in {None, row["split"]} and self.record in {None, row["record"]}


def originals(root: Path, key_file: Path, asked: Asked, trust: tuple[str, ...]) -> Iterator[Row]:
    """Open the vault of a prepared folder; the whole file is checked before the first row.

    Raises FolderError, UsageFault, KeyRefused, VaultKeyError or VaultBroken.
    """
    prepared = folder.verify(root, trust)
    path = root / "keep" / NAME
    known = prepared.manifest["kept"].get(f"keep/{NAME}")
    if known is None:
        raise UsageFault(
            f"{root}: has no vault; it was prepared without `privacy.vault`. Originals of such a "
            "set are in its input files alone."
        )
    if not path.is_file() or folder.file_hash(path) != known:
        raise VaultBroken(f"{path}: missing or changed after `privatune prep`; bring back a copy.")
    refuse_inside(key_file, [root], "name it there")
    private = private_key(key_file)
    with path.open("rb") as file:
        for _ in _content(file, private, path):
            pass
        file.seek(0)
        rows = _rows(_content(file, private, path), path)
        yield from (row for row in rows if asked.takes(row))


def _content(file: IO[bytes], private: X25519PrivateKey, path: Path) -> Iterator[bytes]:
    try:
        yield from unlocked(file, private)
    except LockboxKey:
        raise VaultKeyError(
            f"{path}: this key does not open it: it was locked for another one. {_HOW}."
        ) from None
    except LockboxBroken as error:
        raise VaultBroken(f"{path}: {error}; nothing of it is shown. Bring back a copy.") from None


def _rows(content: Iterator[bytes], path: Path) -> Iterator[Row]:
    """The rows after the version; a row may go over several chunks."""
    rest, seen = b"", False
    for piece in content:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            row = json.loads(line)
            if seen:
                yield row
            elif row != {"version": VERSION}:
                raise VaultBroken(f"{path}: unknown version; open it with a newer Privatune.")
            seen = True


@contextmanager
def private_output(file: Path, kept_from: Iterable[Path]) -> Iterator[IO[str]]:
    """A new file of mode 0600 for originals; removed again when what fills it breaks."""
    _refuse_travel(file, kept_from)
    handle = _create(file, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            yield opened
    except BaseException:
        file.unlink(missing_ok=True)
        raise


def _refuse_travel(file: Path, kept_from: Iterable[Path]) -> None:
    place = file.resolve()
    inside = next((one for one in kept_from if place.is_relative_to(one.resolve())), None)
    inside = inside or repository_of(place.parent)
    if inside is not None:
        raise UsageFault(
            f"{file}: lies in {inside}, with which originals would travel. Name a file elsewhere."
        )


def _write_new(file: Path, mode: int, data: bytes) -> None:
    with os.fdopen(_create(file, mode), "wb") as opened:
        opened.write(data)
    file.chmod(mode)


def _create(file: Path, mode: int) -> int:
    try:
        return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except FileExistsError:
        raise UsageFault(f"{file}: exists, and is never overwritten. Name another file.") from None
    except OSError as exc:
        raise UsageFault(
            f"{file}: cannot be made ({exc.strerror}). Name a file in a folder that is there."
        ) from None
