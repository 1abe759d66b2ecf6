"""Word lists kept as text: `@section` lines, below them entries separated by commas."""

from __future__ import annotations

from functools import cache
from pathlib import Path

WORDS = Path(__file__).parent / "words"


@cache
def sections(name: str) -> dict[str, tuple[str, ...]]:
    """Section -> its entries, of one file under words/."""
    found: dict[str, list[str]] = {}
    current = ""
    for line in (WORDS / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("@"):
            current = line[1:].strip()
            found.setdefault(current, [])
        elif line.strip() and not line.startswith("#"):
            found[current] += [entry.strip() for entry in line.split(",") if entry.strip()]
    return {section: tuple(dict.fromkeys(entries)) for section, entries in found.items()}


def entries(name: str, section: str, *others: str) -> tuple[str, ...]:
    """The entries of a section; of the first of `others` that exists where it does not."""
    table = sections(name)
    for wanted in (section, *others):
        if wanted in table:
            return table[wanted]
    raise KeyError(f"no section {section} in words/{name}.txt")
