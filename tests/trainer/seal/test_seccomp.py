"""The filter as a program: for every call of both machines, by a machine of our own that runs it."""

import errno
import socket

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.seal.seccomp import (
    ALLOW,
    ARCHITECTURE,
    ARGUMENTS,
    ERRNO,
    IF_AT_LEAST,
    IF_EQUAL,
    IO_URING,
    KILL,
    LOAD,
    LOCAL,
    MACHINES,
    NUMBER,
    PIDFD_GETFD,
    X32,
    Machine,
    program,
)  # fmt: skip

WORD = st.integers(0, 2**32 - 1)
MACHINE = st.sampled_from(list(MACHINES.values()))
CALL = st.one_of(WORD, st.integers(0, 500), st.sampled_from([41, 42, 44, 198, 203, 206, *IO_URING]))


def run(machine: Machine, mark: int, call: int, arguments: dict[int, int], *, local: bool) -> int:
    """What the kernel would make of a call (seccomp(2)); arguments are 64 bits by place."""
    data = {NUMBER: call, ARCHITECTURE: mark}
    for place in range(6):
        value = arguments.get(place, 0)
        data[ARGUMENTS + 8 * place] = value & 0xFFFFFFFF
        data[ARGUMENTS + 8 * place + 4] = value >> 32
    steps, at, held = program(machine, local=local), 0, 0
    while True:
        operation, yes, no, operand = steps[at]
        at += 1
        if operation == LOAD:
            held = data[operand]
        elif operation == IF_EQUAL:
            at += yes if held == operand else no
        elif operation == IF_AT_LEAST:
            at += yes if held >= operand else no
        else:
            return operand


@given(MACHINE, CALL, st.lists(st.integers(0, 2**64 - 1), min_size=6, max_size=6), st.booleans())
def test_a_call_is_refused_for_a_reason_that_can_be_named(
    machine: Machine, call: int, arguments: list[int], local: bool
) -> None:
    given_ = dict(enumerate(arguments))
    verdict = run(machine, machine.mark, call, given_, local=local)
    allowed_families = {int(f) for f in LOCAL} if local else {int(socket.AF_UNIX)}
    refused = (
        call in (*IO_URING, machine.setns)
        or (machine is MACHINES["x86_64"] and call >= X32)
        or (call == machine.socket and arguments[0] & 0xFFFFFFFF not in allowed_families)
        or (not local and call in (machine.connect, PIDFD_GETFD))
        or (not local and call == machine.sendto and arguments[4] != 0)
    )
    assert (verdict != ALLOW) == refused
    assert verdict == ALLOW or verdict >> 16 == ERRNO >> 16


@given(MACHINE, WORD, CALL)
def test_numbers_of_another_machine_end_the_process(machine: Machine, mark: int, call: int) -> None:
    if mark != machine.mark:
        assert run(machine, mark, call, {}, local=False) == KILL


@pytest.mark.parametrize("machine", MACHINES.values(), ids=str)
def test_what_training_needs_passes(machine: Machine) -> None:
    """Pairs of sockets, and send(2) on them, which carries no address."""
    unix = {0: int(socket.AF_UNIX)}
    assert run(machine, machine.mark, machine.socket, unix, local=False) == ALLOW
    assert run(machine, machine.mark, machine.sendto, {}, local=False) == ALLOW
    high = {4: 1 << 40}  # an address above 4 GiB is an address
    refused = run(machine, machine.mark, machine.sendto, high, local=False)
    assert refused == ERRNO | errno.EACCES
