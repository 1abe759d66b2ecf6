"""The findings form, version 1, read from a file: checked row by row, types translated.

What `audit --format json` prints, with `inputs` that tie it to the files it is of. A row has no
field for a text, and nothing of the file is quoted in a message.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.fields import nearest
from scrubbers.catalog import NAMES
from scrubbers.entities import ENTITY_TYPES, LABELS

VERSION = 1
SHOWN = 5
GIVEN = "given"
# What may be told of a row's own detector; another tool's word for it could be anything.
DETECTORS = frozenset({*NAMES, "deny", "propagate", "set"})
KINDS = ("string", "number", "key")
_COUNTRY = re.compile(r"[A-Z]{2}")
_HASH = re.compile(r"[0-9a-f]{64}")
_REASON = re.compile(r"(no-name-detector|scan-failed|unreadable):[A-Za-z][\w-]{0,40}", re.ASCII)


class FindingsError(Exception):
    """A findings file that cannot be carried out. One sentence for each fault, without a value."""

    exit_code = 2


@dataclass(frozen=True, slots=True)
class Row:
    """One finding of the file. `number`: its place in the list, from 1; offsets as in the form."""

    number: int
    file: str
    record: int | None
    line: int | None
    path: str
    inner: str | None
    kind: str | None
    start: int
    end: int
    type: str
    country: str | None
    score: float
    detector: str

    @property
    def where(self) -> str:
        """What messages call it."""
        return f"finding {self.number:,}"


@dataclass(frozen=True, slots=True)
class Skipped:
    """A place that the audit could not scan: `path` is None where it was a whole record."""

    number: int
    file: str
    record: int | None
    line: int | None
    path: str | None
    reason: str

    @property
    def where(self) -> str:
        """What messages call it."""
        return f"not_scanned {self.number:,}"


@dataclass(frozen=True, slots=True)
class Document:
    """A findings file. `inputs`: file -> keyed hash of its bytes, or None where nobody hashed it."""

    rows: tuple[Row, ...]
    skipped: tuple[Skipped, ...]
    inputs: Mapping[str, str | None]
    key_id: str | None


def complain(path: Path, faults: Sequence[str]) -> FindingsError:
    """One error of all faults, of which the first are told."""
    shown = [f"{path}: {fault}" for fault in faults[:SHOWN]]
    more = len(faults) - SHOWN
    shown += [f"{path}: ... and {more:,} more faults."] if more > 0 else []
    return FindingsError("\n".join(shown))


def read_findings(path: Path) -> Document:
    """Read and check a findings file. Raises FindingsError with every kind of fault."""
    body = _body(path)
    faults = list(_head_faults(body))
    if faults:
        raise complain(path, faults)
    rows = [_row(n, raw, faults) for n, raw in enumerate(body["findings"], start=1)]
    skipped = [_skipped(n, raw, faults) for n, raw in enumerate(body.get("not_scanned", ()), 1)]
    if faults:
        raise complain(path, faults)
    return Document(
        tuple(row for row in rows if row), tuple(one for one in skipped if one),
        body.get("inputs") or {}, body.get("key_id"),
    )  # fmt: skip


def _body(path: Path) -> dict[str, Any]:
    try:
        body = json.loads(path.read_bytes(), object_pairs_hook=_no_key_twice)
    except OSError as error:
        raise FindingsError(
            f"{path}: cannot be read ({error.strerror}). Name a findings file."
        ) from None
    except _Twice:
        raise FindingsError(f"{path}: an object has one key twice. Keep one of them.") from None
    except (ValueError, RecursionError):
        raise FindingsError(
            f"{path}: is not JSON. `privatune audit --format json` writes such a file."
        ) from None
    if not isinstance(body, dict):
        raise FindingsError(
            f'{path}: is not a JSON object with "version" and "findings" (docs/findings.md).'
        )
    return body


class _Twice(ValueError):
    """An object with one key twice."""


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise _Twice
    return made


_HEAD = ("version", "findings", "not_scanned", "counts", "versions", "inputs", "key_id")


def _head_faults(body: dict[str, Any]) -> Iterator[str]:
    yield from _unknown(body, _HEAD, "")
    if type(body.get("version")) is not int or body["version"] != VERSION:
        yield f"`version` is not {VERSION}, the only one known. Audit again with this Privatune."
    for name in ("findings", "not_scanned"):
        if not isinstance(body.get(name, [] if name == "not_scanned" else None), list):
            yield f"`{name}` is not a list."
    inputs = body.get("inputs") or {}
    if not isinstance(inputs, dict):
        yield "`inputs` is not an object of files and their keyed hashes."
    elif not all(one is None or _is_hash(one) for one in inputs.values()):
        yield "`inputs` holds something that is no keyed hash of 64 hexadecimal digits, nor null."
    if not isinstance(body.get("key_id"), str | None):
        yield "`key_id` is not a string."


def _is_hash(value: object) -> bool:
    return isinstance(value, str) and _HASH.fullmatch(value) is not None


def _unknown(raw: dict[str, Any], known: Sequence[str], where: str) -> Iterator[str]:
    """Keys that the form lacks; they are not quoted, since anything could stand there."""
    for name in raw:
        if name not in known:
            near = nearest(name, tuple(known))
            offer = f"did you mean `{near}`?" if near else f"known: {', '.join(known)}."
            yield f"{where}a key that the form does not know; {offer}"


def _text(value: object) -> bool:
    return isinstance(value, str) and value != ""


def _count(value: object) -> bool:
    return type(value) is int and value >= 1


def _offset(value: object) -> bool:
    return type(value) is int and value >= 0


def _share(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value <= 1  # type: ignore[operator]


def _country(value: object) -> bool:
    return isinstance(value, str) and _COUNTRY.fullmatch(value) is not None


_Check = tuple[Callable[[object], bool], str]
_PLACE: dict[str, _Check] = {
    "file": (_text, "the path of an input file"),
    "record": (_count, "a whole number from 1"),
    "line": (_count, "a whole number from 1"),
    "path": (_text, "a path like `messages[1].content`"),
    "inner": (_text, "a path like `$.customer.name`"),
    "kind": (lambda value: value in KINDS, f"one of {', '.join(KINDS)}"),
}
_FIELDS: dict[str, _Check] = {
    **_PLACE,
    "start": (_offset, "a whole number from 0"),
    "end": (_offset, "a whole number from 0"),
    "type": (_text, "an entity type"),
    "country": (_country, "a country code of two capital letters"),
    "score": (_share, "a number from 0 to 1"),
    "detector": (_text, "a name"),
}
_SKIPPED: dict[str, _Check] = {
    **_PLACE,
    "reason": (
        lambda value: isinstance(value, str) and _REASON.fullmatch(value) is not None,
        "a reason that `audit` gives",
    ),
}
_NEEDED = ("file", "path", "start", "end", "type")


def _checked(
    raw: object, known: Mapping[str, _Check], needed: Sequence[str], where: str
) -> list[str]:
    if not isinstance(raw, dict):
        return [f"{where}is not an object."]
    faults = list(_unknown(raw, tuple(known), where))
    faults += [f"{where}`{name}` is missing." for name in needed if raw.get(name) is None]
    if raw.get("record") is None and raw.get("line") is None:
        faults.append(f"{where}`record` is missing: the number of the record, from 1.")
    for name, (good, words) in known.items():
        if raw.get(name) is not None and not good(raw[name]):
            faults.append(f"{where}`{name}` is not {words}.")
    return faults


def _row(number: int, raw: Any, faults: list[str]) -> Row | None:
    where = f"finding {number:,}: "
    wrong = _checked(raw, _FIELDS, _NEEDED, where)
    known = None if wrong else LABELS.get(raw["type"]) or LABELS.get(raw["type"].upper())
    if not wrong and known is None:
        wrong = [f"{where}`type` is no entity type; {_offer(raw['type'])}"]
    if not wrong and raw["start"] >= raw["end"]:
        wrong = [f"{where}`end` is not after `start`."]
    faults += wrong
    if wrong or known is None:
        return None
    kind, country = known
    told = raw.get("detector")
    score = raw.get("score")
    return Row(
        number, raw["file"], raw.get("record"), raw.get("line"), raw["path"], raw.get("inner"),
        raw.get("kind"), raw["start"], raw["end"], kind, raw.get("country") or country,
        1.0 if score is None else float(score), told if told in DETECTORS else GIVEN,
    )  # fmt: skip


def _offer(name: str) -> str:
    near = nearest(name, tuple(LABELS))
    return f"did you mean `{near}`?" if near else f"known: {', '.join(ENTITY_TYPES)}."


def _skipped(number: int, raw: Any, faults: list[str]) -> Skipped | None:
    wrong = _checked(raw, _SKIPPED, ("file", "reason"), f"not_scanned {number:,}: ")
    faults += wrong
    if wrong:
        return None
    return Skipped(
        number, raw["file"], raw.get("record"), raw.get("line"), raw.get("path"), raw["reason"]
    )
