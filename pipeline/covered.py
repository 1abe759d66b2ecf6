"""`edits.jsonl` read back, record by record, beside the shipped files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import Any

from pipeline.folder import SPLITS, VERSION, FolderError, ship_of

Row = dict[str, Any]


def shipped(root: Path) -> Iterator[tuple[str, int, str]]:
    """(split, record number, text) of every shipped record; splits one after the other."""
    for split in SPLITS:
        path = ship_of(root) / f"{split}.jsonl"
        with path.open(encoding="utf-8", newline="\n") as lines:
            for number, line in enumerate(lines, start=1):
                yield split, number, line.rstrip("\r\n")


def rows(path: Path) -> Iterator[Row]:
    """The rows of a versioned JSONL file; FolderError for another version."""
    with path.open(encoding="utf-8") as lines:
        head = json.loads(next(lines, "{}"))
        if head.get("version") != VERSION:
            raise FolderError(f"{path}: unknown version; prepare the folder again.")
        for line in lines:
            yield json.loads(line)


def edits_by_record(path: Path, split: str) -> Iterator[tuple[int, list[Row]]]:
    """Edits of one split, grouped by record number, ascending."""
    of_split = (row for row in rows(path) if row["split"] == split)
    for number, group in groupby(of_split, key=lambda row: int(row["record"])):
        yield number, list(group)


def with_edits(root: Path) -> Iterator[tuple[str, int, str, list[Row]]]:
    """Every shipped record with its edits (none for most)."""
    for split in SPLITS:
        groups = edits_by_record(root / "keep" / "edits.jsonl", split)
        current = next(groups, None)
        for where, number, text in shipped(root):
            if where != split:
                continue
            if current and current[0] == number:
                yield split, number, text, current[1]
                current = next(groups, None)
            else:
                yield split, number, text, []
