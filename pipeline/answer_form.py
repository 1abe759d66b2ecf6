"""The smallest JSON schema that a set of answers satisfies: names and types, never a value."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# A key that looks like this is a field; anything else may be somebody's name or number.
_FIELD = re.compile(r"[A-Za-z_$][A-Za-z0-9_$-]{0,40}")
_MAX_FIELDS = 60  # more keys than this in one object are data, not fields
_MIN_SHARE = 0.05  # a key that fewer objects have is not part of the form
_MAX_DEPTH = 6


@dataclass(slots=True)
class Form:
    """What was seen at one place: types, and for objects and arrays what is in them."""

    count: int = 0
    types: Counter[str] = field(default_factory=Counter)
    fields: dict[str, Form] = field(default_factory=dict)
    items: Form | None = None
    wide: bool = False  # an object with keys that are data

    def add(self, value: object, depth: int = 0) -> None:
        """Take one more value into account; it is not kept."""
        self.count += 1
        self.types[_type(value)] += 1
        if isinstance(value, dict):
            self._add_fields(value, depth)
        elif isinstance(value, list) and depth < _MAX_DEPTH:
            self.items = self.items or Form()
            for item in value:
                self.items.add(item, depth + 1)

    def _add_fields(self, value: dict[str, object], depth: int) -> None:
        for name, item in value.items():
            if not _FIELD.fullmatch(name) or depth >= _MAX_DEPTH:
                continue
            if name not in self.fields and len(self.fields) >= _MAX_FIELDS:
                self.wide = True
                continue
            self.fields.setdefault(name, Form()).add(item, depth + 1)

    def names(self) -> Iterator[str]:
        """Every field name that a schema of this form would show, inner ones too."""
        for name, inner in self._kept():
            yield name
            yield from inner.names()
        if self.items:
            yield from self.items.names()

    def schema(self, hide: frozenset[str] = frozenset()) -> dict[str, Any]:
        """Return the schema without the names in `hide`. Fields that always stood are required."""
        found: dict[str, Any] = {}
        types = sorted(self.types)
        if types:
            found["type"] = types[0] if len(types) == 1 else types
        kept = {name: inner for name, inner in self._kept() if name not in hide}
        if kept:
            found["properties"] = {name: inner.schema(hide) for name, inner in kept.items()}
            always = [name for name, inner in kept.items() if inner.count == self.types["object"]]
            if always:
                found["required"] = always
        if self.items and self.items.count:
            found["items"] = self.items.schema(hide)
        return found

    def _kept(self) -> Iterator[tuple[str, Form]]:
        if self.wide:
            return
        for name, inner in self.fields.items():
            if inner.count >= _MIN_SHARE * self.types["object"]:
                yield name, inner


def answer_schema(form: Form, find_identifiers: Callable[[str], bool]) -> dict[str, Any]:
    """Return a schema of all answers; a name in which an identifier is found is left out."""
    hidden = frozenset(name for name in set(form.names()) if find_identifiers(name))
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **form.schema(hidden)}


def _type(value: object) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, dict):
        return "object"
    if isinstance(value, list):
        return "array"
    # Whether a total is 1250 or 1250.5 is chance; a schema that tells them apart breaks later.
    return "string" if isinstance(value, str) else "number"
