"""How a run ends badly: from what was raised to a reason code, and to words without data.

Torch and the libraries around it tell a full disk or a full memory in classes of their own, or in
the message alone. The message is read here and never shown.
"""

from __future__ import annotations

import errno
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import Refused, UsageFault

_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_FULL_WORDS = (
    "no space left", "os error 28)", "os error 122)", "os error 27)", "disk quota exceeded",
    "file too large", "pytorchstreamwriter failed writing", "unexpected pos", "file write failed",
)  # fmt: skip
_HOST_WORDS = ("defaultcpuallocator", "can't allocate memory", "cannot allocate memory")
_DEVICE_WORDS = ("out of memory", "cublas_status_alloc_failed")
_LIBRARIES = ("torch", "safetensors", "safetensors_rust", "bitsandbytes")
# Classes of ours that end a run for a reason that is already in their words.
_NAMED = {"NoRoom": "out-of-memory", "MemoryShort": "out-of-memory", "SealError": "seal",
          "BaseError": "base"}  # fmt: skip


class DeviceFull(Exception):
    """The device's memory ran out while a run went on."""


class MemoryFull(Exception):
    """The machine's own memory ran out while a run went on."""


class DiskFull(Exception):
    """The disk ran full while the run folder was written."""


@dataclass(frozen=True, slots=True)
class End:
    """`reason` for `run.json`, and what is raised in place of what was."""

    reason: str
    error: BaseException


def ended(error: BaseException, run: Path) -> End:
    """Tell how a run in the folder `run` ended, from what ended it."""
    full = _full(error, run)
    if full is not None:
        return full
    name = type(error).__name__
    if isinstance(error, KeyboardInterrupt):
        return End("interrupted", error)
    if name == "RunStopped":
        return End(_advised(error), error)
    known = isinstance(error, Refused | UsageFault)
    return End(_NAMED.get(name, "refused" if known else f"unexpected:{name}"), error)


def _full(error: BaseException, run: Path) -> End | None:
    """Whether a disk or a memory is full."""
    if _is_disk(error):
        return End("disk-full", DiskFull(
            f"disk full: {run} could not be written on. Free some space, then give the same "
            "command: it goes on at the last whole checkpoint."
        ))  # fmt: skip
    if isinstance(error, MemoryError) or _says(error, _HOST_WORDS):
        return End("out-of-memory", MemoryFull(
            "out of memory: this machine's own, not the card's. Take a smaller base, or a machine "
            "with more memory (`privatune plan` says how much a run needs)."
        ))  # fmt: skip
    if type(error).__name__ == "OutOfMemoryError" or _says(error, _DEVICE_WORDS):
        return End("out-of-memory", DeviceFull(_advice("out-of-memory")))
    return None


def _is_disk(error: BaseException) -> bool:
    if isinstance(error, OSError):
        return error.errno in _FULL
    return _says(error, _FULL_WORDS)


def _says(error: BaseException, words: tuple[str, ...]) -> bool:
    """Whether a library's own exception, or the one it came from, speaks of this.

    Never a ValueError and the like, which may quote a record.
    """
    seen: BaseException | None = error
    while seen is not None:
        theirs = type(seen).__module__.split(".")[0] in _LIBRARIES or type(seen) is RuntimeError
        if theirs and _holds(str(seen), words):
            return True
        seen = seen.__cause__ or seen.__context__
    return False


def _holds(text: str, words: tuple[str, ...]) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in words)


def _advised(error: BaseException) -> str:
    """The code of the sentence that a stopped run was given."""
    from trainer.advice import ADVICE  # noqa: PLC0415 -- the trainer is its verb's alone

    return next((code for code, words in ADVICE.items() if words == str(error)), "stopped")


def _advice(code: str) -> str:
    from trainer.advice import advice  # noqa: PLC0415

    return advice(code)
