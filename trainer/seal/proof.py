"""Tries to get out below Python. A level of the seal is claimed only when every try fails.

Addresses are tried inside a namespace alone. They are documentation ranges (RFC 5737, RFC 3849),
but packets to them would leave a machine that is not sealed.
"""

from __future__ import annotations

import errno
import socket
import struct
from dataclasses import dataclass

from trainer.seal import libc
from trainer.seal.seccomp import IO_URING

DISCARD = 9  # the port of RFC 863
VSOCK = 40  # machine to host; network namespaces do not hold it
WITHOUT_WAITING = socket.SOCK_NONBLOCK | socket.SOCK_CLOEXEC
NOWHERE_TO_GO = {errno.ENETUNREACH, errno.EHOSTUNREACH, errno.EADDRNOTAVAIL}
NO_SUCH_FAMILY = {errno.EAFNOSUPPORT}
BY_FILTER = {errno.EACCES}


@dataclass(frozen=True, slots=True)
class Try:
    """One way out: a name, what socket(2) is asked for, and the address."""

    name: str
    family: int
    kind: int
    address: bytes


def _ipv4(host: str) -> bytes:
    place = socket.inet_pton(socket.AF_INET, host)
    return struct.pack("=H", socket.AF_INET) + struct.pack(">H4s8x", DISCARD, place)


def _ipv6(host: str) -> bytes:
    place = socket.inet_pton(socket.AF_INET6, host)
    return struct.pack("=H", socket.AF_INET6) + struct.pack(">HI16sI", DISCARD, 0, place, 0)


TRIES = (
    Try("tcp", socket.AF_INET, socket.SOCK_STREAM, _ipv4("192.0.2.1")),
    Try("udp", socket.AF_INET, socket.SOCK_DGRAM, _ipv4("192.0.2.1")),
    Try("tcp6", socket.AF_INET6, socket.SOCK_STREAM, _ipv6("2001:db8::1")),
    Try("udp6", socket.AF_INET6, socket.SOCK_DGRAM, _ipv6("2001:db8::1")),
)


def namespace_holds() -> tuple[bool, dict[str, str]]:
    """Whether each try finds no route; and what each gave."""
    return _judged({t.name: _outcome(t) for t in TRIES}, NOWHERE_TO_GO | NO_SUCH_FAMILY | BY_FILTER)


def filter_holds(*, local: bool) -> tuple[bool, dict[str, str]]:
    """Whether the filter refuses sockets (not where `local` needs them), vsock and io_uring."""
    # No more than opened: without the filter an address would be reached.
    codes = {} if local else {t.name: _opened(t.family, t.kind) for t in TRIES}
    codes |= {"vsock": _opened(VSOCK, socket.SOCK_STREAM), "io_uring": _io_uring()}
    return _judged(codes, BY_FILTER | {errno.ENOSYS})


def _judged(codes: dict[str, int], closed: set[int]) -> tuple[bool, dict[str, str]]:
    told = {name: libc.name(code) if code < 0 else "open" for name, code in codes.items()}
    return all(-code in closed for code in codes.values()), told


def _outcome(way: Try) -> int:
    """Minus errno of the call that failed; 0 when none did."""
    made = libc.call("socket", way.family, way.kind | WITHOUT_WAITING, 0)
    if made < 0:
        return made
    try:
        to = libc.block(way.address)
        if way.kind == socket.SOCK_STREAM:
            return libc.call("connect", made, to, len(way.address))
        return min(0, libc.call("sendto", made, b"\0", 1, 0, to, len(way.address)))
    finally:
        libc.call("close", made)


def _opened(family: int, kind: int) -> int:
    made = libc.call("socket", family, kind | WITHOUT_WAITING, 0)
    if made >= 0:
        libc.call("close", made)
    return min(made, 0)


def _io_uring() -> int:
    """io_uring_setup without its structure: EFAULT would mean that the kernel was ready."""
    return libc.system_call(IO_URING[0], 1, None)
