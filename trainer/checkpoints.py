"""Checkpoints that can be trusted: a mark is written last, and only a marked, whole one is resumed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable
from pathlib import Path

from trainer.model_folder import file_hash

FOLDER, MARK = "checkpoints", "whole.json"


def mark(checkpoint: Path) -> None:
    """Write the hashes of all files of a finished checkpoint beside them."""
    files = [path for path in sorted(checkpoint.iterdir()) if path.is_file()]
    hashes = {path.name: file_hash(path) for path in files if not path.name.endswith(MARK)}
    part = checkpoint / f".{MARK}"
    part.write_text(json.dumps({"version": 1, "files": hashes}), encoding="utf-8")
    part.rename(checkpoint / MARK)


def is_whole(checkpoint: Path) -> bool:
    """Whether every file is there as it was written."""
    try:
        files = json.loads((checkpoint / MARK).read_text(encoding="utf-8"))["files"]
        return bool(files) and all(file_hash(checkpoint / name) == value
                                   for name, value in files.items())  # fmt: skip
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return False


def latest(folder: Path) -> tuple[Path | None, list[str]]:
    """The newest whole checkpoint, and the names of newer ones that are not."""
    spoiled: list[str] = []
    for checkpoint in sorted(folder.glob("checkpoint-*"), key=_step, reverse=True):
        if is_whole(checkpoint):
            return checkpoint, spoiled
        spoiled.append(checkpoint.name)
    return None, spoiled


def drop(folder: Path, names: Iterable[str]) -> None:
    """Remove checkpoints that are not whole: the library would count them as the newest."""
    for name in names:
        shutil.rmtree(folder / name, ignore_errors=True)


def step_of(checkpoint: Path | None) -> int:
    """The step after which a checkpoint was made; 0 for none."""
    return max(0, _step(checkpoint)) if checkpoint else 0


def _step(checkpoint: Path) -> int:
    number = checkpoint.name.rpartition("-")[2]
    return int(number) if number.isdigit() else -1
