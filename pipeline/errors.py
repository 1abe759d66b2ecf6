"""Exit codes, and the one place that turns an exception into words without its data."""

from __future__ import annotations

import errno
import traceback
from pathlib import Path

DONE, REFUSED, USAGE, UNEXPECTED, INTERRUPTED = 0, 1, 2, 3, 130

# The classes whose messages were written for people and hold no data, by name so that the heavy
# modules that define them need not be imported to be recognised.
TOLD: dict[str, int] = {
    "ConfigError": USAGE,
    "InputError": USAGE,
    "UsageFault": USAGE,
    "FindingsError": USAGE,
    "KeyMissing": USAGE,
    "KeyRefused": USAGE,
    "VaultKeyError": USAGE,
    "VaultBroken": REFUSED,
    "TokenizerError": USAGE,
    "PromptError": USAGE,
    "ContractError": USAGE,
    "SettingsError": USAGE,
    "UnknownDetector": USAGE,
    "ModelsMissing": USAGE,
    "ModelDamaged": USAGE,
    "ModelInstallError": REFUSED,
    "FolderError": REFUSED,
    "Refused": REFUSED,
    "ChangedInput": REFUSED,
    "SettleError": REFUSED,
    "ModelFolderError": USAGE,
    "BaseError": USAGE,
    "PullError": USAGE,
    "PullRefused": REFUSED,
    "ShapeError": USAGE,
    "PricesError": USAGE,
    "RowsRefused": USAGE,
    "RowsTooLong": REFUSED,
    "RenderError": USAGE,
    "TemplateChanged": REFUSED,
    "SealError": REFUSED,
    "ToolsMissing": USAGE,
    "AdapterError": REFUSED,
    "GgufError": REFUSED,
    "ConvertError": REFUSED,
    "ModelfileError": REFUSED,
    "RunStopped": REFUSED,
    "RankFailed": REFUSED,
    "NoRoom": UNEXPECTED,
    "DeviceFull": UNEXPECTED,
    "MemoryShort": UNEXPECTED,
    "MemoryFull": UNEXPECTED,
    "DiskFull": UNEXPECTED,
}
OURS = ("pipeline", "trainer", "validators", "scrubbers")


class UsageFault(Exception):
    """Arguments that do not make sense together."""


class Refused(Exception):
    """A gate, hash, signature or limit said no."""


def explain(error: BaseException) -> tuple[int, str]:
    """Exit code and sentence for an exception that ended a verb."""
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED, "interrupted; what was done is kept, the same command goes on there."
    told = next((TOLD[c.__name__] for c in type(error).__mro__ if _told(c)), None)
    if told is not None:
        return int(getattr(error, "exit_code", told)), str(error)
    if isinstance(error, MemoryError):
        return UNEXPECTED, "out of memory. Use fewer `--workers`, or a machine with more memory."
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return UNEXPECTED, "disk full. Free some space; the same command goes on where it stopped."
    return (
        UNEXPECTED,
        f"unexpected: {type(error).__name__} {_where(error)}. Please report this line.",
    )


def _told(kind: type) -> bool:
    return kind.__name__ in TOLD and kind.__module__.split(".")[0] in OURS


def _where(error: BaseException) -> str:
    """Module and line of our deepest frame: never the message, which may quote data."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [frame for frame in frames if set(Path(frame.filename).parts) & set(OURS)]
    last = (ours or frames)[-1:]
    return "".join(f"at {Path(frame.filename).name}:{frame.lineno}" for frame in last)
