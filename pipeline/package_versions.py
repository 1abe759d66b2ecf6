"""Versions of installed packages, by name."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import PackageNotFoundError, version


def versions_of(names: Iterable[str]) -> dict[str, str]:
    """Give each package's version, `absent` where it is not installed."""
    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            found[name] = "absent"
    return found
