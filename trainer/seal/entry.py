"""Entering the seal: the strongest level that this machine allows, proved by trying to get out."""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from trainer.seal import environment, hook, inherited, libc, namespace, proof, seccomp
from trainer.seal.attempts import Attempts
from trainer.seal.fault import SealError
from trainer.seal.guards import open_switches, resolved

Level = Literal["namespace", "seccomp", "python"]
Require = Literal["python", "kernel"]
Tried = tuple[str | None, dict[str, str]]  # why a level was not reached, and what the proof gave


@dataclass(frozen=True, slots=True)
class Seal:
    """A seal that holds until the process ends."""

    level: Level
    required: Require
    peers: tuple[str, ...]
    caches: Path
    attempts: Attempts
    unset: tuple[str, ...]
    closed: int
    not_reached: dict[str, str] = field(default_factory=dict)
    proof: dict[str, dict[str, str]] = field(default_factory=dict)

    def evidence(self) -> dict[str, object]:
        """What the run folder keeps: level, proof, switches as resolved now, stopped attempts."""
        return {
            "version": 1,
            "level": self.level,
            "required": self.required,
            "not_reached": self.not_reached,
            "proof": self.proof,
            "peers": list(self.peers),
            "closed_sockets": self.closed,
            "unset": list(self.unset),
            "switches": resolved(),
            "attempts": self.attempts.counted(),
        }

    def confirm(self) -> None:
        """Look again once the libraries are loaded.

        Raises SealError when one reads a switch otherwise than it was set.
        """
        wrong = open_switches()
        if wrong:
            raise SealError(
                f"{', '.join(wrong)}: set by the seal, but a library resolved another value. "
                "Its version may read it differently; install one that docs/seal.md names."
            )

    def wipe(self) -> None:
        """Remove the caches of the run, in which libraries leave rows."""
        shutil.rmtree(self.caches, ignore_errors=True)


def enter(
    *,
    require: Require = "python",
    peers: Sequence[str] = (),
    want: Level | None = None,
    caches: Path | None = None,
    programs: Sequence[str] = (),
) -> Seal:
    """Seal this process and its children against the network; the first act of a sealed verb.

    `peers`: hosts of a distributed run. Only loopback (`["localhost"]`): the ranks are this
    process's children and meet over loopback. Others: only these are reached, and only Python
    checks it. `want` forces a level. `caches`: a folder to make the run's caches in. `programs`:
    names of programs that may be started beside those of `hook.PROGRAMS`.
    Raises SealError when less than `require` or `want` is reached.
    """
    home = Path(tempfile.mkdtemp(prefix="cache-", dir=caches)).resolve()
    atexit.register(_wipe_in, os.getpid(), home)
    unset = environment.prepare(home)
    closed = inherited.close_network_sockets()
    addresses = _addresses(peers)
    far = any(not hook.is_loopback(peer) for peer in peers)
    level, missed, proved = _deepest(want, local=bool(peers), far=far)
    _refuse_less(level, require, want, missed)
    attempts = Attempts(home)
    rules = hook.Rules(
        local=bool(peers),
        peers=addresses,
        listening=far or level == "namespace",
        programs=hook.PROGRAMS | frozenset(programs),
        python=level != "python" or bool(peers),  # ranks enter for themselves
    )
    _seal_python(rules, attempts)
    return Seal(level, require, tuple(peers), home, attempts, tuple(unset), closed, missed, proved)


def _deepest(
    want: Level | None, *, local: bool, far: bool
) -> tuple[Level, dict[str, str], dict[str, dict[str, str]]]:
    """The first level that can be entered and proved, and why the ones before could not."""
    missed: dict[str, str] = {}
    proved: dict[str, dict[str, str]] = {}
    ways: tuple[tuple[Level, Callable[[], Tried]], ...] = (
        ("namespace", lambda: _in_namespace(local=local, far=far)),
        ("seccomp", lambda: _behind_filter(local=local, far=far)),
    )
    for level, way in ways:
        if want not in (None, level):
            missed[level] = f"`{want}` was asked for"
            continue
        why, proved[level] = way()
        if why is None:
            return level, missed, proved
        missed[level] = why
    return "python", missed, proved


def _in_namespace(*, local: bool, far: bool) -> Tried:
    if far:
        return "peers on other machines must be reached", {}
    why = namespace.enter()
    if why is not None:
        return why, {}
    holds, told = proof.namespace_holds()
    if not holds:
        return "the proof found a way out", told
    if local:
        os.environ.update(environment.LOOPBACK)
    why = seccomp.install(local=local)
    holds, more = proof.filter_holds(local=local)
    told |= {f"filter: {name}": outcome for name, outcome in more.items()}
    return why or (None if holds else "the proof found a way past the filter"), told


def _behind_filter(*, local: bool, far: bool) -> Tried:
    if local:
        where = "peers on other machines" if far else "peers over loopback"
        return f"a filter cannot tell {where} from other addresses", {}
    why = seccomp.install(local=False)
    if why is not None:
        return why, {}
    holds, told = proof.filter_holds(local=False)
    return None if holds else "the proof found a way past the filter", told


def _seal_python(rules: hook.Rules, attempts: Attempts) -> None:
    if not rules.local:
        # Name look-ups in C code, which could reach a resolver over AF_UNIX (glibc's nss.h).
        os.environ.update(environment.NO_RESOLVER)
        libc.call("__nss_configure_lookup", b"hosts", b"files")
    hook.install(rules, attempts)
    if not hook.holds():
        raise SealError(
            "the audit hook did not stop a connection of Python's own. Use CPython 3.11 to 3.13."
        )
    attempts.clear()


def _addresses(peers: Sequence[str]) -> frozenset[str]:
    """Names and addresses of the peers, looked up while that is still possible."""
    known: set[str] = set()
    for peer in peers:
        try:
            found = socket.getaddrinfo(peer, None)
        except OSError:
            raise SealError(
                f"peer {peer}: no address found for it. Name hosts of this run by an address, or "
                "by a name that this machine can look up."
            ) from None
        known |= {peer, *(str(entry[4][0]) for entry in found)}
    return frozenset(known)


def _refuse_less(
    level: Level, require: Require, want: Level | None, missed: dict[str, str]
) -> None:
    short = (require == "kernel" and level == "python") or want not in (None, level)
    if short:
        reasons = "; ".join(f"{name}: {why}" for name, why in missed.items())
        raise SealError(
            f"a seal by `{want or require}` was asked for, `{level}` was reached ({reasons}). "
            "Allow network namespaces or seccomp filters where this runs, start it as its first "
            "act, or ask for less: `train.require_seal: python` or `--require-seal python`."
        )


def _wipe_in(process: int, folder: Path) -> None:
    """At the end of the process that made it, not of its forked children."""
    if os.getpid() == process:
        shutil.rmtree(folder, ignore_errors=True)
