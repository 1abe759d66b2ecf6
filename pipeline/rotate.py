"""`privatune key`: which epochs of the secret key there are, and a new one beside the old."""

from __future__ import annotations

import fcntl
import json
import os
import secrets
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pipeline.home import KEY_BYTES, Key, KeyRefused, find_key, written_aside

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Shown:
    """The public side of a key: where it lies, its epochs and their ids; never a secret."""

    source: str
    path: Path | None
    epochs: tuple[tuple[int, str], ...]  # number and key id, ascending
    added: bool = False

    def as_text(self) -> str:
        """For people."""
        last = self.epochs[-1][0]
        lines = [f"key       {self.path or 'a setting, no file'} ({self.source})"]
        lines += [
            f"epoch {epoch:<3} id {key_id}" + ("  newest, used by `prep`" if epoch == last else "")
            for epoch, key_id in self.epochs
        ]
        if self.added:
            lines += [
                f"added     epoch {last}. Earlier epochs stay for the sets that were made with them;",
                "          to add to such a set name its epoch in `privacy.key_epoch`.",
                "next      copy the file to where you keep passwords, and to machines that prepare.",
            ]
        return "\n".join(lines)

    def as_json(self) -> str:
        """For machines."""
        epochs = [{"epoch": epoch, "key_id": key_id} for epoch, key_id in self.epochs]
        path = str(self.path) if self.path else None
        body = {"version": 1, "source": self.source, "path": path, "epochs": epochs}
        return json.dumps(body, indent=1)


def show(environ: Mapping[str, str] | None = None) -> Shown:
    """What there is; makes nothing. Raises KeyMissing or KeyRefused."""
    return _shown(find_key(environ, interactive=False))


def rotate(environ: Mapping[str, str] | None = None) -> Shown:
    """Add a random key of a new epoch to the key's file; raises KeyMissing or KeyRefused.

    The file is replaced as a whole, so that a reader sees the old one or the new one.
    """
    key = find_key(environ, interactive=False)
    if key.path is None:
        raise KeyRefused(
            f"{key.source} is a setting, which no command can change. Make a key with `openssl rand "
            f"-hex 32` and put it behind the old one where you keep that setting: "
            f"`{key.epoch}:OLD,{key.epoch + 1}:NEW`."
        )
    key.refuse_inside([])
    target = key.path.resolve()  # a link to the file stays a link
    try:
        with _held(target.parent):
            _append(find_key(environ, interactive=False), target)  # as it is under the lock
    except OSError as exc:
        raise KeyRefused(
            f"{key.path}: cannot be replaced ({exc.strerror}). Run this where the file is kept, and "
            "bring the new one here."
        ) from None
    return _shown(find_key(environ, interactive=False), added=True)


def _append(key: Key, target: Path) -> None:
    ring = [(one.epoch, one.secret) for one in key.all()]
    ring.append((ring[-1][0] + 1, secrets.token_bytes(KEY_BYTES)))
    text = "".join(f"{epoch} {secret.hex()}\n" for epoch, secret in ring)
    owner = target.stat()
    with written_aside(target, text) as aside:
        if owner.st_uid != os.geteuid():  # by an administrator: its user must be able to read it
            os.chown(aside, owner.st_uid, owner.st_gid)
        aside.replace(target)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """One rotation at a time; the lock is on the folder, so it leaves no file behind."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
        os.fsync(handle)
    finally:
        os.close(handle)


def _shown(key: Key, *, added: bool = False) -> Shown:
    epochs = tuple((one.epoch, one.id) for one in key.all())
    return Shown(key.source, key.path, epochs, added)
