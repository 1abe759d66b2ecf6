"""What all verbs of the command line share: options by name, the configuration, output."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from pipeline.config import Config

DEFAULT_CONFIG = Path("privatune.yaml")

ConfigFile = Annotated[Path | None, typer.Option("--config", help="Default: privatune.yaml here.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="No progress and no summary.")]
AsJson = Annotated[bool, typer.Option("--json", help="A summary for machines on standard output.")]


def say(text: str) -> None:
    """Write a line to standard output."""
    sys.stdout.write(text + "\n")


def silent(text: str) -> None:
    """Say nothing."""
    del text


def load_config(path: Path | None, *, needed: bool, files: bool = True) -> Config:
    """Read the configuration; without one, and where none is needed, the defaults."""
    from pipeline.config import Config, load  # noqa: PLC0415

    if path is None and not needed and not DEFAULT_CONFIG.exists():
        return Config()
    return load(path or DEFAULT_CONFIG, files=files)
