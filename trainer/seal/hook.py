"""The seal inside Python: an audit hook that stops connections, look-ups and programs.

Audit hooks (PEP 578) see what goes through Python's own modules and cannot be taken off. They do
not see sockets of Rust, C or Go code, nor what a started program does: that is the kernel's part.
"""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import re
import socket
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from trainer.seal.attempts import Attempts

# Programs that torch, triton and ctypes start to find libraries and to compile kernels.
COMPILERS = ("gcc", "cc", "g++", "c++", "clang", "clang++", "ld", "objdump", "ldconfig", "uname")
# The same under a target's or a version's name, as `CC` and distributions have them.
COMPILER = re.compile(
    r"(?:[a-z0-9_]+(?:-[a-z0-9_]+){1,3}-)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-\d{1,3}(?:\.\d{1,3}){0,2})?"
)
OF_NVIDIA = ("nvcc", "ptxas", "ptxas-blackwell", "cuobjdump", "nvdisasm", "nvidia-smi")
PROGRAMS = frozenset((*COMPILERS, *OF_NVIDIA))
NAMES = frozenset({"localhost", "ip6-localhost", ""})
WILDCARDS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104  compared with, not bound to
NOT_SAID = -1  # `socket.socket(fileno=...)`, whose descriptor has a family already


class Stopped(PermissionError):
    """An attempt that the seal stopped; an OSError, so that libraries treat it as no network."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What may pass: nothing but AF_UNIX, unless processes of this run must meet."""

    local: bool  # loopback
    peers: frozenset[str]  # names and addresses
    listening: bool  # bind to every interface, for peers or inside a namespace
    programs: frozenset[str]
    python: bool  # this interpreter, whose child is sealed by the kernel or seals itself


def install(rules: Rules, attempts: Attempts) -> None:
    """Hook every further event of this interpreter; it stays until the process ends."""

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        check = CHECKS.get(event)
        if check is not None and not check(rules, arguments):
            attempts.add(event)
            raise Stopped(errno.EACCES, f"this process is sealed against the network: {event}")

    sys.addaudithook(hook)


def holds() -> bool:
    """Whether Python's own way out is stopped before it reaches the kernel."""
    with contextlib.suppress(Stopped), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        way.setblocking(False)  # noqa: FBT003  its own signature
        way.connect(("192.0.2.1", 9))
        return False
    return True


def _may_make(rules: Rules, arguments: tuple[Any, ...]) -> bool:
    family = arguments[1]
    return family in (socket.AF_UNIX, NOT_SAID) or (
        rules.local and family in (socket.AF_INET, socket.AF_INET6)
    )


def _may_reach(rules: Rules, arguments: tuple[Any, ...]) -> bool:
    here, address = arguments[0], arguments[1]
    if address is None or here.family == socket.AF_UNIX:
        return True
    host = address[0] if isinstance(address, tuple) and address else None
    return rules.local and isinstance(host, str) and (is_loopback(host) or host in rules.peers)


def _may_bind(rules: Rules, arguments: tuple[Any, ...]) -> bool:
    address = arguments[1]
    host = address[0] if isinstance(address, tuple) and address else None
    return _may_reach(rules, arguments) or (rules.listening and host in WILDCARDS)


def _may_look_up(rules: Rules, arguments: tuple[Any, ...]) -> bool:
    host = arguments[0]
    if isinstance(host, tuple):  # getnameinfo has an address here
        host = host[0]
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    return host is None or is_loopback(host) or host in rules.peers


def _may_start(rules: Rules, arguments: tuple[Any, ...]) -> bool:
    try:
        program = os.fsdecode(arguments[0])
    except TypeError:
        return False
    name = PurePath(program).name
    if name in rules.programs or COMPILER.fullmatch(name):
        return True
    return rules.python and program == sys.executable


def _never(_rules: Rules, _arguments: tuple[Any, ...]) -> bool:
    return False


def is_loopback(host: str) -> bool:
    """Whether a name or address stays on this machine."""
    if host in NAMES:
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


# The events of Python's table of audit events that reach out. `os.system` runs a shell, which
# could start anything. multiprocessing's own children raise none.
CHECKS: Mapping[str, Callable[[Rules, tuple[Any, ...]], bool]] = {
    "socket.__new__": _may_make,
    "socket.connect": _may_reach,
    "socket.sendto": _may_reach,
    "socket.sendmsg": _may_reach,
    "socket.bind": _may_bind,
    "socket.getaddrinfo": _may_look_up,
    "socket.gethostbyname": _may_look_up,
    "socket.gethostbyaddr": _may_look_up,
    "socket.getnameinfo": _may_look_up,
    "subprocess.Popen": _may_start,
    "os.exec": _may_start,
    "os.posix_spawn": _may_start,
    "os.system": _never,
}
