"""Several processes, one for each GPU (or CPU share): data-parallel training on one or more machines."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from typing import Any

RANK, COUNT = "RANK", "WORLD_SIZE"
PATIENCE = 10.0  # seconds between asking a process to end and ending it


class RankFailed(Exception):
    """A process of a distributed run ended badly; its own message stands above.

    `exit_code` is the process's own, 3 for one that a signal ended.
    """

    def __init__(self, message: str, exit_code: int) -> None:
        super().__init__(message)
        self.exit_code = exit_code if exit_code > 0 else 3


def process_count() -> int:
    """How many processes train together; 1 outside a distributed run."""
    return int(os.environ.get(COUNT, "1"))


def rank() -> int:
    """The number of this process; 0 outside a distributed run."""
    return int(os.environ.get(RANK, "0"))


def is_first() -> bool:
    """Whether this process writes the run folder."""
    return rank() == 0


def is_rank() -> bool:
    """Whether this process was started as one of several."""
    return RANK in os.environ and COUNT in os.environ


def local() -> int:
    """Number of this process on its machine, and so of its GPU."""
    return int(os.environ.get("LOCAL_RANK", "0"))


def least(number: int, device: Any) -> int:
    """The least of a number over all processes; `device` is a torch device."""
    if not _together():
        return number
    import torch  # noqa: PLC0415 -- the command line asks this module before torch may be loaded

    found = torch.tensor(number, device=device)
    torch.distributed.all_reduce(found, torch.distributed.ReduceOp.MIN)
    return int(found)


def from_first(value: Any) -> Any:
    """What the first process has, in all of them."""
    if not _together():
        return value
    import torch  # noqa: PLC0415 -- as above

    held = [value]
    torch.distributed.broadcast_object_list(held)
    return held[0]


def wait() -> None:
    """Go on when all processes are here."""
    if _together():
        import torch  # noqa: PLC0415 -- as above

        torch.distributed.barrier()


def _together() -> bool:
    """Whether the processes of this run have found each other."""
    if not is_rank():
        return False
    import torch  # noqa: PLC0415 -- as above

    return torch.distributed.is_available() and torch.distributed.is_initialized()


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
    start([sys.executable, "-P", "-m", "pipeline", *arguments], count)


def start(command: Sequence[str], count: int) -> None:
    """Run a command in `count` processes that find each other; see `launch`."""
    port = _free_port()
    running = [
        subprocess.Popen(command, env=_environment(number, count, port))
        for number in range(count)
    ]  # fmt: skip
    try:
        _wait(running)
    finally:
        _end(running)


def _end(running: list[subprocess.Popen[bytes]]) -> None:
    """End what still runs; one that waits in a collective may not hear the polite word."""
    for process in running:
        if process.poll() is None:
            process.terminate()
    for process in running:
        try:
            process.wait(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
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
                place = f"Process {running.index(process)} of {len(running)}"
                raise RankFailed(f"{place} ended with exit code {code}; the others were ended.",
                                 code)  # fmt: skip


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
