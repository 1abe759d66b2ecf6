"""Network sockets that were open before the seal: a sealed process must not hold one."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

from trainer.seal.fault import SealError

STANDARD = (0, 1, 2)


def close_network_sockets() -> int:
    """Put /dev/null in the place of every open socket that is not AF_UNIX; return their number.

    The number of the descriptor stays taken, so that an owner who goes on writing writes nowhere.
    Raises SealError for standard input, output or error: they are the user's, not a library's.
    """
    found = [number for number in _open_numbers() if _is_network(number)]
    for number in found:
        if number in STANDARD:
            raise SealError(
                f"descriptor {number} (input, output or error of this command) is a network "
                "socket, which the seal does not allow. Let it be a file, a pipe or a terminal."
            )
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, number, inheritable=False)
        os.close(nowhere)
    return len(found)


def _open_numbers() -> list[int]:
    listing = Path("/proc/self/fd") if Path("/proc/self/fd").is_dir() else Path("/dev/fd")
    return sorted(int(entry.name) for entry in listing.iterdir() if entry.name.isdecimal())


def _is_network(number: int) -> bool:
    try:
        if not stat.S_ISSOCK(os.fstat(number).st_mode):
            return False
        with socket.socket(fileno=os.dup(number)) as same:
            return same.family != socket.AF_UNIX
    except OSError:  # closed since it was listed: the listing itself held one
        return False
