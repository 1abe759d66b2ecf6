"""The record of stopped attempts: what was tried and by which line of code, never with what."""

from __future__ import annotations

import fcntl
import inspect
import os
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from types import FrameType

# Carriers: an attempt is told at the code that uses them.
CARRIERS = frozenset(
    (
        "httpx",
        "httpx2",
        "httpcore",
        "httpcore2",
        "anyio",
        "requests",
        "urllib3",
        "aiohttp",
        "fsspec",
        "s3fs",
        "botocore",
    )
)
PLAIN = re.compile(r"[A-Za-z_][\w.]{0,150}")
MOST = 1 << 20  # bytes; what retries for hours is counted up to here


class Attempts:
    """A record in a file without a name, which forked children write to as well."""

    __slots__ = ("_file",)

    def __init__(self, folder: Path) -> None:
        self._file: BinaryIO = tempfile.TemporaryFile(dir=folder, buffering=0)  # noqa: SIM115  open as long as the process
        flags = fcntl.fcntl(self._file, fcntl.F_GETFL)
        fcntl.fcntl(self._file, fcntl.F_SETFL, flags | os.O_APPEND)

    def add(self, what: str) -> None:
        """Count one attempt of the code that is running now."""
        if os.fstat(self._file.fileno()).st_size < MOST:
            os.write(self._file.fileno(), f"{what} {_where(inspect.currentframe())}\n".encode())

    def clear(self) -> None:
        """Forget all: what was counted so far was our own try."""
        self._file.truncate(0)

    def counted(self) -> list[dict[str, str | int]]:
        """`{what, where, count}` of each kind of attempt, the most frequent first."""
        size = os.fstat(self._file.fileno()).st_size
        lines = os.pread(self._file.fileno(), size, 0).decode().splitlines()
        return [
            {"what": what, "where": where, "count": count}
            for (what, _, where), count in Counter(x.partition(" ") for x in lines).most_common()
        ]


def _where(frame: FrameType | None) -> str:
    """`module:line` of the innermost frame that is neither Python's own, a carrier nor the seal."""
    last = "unknown"
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if PLAIN.fullmatch(module) and not module.startswith("trainer.seal."):
            last = f"{module}:{frame.f_lineno}"
            top = module.partition(".")[0]
            if top not in sys.stdlib_module_names and top not in CARRIERS:
                return last
        frame = frame.f_back
    return last
