"""Answers held against a JSON schema. A message never quotes the answer, only the schema."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from validators.contract import ContractError
from validators.faults import Fault, fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from jsonschema import Draft202012Validator, ValidationError

_FENCED = re.compile(r"^\s*```")
MAX_FAULTS = 20  # per answer: more of them help nobody


def check_answer(text: str, path: str, schema: Mapping[str, Any]) -> list[Fault]:
    """Hold one answer against the schema. Raises ContractError if the schema is unusable."""
    validator, names = _compiled(json.dumps(schema))
    try:
        answer = json.loads(text)
    except (ValueError, RecursionError):
        return [fault("answer-not-json", path, _not_json(text))]
    try:
        errors = sorted(validator.iter_errors(answer), key=lambda error: str(error.json_path))
        return [_describe(error, answer, path, names) for error in errors[:MAX_FAULTS]]
    except RecursionError:
        return [fault("answer-schema", path, "The answer is nested too deeply to be checked.")]
    except Exception as error:  # noqa: BLE001 -- whatever it is, its text may quote the answer
        raise ContractError(_UNRESOLVED.format(type(error).__name__)) from None


def check_schema(schema: Mapping[str, Any]) -> None:
    """Raise ContractError unless the schema is one that `check_answer` can use."""
    _compiled(json.dumps(schema))


_UNRESOLVED = (
    "contract.answer_schema cannot be applied ({}): a reference in it leads nowhere. "
    "References must stay inside the schema; nothing is fetched."
)


@lru_cache(maxsize=8)
def _compiled(schema_text: str) -> tuple[Draft202012Validator, frozenset[str]]:
    from jsonschema import Draft202012Validator, SchemaError  # noqa: PLC0415 -- dear to import
    from referencing import Registry  # noqa: PLC0415 -- dear to import

    schema = json.loads(schema_text)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        place = "/".join(str(step) for step in error.absolute_path) or "its root"
        raise ContractError(
            f"contract.answer_schema is not a JSON schema (Draft 2020-12): see `{error.validator}` "
            f"at {place}. Correct it there."
        ) from None
    # An empty registry: the library's default one would fetch `$ref` addresses over the network.
    return Draft202012Validator(schema, registry=Registry()), frozenset(_names(schema))


def _names(schema: object) -> Iterator[str]:
    """List every property name that the schema itself spells out."""
    if isinstance(schema, dict):
        for key, part in schema.items():
            if key in ("properties", "dependentRequired") and isinstance(part, dict):
                yield from part
            if key == "required" and isinstance(part, list):
                yield from (name for name in part if isinstance(name, str))
            yield from _names(part)
    elif isinstance(schema, list):
        for part in schema:
            yield from _names(part)


def _not_json(text: str) -> str:
    if _FENCED.match(text):
        return "The answer stands in a code fence; production wants bare JSON: take the fence off."
    return "The answer is not JSON, but the contract has an answer schema: correct the answer."


def _describe(error: ValidationError, answer: Any, path: str, names: frozenset[str]) -> Fault:
    where = json_path(list(error.absolute_path), answer, names)
    keyword = str(error.validator or "false")  # a schema that is `false` has no keyword
    sentence = _sentence(keyword, error.validator_value, error.instance)
    return fault("answer-schema", path, f"The answer at `{where}` {sentence}.")


def _sentence(keyword: str, wanted: Any, instance: Any) -> str:
    """Say what the schema's keyword wants there; `wanted` comes from the schema."""
    if keyword == "type":
        kinds = wanted if isinstance(wanted, list) else [wanted]
        return f"must be of type {' or '.join(map(str, kinds))}, it is {_kind(instance)}"
    if keyword == "required":
        missing = [f"`{name}`" for name in wanted if name not in instance]
        return f"lacks {', '.join(missing)}: add what the contract requires"
    if keyword in ("additionalProperties", "unevaluatedProperties"):
        return "has keys that the schema does not know: remove them or add them to the schema"
    if keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"):
        return f"breaks the schema's `{keyword}` of {wanted}"
    if keyword in ("minLength", "maxLength", "minItems", "maxItems"):
        return f"has the wrong length: the schema's `{keyword}` is {wanted}"
    return f"breaks the schema's `{keyword}`"


def _kind(value: object) -> str:
    kinds = {dict: "object", list: "array", str: "string", bool: "boolean", type(None): "null"}
    return kinds.get(type(value), "number")


def json_path(steps: Sequence[object], value: Any, names: frozenset[str]) -> str:
    """Write a path into an answer; a key that the schema does not name shows as `[key n]`."""
    shown = "$"
    for step in steps:
        if isinstance(step, int):
            shown += f"[{step}]"
        elif step in names:
            shown += f".{step}"
        else:
            shown += f"[key {list(value).index(step) + 1}]"
        value = value[step]
    return shown
