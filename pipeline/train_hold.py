"""What a prepared folder must hold before `train` loads anything heavy: both tiers, where they can be.

The check runs in a process of its own. What it loads leaves with it: its threads would keep this
process out of a network namespace, and its memory is the training's.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline import folder
from pipeline.config import Config
from pipeline.errors import DONE, REFUSED, USAGE, Refused

SHOWN = 3  # violations in a message


@dataclass(frozen=True, slots=True)
class Held:
    """The tier that was reached, and what kept it from a higher one."""

    tier: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Answer:
    code: int
    body: dict[str, Any]
    words: str


def hold(prepared: folder.Prepared, config: Config) -> Held:
    """Check a folder whose signature holds. Raises Refused with the first violations."""
    root, ship = prepared.root, folder.ship_of(prepared.root)
    answer = _ask(root, config.source)
    notes: tuple[str, ...] = ()
    if answer.code == USAGE:  # no models, or files of the configuration that stayed at home
        if ship != root and (root / "keep").is_dir():
            why = answer.words.rstrip(".")
            note = f"keep/ is not scanned anew ({why}); what ships is held against its manifest."
            notes = (note,)
        answer = _ask(ship, None)
    if answer.code == DONE:
        return Held(str(answer.body.get("tier", "")), notes)
    if answer.code == REFUSED:
        raise Refused(_refusal(root, answer))
    raise Refused(f"{root}: `privatune check` broke off (exit code {answer.code}), so the folder is "
                  f"not known to hold. Run `privatune check {root}` to see why.")  # fmt: skip


def _ask(root: Path, config: Path | None) -> _Answer:
    """Run `check`; without a configuration beside the folder itself, where no other one lies."""
    command = [sys.executable, "-P", "-m", "pipeline", "check", str(root.resolve()), "--json"]
    command += ["--config", str(config.resolve())] if config else []
    done = subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=None if config else root,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip
    return _Answer(done.returncode, _body(done.stdout), _words(done.stderr))


def _body(text: str) -> dict[str, Any]:
    try:
        body: Any = json.loads(text)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _words(text: str) -> str:
    """What the command said for people; its messages hold no data."""
    said = [line for line in text.splitlines() if line.startswith("privatune: ")]
    return said[-1].removeprefix("privatune: ") if said else "it could not be checked"


def _refusal(root: Path, answer: _Answer) -> str:
    found = answer.body.get("violations") or []
    if not found:
        return answer.words
    places = [
        f"{one.get('split', 'the set')}"
        + (f" record {one['record']}" if "record" in one else "")
        + f" {one['message'].rstrip('.')}"
        for one in found[:SHOWN]
    ]
    more = f", and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return (f"{root}: does not hold: {'; '.join(places)}{more}. `privatune check {root}` lists all; "
            "mend the records and run `privatune prep` again.")  # fmt: skip
