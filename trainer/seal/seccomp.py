"""A filter in the kernel that refuses system calls: no socket but AF_UNIX, no io_uring.

The filter is a program for the kernel's BPF machine (seccomp(2), linux/filter.h). It holds for
every thread and every child and cannot be taken off. It sees numbers and not what pointers point
to, so it cannot tell one address from another: it refuses whole families and whole calls.
"""

from __future__ import annotations

import errno
import os
import socket
import struct
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from trainer.seal import libc

# Offsets in `struct seccomp_data` (linux/seccomp.h); both machines are little-endian.
NUMBER, ARCHITECTURE, ARGUMENTS = 0, 4, 16
LOAD, IF_EQUAL, IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06  # linux/bpf_common.h
ALLOW, ERRNO, KILL = 0x7FFF0000, 0x00050000, 0x80000000
X32 = 0x40000000  # numbers of the x32 ABI, a second door to every call on x86_64
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
SET_MODE_FILTER, ALL_THREADS, NO_SLOWDOWN = 1, 1, 4  # flags TSYNC and SPEC_ALLOW
IO_URING = (425, 426, 427)  # setup, enter, register; the same numbers on every machine
PIDFD_GETFD = 438
STRICT = (socket.AF_UNIX,)
# AF_NETLINK carries no traffic of its own; gloo and NCCL list the interfaces through it.
LOCAL = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16)

Step = tuple[int, int, int, int]  # operation, jump if true, jump if false, operand


@dataclass(frozen=True, slots=True)
class Machine:
    """Numbers of one machine's system calls (asm/unistd.h) and its mark (linux/audit.h)."""

    mark: int
    socket: int
    connect: int
    sendto: int
    setns: int
    seccomp: int


MACHINES = {
    "x86_64": Machine(0xC000003E, socket=41, connect=42, sendto=44, setns=308, seccomp=317),
    "aarch64": Machine(0xC00000B7, socket=198, connect=203, sendto=206, setns=268, seccomp=277),
}


def program(machine: Machine, *, local: bool) -> list[Step]:
    """The filter's steps. `local`: processes of one machine may talk over loopback."""
    steps = _same_machine(machine)
    for number in IO_URING:  # its sockets pass by socket(2); callers fall back on ENOSYS
        steps += _refuse(number, errno.ENOSYS)
    steps += _refuse(machine.setns, errno.EPERM)  # root could go back to the namespace outside
    if not local:
        # A socket of another process; CUDA shares memory this way between ranks.
        steps += _refuse(PIDFD_GETFD, errno.EPERM)
        # Name services and proxies listen on AF_UNIX; socketpairs need no connect.
        steps += _refuse(machine.connect, errno.EACCES)
        steps += _only_without_address(machine.sendto)
    steps += _only_families(machine.socket, LOCAL if local else STRICT)
    return [*steps, (RETURN, 0, 0, ALLOW)]


def install(*, local: bool) -> str | None:
    """Put the filter on all threads; None when done, else why not."""
    machine = MACHINES.get(os.uname().machine)
    if sys.platform != "linux" or machine is None or sys.byteorder != "little":
        return f"no filter is written for {sys.platform} on {os.uname().machine}"
    steps = program(machine, local=local)
    code = libc.block(b"".join(struct.pack("=HBBI", *step) for step in steps))
    pointer = libc.block(struct.pack("@HP", len(steps), libc.address_of(code)))
    refused = libc.call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if refused:
        return f"no_new_privs: {libc.words(refused)}"
    flags = ALL_THREADS | NO_SLOWDOWN
    done = libc.system_call(machine.seccomp, SET_MODE_FILTER, flags, pointer)
    if done > 0:
        return "another thread has a filter of its own"
    return f"seccomp: {libc.words(done)}" if done else None


def _same_machine(machine: Machine) -> list[Step]:
    """Kill what calls by another machine's numbers; leave the call's number loaded."""
    steps: list[Step] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (IF_EQUAL, 1, 0, machine.mark),
        (RETURN, 0, 0, KILL),
        (LOAD, 0, 0, NUMBER),
    ]
    if machine is MACHINES["x86_64"]:
        steps += [(IF_AT_LEAST, 0, 1, X32), (RETURN, 0, 0, ERRNO | errno.ENOSYS)]
    return steps


def _refuse(number: int, reason: int) -> list[Step]:
    return [(IF_EQUAL, 0, 1, number), (RETURN, 0, 0, ERRNO | reason)]


def _only_families(number: int, families: Sequence[int]) -> list[Step]:
    """Allow the call where its first argument is one of the families."""
    count = len(families)
    tests: list[Step] = [
        (IF_EQUAL, count - place, 0, family) for place, family in enumerate(families)
    ]
    return [
        (IF_EQUAL, 0, count + 3, number),
        (LOAD, 0, 0, ARGUMENTS),
        *tests,
        (RETURN, 0, 0, ERRNO | errno.EACCES),
        (RETURN, 0, 0, ALLOW),
    ]


def _only_without_address(number: int) -> list[Step]:
    """Allow sendto(2) where its fifth argument is null: send(2) on what is connected."""
    place = ARGUMENTS + 4 * 8
    return [
        (IF_EQUAL, 0, 6, number),
        (LOAD, 0, 0, place),
        (IF_EQUAL, 0, 2, 0),
        (LOAD, 0, 0, place + 4),
        (IF_EQUAL, 1, 0, 0),
        (RETURN, 0, 0, ERRNO | errno.EACCES),
        (RETURN, 0, 0, ALLOW),
    ]
