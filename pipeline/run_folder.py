"""The run folder: `run.json`, and whether a run there is new, goes on, or is another one."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pipeline.errors import Refused, UsageFault

VERSION = 1
FILE = "run.json"
OURS = ("run.json", "metrics.jsonl", "adapter", "tokenizer", "checkpoints", "compare", "export")
# What must be the same for a run to go on: data, base, template, recipe.
SAME = ("manifest", "base", "tokenizer", "recipe")

Body = dict[str, Any]


def start(root: Path, body: Mapping[str, Any], *, restart: bool) -> Body | None:
    """Make the folder, or accept it when it holds the same run unfinished.

    Returns what was written of the run so far, None for a new one. Raises Refused for a finished
    or another run, UsageFault for a folder that holds something else.
    """
    if restart and (root / FILE).is_file():
        clear(root)
    if not root.exists() or not _holds_anything(root):
        root.mkdir(parents=True, exist_ok=True)
        write(root, {**body, "status": "running"})
        return None
    before = read(root)
    if before.get("status") == "done":
        raise Refused(f"{root}: this run is done. Name another `--output`, or give `--restart` to "
                      "throw it away.")  # fmt: skip
    differing = [name for name in SAME if before.get(name) != body[name]]
    if differing:
        raise Refused(f"{root}: an unfinished run of another kind ({', '.join(differing)} differ). "
                      "Name another `--output`, or give `--restart` to throw it away.")  # fmt: skip
    return before


def _holds_anything(root: Path) -> bool:
    """Whether there is more than the caches that the seal made for this very process."""
    return any(not path.name.startswith("cache-") for path in root.iterdir())


def read(root: Path) -> Body:
    """Read `run.json`; UsageFault when the folder is none of ours."""
    try:
        body: Body = json.loads((root / FILE).read_bytes())
        known = body["version"] == VERSION
    except (OSError, ValueError, KeyError, TypeError):
        known = False
    if not known:
        raise UsageFault(f"{root}: not empty, and no run folder of this version. Name another "
                         "`--output`.")  # fmt: skip
    return body


def write(root: Path, body: Mapping[str, Any]) -> None:
    """Write `run.json` aside and rename it."""
    part = root / f".{FILE}"
    with part.open("w", encoding="utf-8") as file:
        json.dump({"version": VERSION, **body}, file, indent=1)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    part.rename(root / FILE)


def clear(root: Path) -> None:
    """Remove a run's files and nothing else."""
    for name in OURS:
        path = root / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)


def no_checkpoints(root: Path) -> None:
    """Remove the checkpoints of a finished run: they hold paths, and nothing needs them."""
    shutil.rmtree(root / "checkpoints", ignore_errors=True)
