"""A network namespace of its own: loopback and nothing else, for this process and its children."""

from __future__ import annotations

import fcntl
import os
import socket
import struct
import sys
from pathlib import Path

from trainer.seal import libc

NEW_USER, NEW_NET = 0x10000000, 0x40000000  # linux/sched.h
GET_FLAGS, SET_FLAGS, UP = 0x8913, 0x8914, 0x1  # linux/sockios.h, linux/if.h
# What the sealed parent leaves for its ranks: the namespace they are in. It is no proof.
MARK = "PRIVATUNE_SEALED_NAMESPACE"


def enter() -> str | None:
    """Go into a namespace of its own; None when inside one that we made, else why not.

    It is tried in a child first, so that this process is never left half way.
    """
    if sys.platform != "linux":
        return f"{sys.platform} has no network namespaces"
    if inherited():
        return None
    threads = len(list(Path("/proc/self/task").iterdir()))
    if threads != 1:
        return f"{threads} threads run; a namespace holds only for those that enter it"
    why = _rehearsed() or _enter()
    if why is None:
        os.environ[MARK] = _identity()
    return why


def inherited() -> bool:
    """Whether this process is in the namespace that a sealed parent made."""
    return os.environ.get(MARK) == _identity()


def _identity() -> str:
    try:
        return str(Path("/proc/self/ns/net").readlink())
    except OSError:
        return "unknown"


def _rehearsed() -> str | None:
    """Whether a child can do it: None, or the words that the child sent back."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        failed = 1
        try:
            os.write(writing, (_enter() or "").encode())
            failed = 0
        finally:
            os._exit(failed)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        why = answer.read().decode()
    _, status = os.waitpid(child, 0)
    return why or (None if status == 0 else "a child that tried it failed")


def _enter() -> str | None:
    user, group = os.geteuid(), os.getegid()
    alone = libc.call("unshare", NEW_NET)
    if alone:  # without privileges it takes a user namespace, in which we stay who we are
        refused = libc.call("unshare", NEW_USER | NEW_NET)
        if refused:
            return f"unshare: {libc.words(alone)}; as a user: {libc.words(refused)}"
        try:
            _stay(user, group)
        except OSError as error:
            return f"user mapping: {libc.words(error.errno or 0)}"
    try:
        _loopback_up()
    except OSError as error:
        return f"loopback: {libc.words(error.errno or 0)}"
    return None


def _stay(user: int, group: int) -> None:
    """Map user and group to themselves, so that files are written as before (user_namespaces(7))."""
    home = Path("/proc/self")
    (home / "uid_map").write_text(f"{user} {user} 1")
    (home / "setgroups").write_text("deny")
    (home / "gid_map").write_text(f"{group} {group} 1")


def _loopback_up() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH22x", b"lo", 0)
        (flags,) = struct.unpack_from("16xH", fcntl.ioctl(any_socket, GET_FLAGS, request))
        fcntl.ioctl(any_socket, SET_FLAGS, struct.pack("16sH22x", b"lo", flags | UP))
