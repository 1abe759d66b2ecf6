"""The secret key of one home: found, or made once by a person; never shown, never overwritten.

Everything that hides a value hangs on this key, so a weak key, a readable key file and a key
beside the data are refused rather than warned about. A key has epochs: `rotate` adds one, and
older data sets keep theirs.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
import secrets
import stat
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

KEY_BYTES = 32
_VALUE = "PRIVATUNE_KEY"
_FILE = "PRIVATUNE_KEY_FILE"
_MAX_FILE = 1 << 16
_ENTRY = re.compile(r"([0-9]{1,6})[ \t:]\s*(\S+)")
_HOW = (
    f"Set {_VALUE} to 64 hexadecimal digits (`openssl rand -hex 32` makes them) or {_FILE} to a "
    "file with mode 0600 that holds them"
)


_SEVERAL = f"a line `EPOCH KEY` for each in a file, `1:KEY,2:KEY` in {_VALUE}"
Ring = tuple[tuple[int, bytes], ...]


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
    epoch: int = 1
    ring: tuple[tuple[int, bytes], ...] = field(default=(), repr=False)  # all epochs, ascending

    @property
    def id(self) -> str:
        """The public name of the key, which manifests carry."""
        from scrubbers.keys import key_id  # noqa: PLC0415  # cryptography loads when it is needed

        return key_id(self.secret)

    def all(self) -> tuple[Key, ...]:
        """The key of each epoch, the oldest first."""
        ring = self.ring or ((self.epoch, self.secret),)
        return tuple(replace(self, epoch=epoch, secret=secret) for epoch, secret in ring)

    def at(self, epoch: int | None) -> Key:
        """The key of one epoch; None is the newest. Raises KeyRefused where there is none."""
        if epoch is None:
            return self.all()[-1]
        for key in self.all():
            if key.epoch == epoch:
                return key
        known = ", ".join(str(key.epoch) for key in self.all())
        raise KeyRefused(
            f"there is no key of epoch {epoch}, which `privacy.key_epoch` names; {self.where} has "
            f"{known}. Bring the key that the data set was made with, or take that setting out."
        )

    def named(self, key_id: str) -> Key | None:
        """The epoch whose public name a manifest carries, if it is here."""
        return next((key for key in self.all() if key.id == key_id), None)

    @property
    def where(self) -> str:
        """The file, or the name of the setting."""
        return str(self.path) if self.path else self.source

    def refuse_inside(self, paths: Iterable[Path]) -> None:
        """Raise KeyRefused when the key's file lies in one of the folders, or in a repository."""
        if self.path is not None:
            refuse_inside(self.path, paths, f"set {_FILE}", deep=self.source != "home")


def refuse_inside(file: Path, paths: Iterable[Path], then: str, *, deep: bool = True) -> None:
    """Raise KeyRefused when a key's file lies in one of the folders, or in a git repository.

    `paths` are data files, data folders and outputs; beside a data file is as bad as in a folder,
    and so is anywhere below its folder, unless not `deep` (data in the home itself, beside whose
    settings the home's key lies). `then` ends the sentence about the next step.
    """
    place = file.resolve()
    for path in paths:
        folder = path.resolve()
        around = folder.parent if folder.is_file() else folder
        below = deep and around != around.parent and place.is_relative_to(around)
        if below or place.parent == around or place.is_relative_to(folder):
            raise KeyRefused(
                f"{file}: the key lies with the data or the output ({path}), so it would "
                f"travel with them. Move it to a folder of its own and {then}."
            )
    root = repository_of(place.parent)
    if root is not None:
        raise KeyRefused(
            f"{file}: the key lies in a git repository ({root}), where a commit "
            f"can take it along. Move it out of the repository and {then}."
        )


def repository_of(folder: Path) -> Path | None:
    """The root of the git repository that a resolved folder lies in."""
    return next((one for one in (folder, *folder.parents) if (one / ".git").exists()), None)


