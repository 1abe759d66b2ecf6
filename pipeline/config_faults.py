"""Sentences for what is wrong in a configuration: file, line, place, next step; never a value."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, get_args

from pydantic import BaseModel, ValidationError

from pipeline.fields import nearest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from pipeline.strict_yaml import Document, Place

_PLAIN = {
    "missing": "is required",
    "string_type": "must be text; put it in quotes",
    "path_type": "must be a path",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "finite_number": "must be a finite number",
    "bool_type": "must be true or false",
    "tuple_type": "must be a list: `[a, b]`, or lines that start with `- `",
    "dict_type": "must be a mapping: lines of `name: value`",
    "mapping_type": "must be a mapping: lines of `name: value`",
    "model_type": "must be a mapping: lines of `key: value`",
    "too_short": "must not be empty",
    "string_too_short": "must not be empty",
    "string_too_long": "is too long",
    "string_pattern_mismatch": "may hold only ASCII letters, digits, `-`, `_` and `.`",
    "json_invalid": "the file holds a character that is not valid Unicode; remove the escape",
    "string_unicode": "holds a character that is not valid Unicode",
}
_LIMITS = {
    "greater_than_equal": ("ge", "must be at least"),
    "greater_than": ("gt", "must be more than"),
    "less_than_equal": ("le", "must be at most"),
    "less_than": ("lt", "must be less than"),
}
_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,40}")
_SECRETS = (
    "key", "secret", "salt", "pepper", "password", "passphrase", "secret_key", "hash_key",
    "hmac_key", "privatune_key", "seed_key",
)  # fmt: skip
_LISTS_OF_VALUES = ("allow", "deny")


def sentences(
    exc: ValidationError, document: Document, path: Path, root: type[BaseModel]
) -> list[str]:
    """Translate pydantic's faults, in the order of the file's lines."""
    found: list[tuple[int, str]] = []
    for error in exc.errors(include_url=False):
        # pydantic's own mark; a key that is called so stands at the top, where it sets none
        place = tuple(step for step in error["loc"] if step != "[key]") or error["loc"]
        line = _line(document, place)
        where = f"{path}:{line}: " if line else f"{path}: "
        found += [(line, where + text) for text in _texts(error, place, root)]
    return [text for _, text in sorted(found, key=lambda one: one[0])]


def _texts(error: Mapping[str, Any], place: Place, root: type[BaseModel]) -> Iterator[str]:
    kind, context = error["type"], error.get("ctx", {})
    if kind == "extra_forbidden":
        yield _unknown_key(place, root)
        return
    shown = show(place)
    prefix = f"{shown}: " if shown else ""
    if kind == "value_error":
        # Our own validators' words; those about several places bring their places along.
        yield from (prefix + line for line in str(context["error"]).split("\n"))
    elif kind == "literal_error":
        yield prefix + _choice(context["expected"], error["input"])
    elif kind in _LIMITS:
        name, words = _LIMITS[kind]
        yield f"{prefix}{words} {context[name]:g}"
    elif kind == "model_type":
        yield f"{prefix}{_PLAIN[kind]}; keys here: {', '.join(_fields(place, root))}"
    else:
        yield prefix + _PLAIN.get(kind, "is not valid; see docs/configuration.md")


def _choice(expected: str, given: object) -> str:
    names = tuple(re.findall(r"'([^']*)'", expected))
    near = nearest(given, names) if isinstance(given, str) else ""
    offer = f"; did you mean `{near}`?" if near else ""
    return f"must be one of {', '.join(names)}{offer}"


def _unknown_key(place: Place, root: type[BaseModel]) -> str:
    *parents, key = place
    fields = _fields(tuple(parents), root)
    near = nearest(str(key), fields)
    shown = show(place if near or _may_show(place) else (*parents, "(a key)"))
    if str(key).lower().replace("-", "_") in _SECRETS and _may_show(place):
        return (
            f"{shown}: a key or salt never stands in this file, which travels. Take it out, set "
            "PRIVATUNE_KEY_FILE to a file with mode 0600, and use a new key: this one was in the open"
        )
    elsewhere = [f"`{one}`" for one in _all_keys(root) if one.rsplit(".", 1)[-1] == key]
    if 0 < len(elsewhere) < 4:
        return f"{shown}: unknown key here; it belongs at {' or '.join(elsewhere)}"
    if near:
        return f"{shown}: unknown key; did you mean `{show((*parents, near))}`?"
    return f"{shown}: unknown key; known here: {', '.join(fields)}"


def show(place: Place) -> str:
    """Write a place as `privacy.allow[0].reason`; odd keys are hidden, they may be values."""
    text = ""
    for step in place:
        if isinstance(step, int):
            text += f"[{step}]"
        elif _IDENTIFIER.fullmatch(step) or step == "(a key)":
            text += f".{step}" if text else step
        else:
            text += ".(a key)" if text else "(a key)"
    return text


def _may_show(place: Place) -> bool:
    return not any(step in _LISTS_OF_VALUES for step in place)


def _line(document: Document, place: Place) -> int:
    for end in range(len(place), 0, -1):
        if place[:end] in document.lines:
            return document.lines[place[:end]]
    return 0


def _model(annotation: object) -> type[BaseModel] | None:
    """Find the section inside `Annotated[X, ...] | None` or `tuple[X, ...]`."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for one in get_args(annotation) if (found := _model(one))), None)


def _fields(place: Place, root: type[BaseModel]) -> tuple[str, ...]:
    model: type[BaseModel] | None = root
    for step in place:
        if isinstance(step, str) and model is not None:
            field = model.model_fields.get(step)
            model = _model(field.annotation) if field else None
    return tuple(model.model_fields) if model else ()


def _all_keys(model: type[BaseModel], prefix: str = "") -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield prefix + name
        inner = _model(field.annotation)
        if inner:
            yield from _all_keys(inner, f"{prefix}{name}.")


def without_nulls(raw: object, model: type[BaseModel] | None) -> object:
    """Drop known keys that have no value: they mean their default. Unknown keys stay."""
    if isinstance(raw, list):
        return [without_nulls(one, model) for one in raw]
    if not isinstance(raw, dict) or model is None:
        return raw
    fields = model.model_fields
    return {
        key: without_nulls(value, _model(fields[key].annotation) if key in fields else None)
        for key, value in raw.items()
        if value is not None or key not in fields
    }


def all_keys(root: type[BaseModel]) -> tuple[str, ...]:
    """List every key of the schema as a dotted place."""
    return tuple(_all_keys(root))
