"""Rows of Parquet files and of folders that `datasets` saved, as JSON text, batch by batch."""

from __future__ import annotations

import datetime
import decimal
import json
from typing import TYPE_CHECKING

from pipeline.sources import InputError
from scrubbers.switches import silence

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

BATCH = 500  # rows; a row of a chat set takes some kilobytes


class NoJson(Exception):
    """A cell has no form in JSON."""


def is_saved_set(path: Path) -> bool:
    """Whether a folder was written by `datasets`' `save_to_disk`."""
    return (path / "dataset_dict.json").is_file() or (path / "state.json").is_file()


def parquet_rows(path: Path) -> Iterator[str | None]:
    """Rows as JSON text, None for a row with a cell that JSON cannot hold. Raises InputError."""
    import pyarrow  # noqa: PLC0415 - heavy, only tables need it
    import pyarrow.parquet  # noqa: PLC0415

    try:
        with pyarrow.parquet.ParquetFile(path, pre_buffer=False) as table:
            for batch in table.iter_batches(batch_size=BATCH):
                yield from map(_json, batch.to_pylist())
    except (pyarrow.ArrowException, OSError):
        raise InputError(f"{path}: not a sound Parquet file. Write or fetch it again.") from None


def saved_rows(path: Path) -> Iterator[str | None]:
    """Rows of a saved set, of a set with splits one split after the other. As `parquet_rows`."""
    silence()
    import datasets  # noqa: PLC0415 - heavy, only saved sets need it

    try:
        saved = datasets.load_from_disk(str(path), keep_in_memory=False)
    except Exception:  # noqa: BLE001 - whatever it is, its words may quote the data
        raise InputError(
            f"{path}: not a sound folder of `datasets`' `save_to_disk`. Save it again."
        ) from None
    for split in saved.values() if isinstance(saved, datasets.DatasetDict) else [saved]:
        for batch in split.with_format("arrow").iter(batch_size=BATCH):
            yield from map(_json, batch.to_pylist())


def _json(row: dict[str, object]) -> str | None:
    try:
        return json.dumps(row, ensure_ascii=False, allow_nan=False, default=_plain)
    except (NoJson, ValueError):
        return None


def _plain(cell: object) -> str:
    if isinstance(cell, datetime.datetime | datetime.date | datetime.time):
        return cell.isoformat()
    if isinstance(cell, decimal.Decimal):
        return str(cell)
    raise NoJson
