"""Progress bars on a terminal, nothing elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol


class Advance(Protocol):
    """Tell the bar that `count` more records are done."""

    def __call__(self, count: int = 1) -> None:
        """Advance."""


def _silent(count: int = 1) -> None:
    del count


@contextmanager
def bar(title: str, *, quiet: bool) -> Iterator[Advance]:
    """A counter on standard error for as long as the block runs."""
    if quiet or not sys.stderr.isatty():
        yield _silent
        return
    from rich.console import Console  # noqa: PLC0415  only a terminal pays for it
    from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415

    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        TextColumn("{task.completed:,.0f} records"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)
        yield lambda count=1: progress.advance(task, count)