def find_key(environ: Mapping[str, str] | None = None, *, interactive: bool | None = None) -> Key:
    """Return the key from the environment, a named file, or the home, where a person makes one.

    `interactive` (default: standard input is a terminal) allows making it. Raises KeyMissing or
    KeyRefused.
    """
    environ = os.environ if environ is None else environ
    if _VALUE in environ and _FILE in environ:
        raise KeyRefused(f"{_VALUE} and {_FILE} are both set; unset one of them.")
    if _VALUE in environ:
        return _newest(_ring(environ[_VALUE], _VALUE), _VALUE)
    if _FILE in environ:
        # An empty setting is a secret that a job was not given: stop, do not fall back.
        path = Path(environ[_FILE]) if environ[_FILE] else None
        if path is None:
            raise KeyRefused(f"{_FILE} is set but empty. {_HOW}.")
        return _newest(_read(path, _FILE), _FILE, path)
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
        return _newest(_read(path, "the home's key"), "home", path)
    if not interactive:
        raise KeyMissing(
            "There is no secret key, and a batch job must not make one: two machines would make "
            f"two. {_HOW}, or run `privatune prep` once at a terminal, which makes {path}."
        )
    made = _make(path)
    return replace(_newest(_read(path, "the home's key"), "home", path), made=made)


def _newest(ring: Ring, source: str, path: Path | None = None) -> Key:
    epoch, secret = ring[-1]
    return Key(secret, source, path, epoch=epoch, ring=ring)


def _make(path: Path) -> bool:
    """Write a fresh key; True if it was this process that made it.

    The file appears whole or not at all: written aside, then linked, which never overwrites.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with written_aside(path, secrets.token_hex(KEY_BYTES) + "\n") as aside:
            os.link(aside, path)
    except FileExistsError:
        return False  # another process was first: its key is the home's key
    except OSError as exc:
        raise KeyMissing(f"{path}: a key cannot be kept here ({exc.strerror}). {_HOW}.") from None
    return True


@contextmanager
def written_aside(path: Path, text: str) -> Iterator[Path]:
    """A file of mode 0600 beside `path` that holds `text`, for a link or a rename; then gone."""
    aside = path.with_name(f".key-{secrets.token_hex(8)}")
    handle = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="ascii") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        aside.chmod(0o600)  # whatever the umask took away or a default ACL gave
        yield aside
    finally:
        aside.unlink(missing_ok=True)


def read_secret(path: Path, name: str, how: str) -> str:
    """The text of a key's file that its owner alone can use; raises KeyRefused.

    `name` is what the file is called in messages, `how` their last sentence.
    """
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)  # a pipe must not hang us
    except OSError as exc:
        raise KeyRefused(f"{path}: {name} cannot be read ({exc.strerror}). {how}.") from None
    try:
        status = os.fstat(handle)  # of what was opened, not of what the name means by now
        if not stat.S_ISREG(status.st_mode):
            raise KeyRefused(f"{path}: {name} is not a regular file. {how}.")
        if status.st_mode & 0o077:
            raise KeyRefused(
                f"{path}: others than its owner may use {name} (mode "
                f"{stat.S_IMODE(status.st_mode):04o}). Run `chmod 600 {path}`; if others could "
                "read it, take a new key."
            )
        data = os.read(handle, _MAX_FILE + 1)
    finally:
        os.close(handle)
    if len(data) > _MAX_FILE:
        raise KeyRefused(f"{path}: is too large for a key's file. {how}.")
    try:
        return data.decode("ascii")
    except UnicodeDecodeError:
        raise KeyRefused(f"{path}: is not text. {how}.") from None


def _read(path: Path, name: str) -> Ring:
    return _ring(read_secret(path, name, _HOW), str(path))


def _ring(text: str, name: str) -> Ring:
    """One key, which is epoch 1, or `EPOCH KEY` on each line (`EPOCH:KEY`, commas)."""
    entries = [one.strip() for one in re.split(r"[,\r\n]", text) if one.strip()]
    if len(entries) < 2 and not _ENTRY.fullmatch(text.strip()):
        return ((1, _decode(text, name)),)
    ring: dict[int, bytes] = {}
    for number, entry in enumerate(entries, start=1):
        where = f"{name}, key {number} of {len(entries)},"
        match = _ENTRY.fullmatch(entry)
        if match is None or int(match[1]) in {0, *ring}:
            wrong = "has the epoch of another, or 0" if match else "has no epoch"
            raise KeyRefused(
                f"{where} {wrong}. Several keys are told apart by numbers: {_SEVERAL}."
            )
        secret = _decode(match[2], where)
        if secret in ring.values():
            raise KeyRefused(
                f"{where} is another one again. `privatune key rotate` adds a new one."
            )
        ring[int(match[1])] = secret
    return tuple(sorted(ring.items()))


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
