"""`privatune init`: look at the data, write a commented `privatune.yaml`, change nothing.

A line of the contract is active only when every record that was looked at keeps it, so that
`prep` passes with what `init` wrote; what production does and the data do not is told and written
as a comment.
"""

from __future__ import annotations

import json
import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from pipeline.answer_form import answer_schema
from pipeline.config import FILE_NAME, ConfigError, from_bytes
from pipeline.errors import UsageFault
from pipeline.init_file import FIRST_QUESTION, SCHEMA_NAME, Draft, lines
from pipeline.survey import look_at_data, look_at_requests

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

STDOUT = Path("-")


@dataclass(frozen=True, slots=True)
class InitResult:
    """What was written (`path` None: to standard output) and what a person should know."""

    path: Path | None
    schema_path: Path | None
    text: str
    notes: tuple[str, ...]
    records: int
    formats: dict[str, int]
    languages: dict[str, int]

    def as_text(self) -> str:
        """Return the words for a terminal; for `-` the configuration itself."""
        if self.path is None:
            return self.text.rstrip("\n")
        written = [str(one) for one in (self.path, self.schema_path) if one]
        told = [f"Wrote {' and '.join(written)}.", "", *FIRST_QUESTION, "", *self.notes]
        return "\n".join([*told, "", "Next: read the file, then run `privatune prep`."])

    def as_json(self) -> str:
        """Return the machine-readable summary."""
        return json.dumps({
            "version": 1,
            "config": str(self.path) if self.path else None,
            "answer_schema": str(self.schema_path) if self.schema_path else None,
            "text": None if self.path else self.text,
            "records": self.records,
            "formats": self.formats,
            "languages": self.languages,
            "notes": self.notes,
        }, ensure_ascii=False, indent=2)  # fmt: skip


def init(
    files: Sequence[Path],
    requests: Path | None,
    output: Path,
    find_identifiers: Callable[[str], bool],
) -> InitResult:
    """Look at `files` (none: the data files of the current folder) and captured `requests`.

    `output` is the file to write, never an existing one; `-` writes nothing. Raises UsageFault,
    InputError for a file that cannot be read, or what `find_identifiers` raises.
    """
    if output != STDOUT and os.path.lexists(output):
        raise UsageFault(
            f"{output}: exists, and `init` overwrites nothing. Move it away, or name another file "
            "with --output; `--output -` only shows the text."
        )
    paths = list(files) or _data_files_here(requests)
    folder = Path() if output == STDOUT else output.parent
    data = look_at_data(_opened(paths))
    asked = look_at_requests(requests) if requests else None
    if not data.records and not (asked and asked.records):
        raise UsageFault(f"no record could be read ({data.unreadable} refused). Is it a data file?")
    schema = answer_schema(data.form, find_identifiers) if data.answers_are_json else None
    draft = Draft(
        tuple(_relative(path, folder) for path in paths),
        _relative(requests, folder) if requests else None,
        data,
        asked,
        None if output == STDOUT else schema,
        find_identifiers,
    )
    return _write(draft, output)


def _write(draft: Draft, output: Path) -> InitResult:
    notes: list[str] = []
    text = "\n".join(lines(draft, notes)) + "\n"
    path = None if output == STDOUT else output
    schema_path = output.parent / SCHEMA_NAME if path and draft.schema else None
    _prove(text, path or Path(FILE_NAME))
    if schema_path:
        _create(schema_path, json.dumps(draft.schema, indent=2) + "\n")
    if path:
        try:
            _create(path, text)
        except UsageFault:
            if schema_path:
                schema_path.unlink()
            raise
    data = draft.data
    return InitResult(
        path, schema_path, text, tuple(notes), data.records,
        dict(data.formats.most_common()), dict(data.languages.most_common()),
    )  # fmt: skip


def _prove(text: str, path: Path) -> None:
    """Refuse to write what is not a configuration."""
    try:
        from_bytes(text.encode(), path, files=False)
    except (ConfigError, UnicodeEncodeError):
        raise UsageFault(
            f"{path}: cannot be written for these files: a path of theirs cannot stand in it, or "
            "lies in the folder `prepared`. Rename them, or write the file by hand."
        ) from None


def _create(path: Path, text: str) -> None:
    try:
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except FileExistsError:
        raise UsageFault(
            f"{path}: exists, and `init` overwrites nothing. Move it away first."
        ) from None
    except OSError as exc:
        with suppress(OSError):
            path.unlink()
        raise UsageFault(f"{path}: cannot be written ({exc.strerror}).") from None


def _data_files_here(requests: Path | None) -> list[Path]:
    from pipeline.inputs import is_data_file  # noqa: PLC0415  # the readers load when needed

    found = [path for path in sorted(Path().iterdir()) if is_data_file(path)]
    found = [path for path in found if path != requests and not path.name.endswith(SCHEMA_NAME)]
    if not found and requests is None:
        raise UsageFault("no data file in this folder. Name your files: `privatune init FILES`.")
    return found


def _opened(paths: Sequence[Path]) -> list[Path]:
    from pipeline.inputs import expand  # noqa: PLC0415  # the readers load when needed

    return [Path(one) for one in expand(paths)] if paths else []


def _relative(path: Path, folder: Path) -> str:
    return Path(os.path.relpath(path, folder)).as_posix()
