"""What all tests share: a key, a folder to work in, and the command as a user runs it."""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
KEY = "8f1b5d0c3a7e46924d6f0e8b1c5a9372e4d80b6f7a1c2935d8e6f40b9a7c1e35"
Run = subprocess.CompletedProcess[str]
HAS_TORCH = importlib.util.find_spec("torch") is not None


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Without the `train` extra the files that are marked for it are left out, not failed."""
    if HAS_TORCH or collection_path.suffix != ".py":
        return None
    return True if "pytest.mark.train" in collection_path.read_text(encoding="utf-8") else None


@pytest.fixture(autouse=True)
def own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test sees the home's key, and none leaves a file in the home."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("PRIVATUNE_KEY", KEY)
    monkeypatch.delenv("PRIVATUNE_KEY_FILE", raising=False)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def privatune(*arguments: str, cwd: Path | None = None, **more: str) -> Run:
    """Run the command in a process of its own."""
    environment = {**os.environ, **more}
    return subprocess.run(
        [sys.executable, "-m", "pipeline", *arguments],
        capture_output=True, text=True, check=False, cwd=cwd, env=environment,
        stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.fixture
def command(work: Path) -> Callable[..., Run]:
    def run(*arguments: str, **more: str) -> Run:
        return privatune(*arguments, cwd=work, **more)

    return run


def write_rows(path: Path, rows: list[object]) -> Path:
    lines = [json.dumps(row, ensure_ascii=False) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def read_rows(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
