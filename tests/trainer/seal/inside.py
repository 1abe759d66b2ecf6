"""Runs code in a process that enters the seal first: a seal cannot be taken off again."""

import functools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from scrubbers.switches import SWITCHES

ROOT = Path(__file__).parents[3]
TRIED_BY = {"namespace": (["unshare", "-n", "true"], ["unshare", "-rn", "true"])}


@functools.cache
def can(level: str) -> bool:
    """Whether this machine has the level, asked without the code under test."""
    if level == "namespace":
        tool = shutil.which("unshare")
        ways = TRIED_BY[level] if tool else ()
        return any(
            subprocess.run(w, capture_output=True, check=False).returncode == 0 for w in ways
        )
    actions = Path("/proc/sys/kernel/seccomp/actions_avail")
    return actions.exists() and "errno" in actions.read_text()


def process(
    code: str, *, env: dict[str, str] | None = None, stdin: Any = subprocess.DEVNULL
) -> Any:
    """Run code in a fresh interpreter without any switch of ours in its environment."""
    clean = {k: v for k, v in os.environ.items() if k not in (*SWITCHES, "CI")}
    return subprocess.run(
        [sys.executable, "-c", code], env={**clean, "PYTHONPATH": str(ROOT), **(env or {})},
        stdin=stdin, capture_output=True, text=True, check=False, timeout=240,
    )  # fmt: skip


def sealed(
    code: str, arguments: str = "", *, before: str = "", env: dict[str, str] | None = None
) -> dict[str, Any]:
    """What `code` left in the dictionary `R`, with the seal's evidence under "seal"."""
    whole = (
        f"import json\n{before}\nfrom trainer import seal\nS = seal.enter({arguments})\nR = {{}}\n"
        f"{code}\nR['seal'] = S.evidence()\nprint('\\n' + json.dumps(R))"
    )
    done = process(whole, env=env)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])  # type: ignore[no-any-return]


def refusal(arguments: str, *, before: str = "", env: dict[str, str] | None = None) -> str:
    """The words of the SealError that entering ends in."""
    code = (
        f"{before}\nfrom trainer import seal\ntry: seal.enter({arguments})\n"
        "except seal.SealError as told: print('\\n' + str(told))\nelse: print('\\nENTERED')"
    )
    done = process(code, env=env)
    assert done.returncode == 0, done.stderr
    return str(done.stdout.splitlines()[-1])


def has(level: str) -> bool:
    """Whether the level is there; where it is not, see that entering says so."""
    if can(level):
        return True
    words = refusal(f"want={level!r}")
    assert "was asked for, `python` was reached" in words or "`seccomp` was reached" in words, words
    assert f"{level}: " in words
    return False
