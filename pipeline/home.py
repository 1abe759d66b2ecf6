"""The secret key of one home: found, or made once by a person; never shown, never overwritten.

Everything that hides a value hangs on this key, so a weak key, a readable key file and a key
beside the data are refused rather than warned about.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import secrets
import stat
import sys
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

KEY_BYTES = 32
_VALUE = "PRIVATUNE_KEY"
_FILE = "PRIVATUNE_KEY_FILE"
_MAX_FILE = 4096
_HOW = (
    f"Set {_VALUE} to 64 hexadecimal digits (`openssl rand -hex 32` makes them) or {_FILE} to a "
    "file with mode 0600 that holds them"
)


class KeyMissing(Exception):  # the name says what is wrong
    """There is no key and nobody at a terminal to make one for."""

    exit_code = 2


class KeyRefused(Exception):  # the name says what is wrong
    """There is a key, but it must not be used. The message never holds it."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Key:
    """32 secret bytes, and where they come from; neither `repr` nor `str` shows the bytes."""

    secret: bytes = field(repr=False)
    source: str  # PRIVATUNE_KEY, PRIVATUNE_KEY_FILE or home
    path: Path | None = None
    made: bool = False  # just now

    @property
    def id(self) -> str:
        """The public name of the key, which manifests carry."""
        from scrubbers.keys import key_id  # noqa: PLC0415  # cryptography loads when it is needed

        return key_id(self.secret)

    def refuse_inside(self, paths: Iterable[Path]) -> None:
        """Raise KeyRefused when the key's file lies in one of the folders, or in a repository.

        `paths` are data files, data folders and outputs; beside a data file is as bad as in a
        folder.
        """
        if self.path is None:
            return
        place = self.path.resolve()
        for path in paths:
            folder = path.resolve()
            beside = folder.is_file() and place.parent == folder.parent
            if beside or place.is_relative_to(folder):
                raise KeyRefused(
                    f"{self.path}: the key lies with the data or the output ({path}), so it would "
                    f"travel with them. Move it to a folder of its own and set {_FILE}."
                )
        for folder in place.parents:
            if (folder / ".git").exists():
                raise KeyRefused(
                    f"{self.path}: the key lies in a git repository ({folder}), where a commit "
                    f"can take it along. Move it out of the repository and set {_FILE}."
                )


def find_key(environ: Mapping[str, str] | None = None, *, interactive: bool | None = None) -> Key:
    """Return the key from the environment, a named file, or the home, where a person makes one.

    `interactive` (default: standard input is a terminal) allows making it. Raises KeyMissing or
    KeyRefused.
    """
    environ = os.environ if environ is None else environ
    if _VALUE in environ and _FILE in environ:
        raise KeyRefused(f"{_VALUE} and {_FILE} are both set; unset one of them.")
    if _VALUE in environ:
        return Key(_decode(environ[_VALUE], _VALUE), _VALUE)
    if _FILE in environ:
        # An empty setting is a secret that a job was not given: stop, do not fall back.
        path = Path(environ[_FILE]) if environ[_FILE] else None
        if path is None:
            raise KeyRefused(f"{_FILE} is set but empty. {_HOW}.")
        return Key(_read(path, _FILE), _FILE, path)
    return _home_key(environ, interactive=_at_terminal() if interactive is None else interactive)


def home_key_path(environ: Mapping[str, str]) -> Path:
    """Return where the home's key is or would be. Raises KeyMissing where there is no home."""
    base = Path(environ.get("XDG_CONFIG_HOME", ""))
    if not base.is_absolute():  # as the XDG specification says: ignore what is not absolute
        home = Path(environ.get("HOME", ""))
        if not home.is_absolute():
            raise KeyMissing(f"There is no secret key and no home folder to keep one in. {_HOW}.")
        base = home / ".config"
    return base / "privatune" / "key"


def _at_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _home_key(environ: Mapping[str, str], *, interactive: bool) -> Key:
    path = home_key_path(environ)
    if os.path.lexists(path):
        return Key(_read(path, "the home's key"), "home", path)
    if not interactive:
        raise KeyMissing(
            "There is no secret key, and a batch job must not make one: two machines would make "
            f"two. {_HOW}, or run `privatune prep` once at a terminal, which makes {path}."
        )
    made = _make(path)
    return Key(_read(path, "the home's key"), "home", path, made)


def _make(path: Path) -> bool:
    """Write a fresh key; True if it was this process that made it.

    The file appears whole or not at all: written aside, then linked, which never overwrites.
    """
    aside = path.with_name(f".key-{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(handle, "w", encoding="ascii") as file:
                file.write(secrets.token_hex(KEY_BYTES) + "\n")
                file.flush()
                os.fsync(file.fileno())
            aside.chmod(0o600)  # whatever the umask took away or a default ACL gave
            os.link(aside, path)
        finally:
            aside.unlink(missing_ok=True)
    except FileExistsError:
        return False  # another process was first: its key is the home's key
    except OSError as exc:
        raise KeyMissing(f"{path}: a key cannot be kept here ({exc.strerror}). {_HOW}.") from None
    return True


def _read(path: Path, name: str) -> bytes:
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe must not hang us
    except OSError as exc:
        raise KeyRefused(f"{path}: {name} cannot be read ({exc.strerror}). {_HOW}.") from None
    try:
        status = os.fstat(handle)  # of what was opened, not of what the name means by now
        if not stat.S_ISREG(status.st_mode):
            raise KeyRefused(f"{path}: {name} is not a regular file. {_HOW}.")
        if status.st_mode & 0o077:
            raise KeyRefused(
                f"{path}: others than its owner may use {name} (mode "
                f"{stat.S_IMODE(status.st_mode):04o}). Run `chmod 600 {path}`; if others could "
                "read it, take a new key."
            )
        data = os.read(handle, _MAX_FILE)
    finally:
        os.close(handle)
    try:
        return _decode(data.decode("ascii"), str(path))
    except UnicodeDecodeError:
        raise KeyRefused(f"{path}: is not text. {_HOW}.") from None


def _decode(text: str, name: str) -> bytes:
    """Read 64 hexadecimal digits, or base64 (also its URL form) of 32 bytes."""
    text = text.strip()
    key = b""
    if re.fullmatch(r"[0-9a-fA-F]{64}", text):
        key = bytes.fromhex(text)
    elif re.fullmatch(r"[A-Za-z0-9+/_-]{43}=?", text):
        try:
            key = base64.b64decode(text[:43].translate(_URL_SAFE) + "=", validate=True)
        except binascii.Error:
            key = b""
    if len(key) != KEY_BYTES:
        state = "is not a key" if text else "is empty"
        raise KeyRefused(f"{name} {state}: it needs 32 random bytes. {_HOW}.")
    if _is_weak(key):
        raise KeyRefused(f"{name} is not random: a pattern or readable text. {_HOW}.")
    return key


_URL_SAFE = str.maketrans("-_", "+/")


def _is_weak(key: bytes) -> bool:
    """Tell patterns and typed text; a random key is taken for one less than once in 10^13."""
    steps = {(b - a) % 256 for a, b in pairwise(key)}
    return len(set(key)) < 16 or len(steps) < 8 or all(32 <= one < 127 for one in key)
