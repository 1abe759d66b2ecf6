"""Several processes, one for each GPU (or CPU share): data-parallel training on one or more machines."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence

RANK, COUNT = "RANK", "WORLD_SIZE"


class RankFailed(Exception):
    """A process of a distributed run ended badly; its own message stands above."""


def process_count() -> int:
    """How many processes train together; 1 outside a distributed run."""
    return int(os.environ.get(COUNT, "1"))


def is_first() -> bool:
    """Whether this process writes the run folder."""
    return int(os.environ.get(RANK, "0")) == 0


def is_rank() -> bool:
    """Whether this process was started as one of several."""
    return RANK in os.environ and COUNT in os.environ


def peers() -> tuple[str, ...]:
    """Hosts that a distributed run must reach: this machine alone, or its master and named ones."""
    if not is_rank():
        return ()
    named = os.environ.get("PRIVATUNE_PEERS", "").split(",")
    master = os.environ.get("MASTER_ADDR", "localhost")
    return tuple(dict.fromkeys([master, *(name.strip() for name in named if name.strip())]))


def launch(arguments: Sequence[str], count: int) -> None:
    """Run `count` processes of this command on this machine and wait for all.

    Raises RankFailed when one fails; the others are ended then.
    """
    port = _free_port()
    running = [
        subprocess.Popen(
            [sys.executable, "-P", "-m", "pipeline", *arguments], env=_environment(i, count, port)
        )
        for i in range(count)
    ]
    try:
        _wait(running)
    finally:
        for process in running:
            if process.poll() is None:
                process.terminate()
                process.wait()


def _wait(running: list[subprocess.Popen[bytes]]) -> None:
    waiting = list(running)
    while waiting:
        for process in list(waiting):
            try:
                code = process.wait(timeout=0.2)
            except subprocess.TimeoutExpired:
                continue
            waiting.remove(process)
            if code:
                raise RankFailed(f"Process {running.index(process)} of {len(running)} ended with "
                                 f"exit code {code}; the others were ended.")  # fmt: skip


def _environment(rank: int, count: int, port: int) -> dict[str, str]:
    return {
        **os.environ, RANK: str(rank), "LOCAL_RANK": str(rank), COUNT: str(count),
        "LOCAL_WORLD_SIZE": str(count), "MASTER_ADDR": "127.0.0.1", "MASTER_PORT": str(port),
        "OMP_NUM_THREADS": os.environ.get("OMP_NUM_THREADS", str(_threads(count))),
    }  # fmt: skip


def _threads(count: int) -> int:
    return max(1, (os.cpu_count() or 1) // count)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
