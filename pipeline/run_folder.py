"""The run folder: `run.json`, and whether a run there is new, goes on, or is another one."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from pipeline.errors import Refused, UsageFault

VERSION = 1
FILE = "run.json"
# `run.json` goes last, so that a removal that was cut off is known as ours and can go on.
OURS = (
    "metrics.jsonl", "adapter", ".adapter", "tokenizer", "checkpoints", "compare", "export",
    f".{FILE}", FILE,
)  # fmt: skip
CACHE, RANK = "cache-", ".rank-"
# What must be the same for a run to go on: data, base, template, recipe, and where it is to end.
SAME = ("manifest", "base", "tokenizer", "recipe", "stop_after")
KNOWN = ("manifest", "base", "recipe")

Body = dict[str, Any]


def look(root: Path, known: Mapping[str, Any], *, restart: bool) -> Body | None:
    """What is there of a run that `known`, a part of its books, belongs to; None for none.

    Changes nothing. Raises Refused for a finished or another run (not with `restart`), UsageFault
    for a folder that holds something else.
    """
    if not root.exists() or not _holds_anything(root):
        return None
    before = read(root)
    if restart:
        return None
    if before.get("status") == "done":
        if _differing("manifest", before["manifest"], known.get("manifest", before["manifest"])):
            raise Refused(f"{root}: holds a finished run on another prepared folder. Name another "
                          "`--output`.")  # fmt: skip
        raise Refused(f"{root}: this run is done. Name another `--output`, or give `--restart` to "
                      "throw it away.")  # fmt: skip
    differing = [place for name in SAME if name in known
                 for place in _differing(name, before.get(name), known[name])]  # fmt: skip
    if differing:
        raise Refused(f"{root}: an unfinished run of another kind ({', '.join(differing)} differ). "
                      "Name another `--output`, or give `--restart` to throw it away.")  # fmt: skip
    return before


def start(root: Path, body: Mapping[str, Any], *, restart: bool) -> Body | None:
    """Make the folder, or accept it when it holds the same run unfinished; note that it runs.

    Returns what was written of the run so far, None for a new one. Raises as `look` does.
    """
    before = look(root, body, restart=restart)
    make(root)
    if restart and _holds_anything(root):
        clear(root)
    notes = {"notes": before["notes"]} if before and "notes" in before else {}
    write(root, {**body, **notes, "status": "running"})
    return before


def make(root: Path) -> None:
    """Make the folder where there is none. Raises UsageFault."""
    try:
        root.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageFault(f"{root}: no folder can be made there ({error.strerror}). Name another "
                         "`--output`.") from None  # fmt: skip


@contextmanager
def held(root: Path) -> Iterator[None]:
    """Hold the folder against a second run. Raises UsageFault while another process has it."""
    number = os.open(root, os.O_RDONLY)
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageFault(f"{root}: another `train` is at work there. Wait for it, or name "
                             "another `--output`.") from None  # fmt: skip
        yield
    finally:
        os.close(number)


def _differing(name: str, before: Any, now: Any) -> list[str]:
    """Places that differ, such as `recipe.r`; never the values."""
    if before == now:
        return []
    if not isinstance(before, dict) or not isinstance(now, Mapping):
        return [name]
    return [f"{name}.{key}" for key in sorted({*before, *now}) if before.get(key) != now.get(key)]


def _holds_anything(root: Path) -> bool:
    """Whether there is more than caches of a sealed process, which may be this very one."""
    try:
        return any(not path.name.startswith(CACHE) for path in root.iterdir())
    except NotADirectoryError:
        raise UsageFault(f"{root}: not a folder. Name another `--output`.") from None


def read(root: Path) -> Body:
    """Read `run.json`; UsageFault when the folder is none of ours."""
    try:
        body: Body = json.loads((root / FILE).read_bytes())
        known = body["version"] == VERSION and all(name in body for name in KNOWN)
    except (OSError, ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise UsageFault(f"{root}: not empty, and no run folder of this version. Name another "
                         "`--output`.")  # fmt: skip
    return body


def write(root: Path, body: Mapping[str, Any]) -> None:
    """Write `run.json` aside and rename it; a full disk leaves what was there."""
    part = root / f".{FILE}"
    text = json.dumps({"version": VERSION, **body}, indent=1) + "\n"
    try:
        with part.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        part.unlink(missing_ok=True)
        raise
    part.rename(root / FILE)


def stop(root: Path, changes: Mapping[str, Any]) -> None:
    """Note how a run that is under way ended, as far as the disk allows."""
    with suppress(OSError, UsageFault):
        before = read(root)
        if before.get("status") == "running":
            write(root, {**before, **changes, "status": "stopped"})


def clear(root: Path) -> None:
    """Remove a run's files and nothing else."""
    for name in OURS:
        path = root / name
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(
            missing_ok=True
        )


def tidy(root: Path, own: Path | None = None) -> None:
    """Remove caches that killed runs left behind: libraries may have put rows there."""
    for path in root.glob(f"{CACHE}*"):
        if path.is_dir() and path.resolve() != own:
            shutil.rmtree(path, ignore_errors=True)


def no_checkpoints(root: Path) -> None:
    """Remove the checkpoints of a finished run: they hold paths, and nothing needs them."""
    shutil.rmtree(root / "checkpoints", ignore_errors=True)


def leave_rank(root: Path, rank: int, told: Mapping[str, Any]) -> None:
    """Leave what a process that does not write the books has to say for them."""
    with suppress(OSError):
        (root / f"{RANK}{rank}.json").write_text(json.dumps({"rank": rank, **told}))


def take_ranks(root: Path) -> list[Body]:
    """Take what such processes left, in the order of their ranks."""
    told = []
    for path in root.glob(f"{RANK}*.json"):
        with suppress(OSError, ValueError):
            told.append(json.loads(path.read_bytes()))
        path.unlink(missing_ok=True)
    return sorted(told, key=lambda one: int(one["rank"]))


def add_ranks(root: Path, seal: Mapping[str, Any], notes: Sequence[str]) -> None:
    """Put the evidence of the other processes, and of the one that started them, into the books."""
    told = take_ranks(root)
    with suppress(OSError, UsageFault):
        body = read(root)
        body["seal"] = {**body.get("seal", {}), **seal, "ranks": told}
        body["notes"] = [*notes, *body.get("notes", [])]
        write(root, body)
