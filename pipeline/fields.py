"""The forms that values of `privatune.yaml` have: names, paths, shares, and the list of gates.

Every validator's message is free of values: the files and lists named here may hold originals.
"""

from __future__ import annotations

import difflib
import glob
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    GetJsonSchemaHandler,
    StringConstraints,
    ValidationInfo,
    WithJsonSchema,
)

from pipeline.violations import ACCEPTABLE
from scrubbers.catalog import LANGUAGES
from scrubbers.entities import ENTITY_TYPES, LABELS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pydantic.json_schema import JsonSchemaValue
    from pydantic_core import CoreSchema

# Each check that may be switched: what it gets when `gates` is silent, and what it looks at.
# What a user wrote into `contract` is a promise, so breaking it fails; so does a set that changed
# its length. The rest warns.
GATES: Mapping[str, tuple[Literal["off", "warn", "fail"], str]] = {
    "format": ("warn", "a record has the fields and value types of its format"),
    "turns": ("warn", "roles are known, alternate, and the last turn is the assistant's"),
    "empty_answer": ("warn", "the answer to learn from is not empty"),
    "mixed_formats": ("warn", "all records of the set have one format"),
    "volume": ("warn", "300 records show an effect, 1,000 are solid, 10,000 are serious"),
    "duplicates": ("warn", "no record stands in the set twice"),
    "holdout": ("warn", "the holdout could be set apart as asked"),
    "findings_untied": ("warn", "findings that were given carry the hash of the file they are of"),
    "token_drift": (
        "fail",
        "surrogates change the set's length by no more than `tokens.max_drift`",
    ),
    "system_prompt": ("fail", "the system prompt is the one in `contract.system`"),
    "turn_pattern": ("fail", "the turns follow `contract.turns`"),
    "input_form": ("fail", "the user's input has the form in `contract.input`"),
    "answer_schema": ("fail", "the answer is JSON that satisfies `contract.answer_schema`"),
    "required_fields": ("fail", "every field in `contract.required_fields` is there"),
    "forbidden_fields": ("fail", "no field in `contract.forbidden_fields` is there"),
}


def known(names: tuple[str, ...], what: str) -> Callable[[str], str]:
    """Make a validator that accepts one of `names` and offers the nearest, without quoting."""

    def check(name: str) -> str:
        if name in names:
            return name
        near = LABELS.get(name.upper(), ("", None))[0] if what == "an entity type" else ""
        near = near if near in names else nearest(name, names)
        offer = f"did you mean `{near}`?" if near else "known: " + ", ".join(names)
        raise ValueError(f"is not {what}; {offer}")

    return check


def nearest(name: str, names: tuple[str, ...]) -> str:
    """Find the known name that looks most like `name`, or an empty string."""
    folded = {one.lower(): one for one in names}
    close = difflib.get_close_matches(name.lower(), list(folded), n=1, cutoff=0.6)
    return folded[close[0]] if close else ""


def _beside_the_file(path: Path, info: ValidationInfo) -> Path:
    """Relative paths count from the configuration file's folder, wherever the command runs."""
    return Path((info.context or {}).get("folder", "."), path)


def _not_empty(path: Path) -> Path:
    if path == Path():
        raise ValueError("must name a file, or a folder of its own")
    return path


def _beside_the_pattern(pattern: str, info: ValidationInfo) -> str:
    folder = str((info.context or {}).get("folder", "."))
    return str(Path(glob.escape(folder) if glob.has_magic(pattern) else folder, pattern))


def _there(path: Path, info: ValidationInfo) -> Path:
    """Files that stay at home are not there on a rented machine: the caller says which it is."""
    if (info.context or {}).get("files", True) and not path.is_file():
        folder = "a folder, not a file" if path.is_dir() else "not there"
        raise ValueError(f"the file is {folder}; paths count from the configuration's folder")
    return path


def _folder_there(path: Path, info: ValidationInfo) -> Path:
    if (info.context or {}).get("files", True) and not path.is_dir():
        raise ValueError("the folder is not there; paths count from the configuration's folder")
    return path


def file_reference(value: object) -> object:
    """Refuse a value where only a file that holds values may stand."""
    if isinstance(value, str):
        raise ValueError("takes file references only, as `file: PATH`; its values stay at home")  # noqa: TRY004  # pydantic collects ValueErrors
    return value


def this_version(allowed: str, later: tuple[str, ...]) -> BeforeValidator:
    """Make a validator that tells the words of a later version from mistakes."""

    def check(value: object) -> object:
        if value in later:
            raise ValueError(f"this version does only `{allowed}`; the others come later")
        return value

    return BeforeValidator(check)


def _fingerprint(text: str) -> str:
    if not re.fullmatch(r"[0-9a-f]{32,64}", text):
        raise ValueError("must be a public key's fingerprint: 32 to 64 lower-case hex digits")
    return text


Name = Annotated[str, StringConstraints(min_length=1, max_length=200)]
Reason = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Label = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$")]
Share = Annotated[float, Field(ge=0, le=1)]
# Not strict: a path is written as text.
LocalPath = Annotated[
    Path,
    Field(strict=False),
    BeforeValidator(lambda raw: str(raw) if isinstance(raw, Path) else raw),  # a default
    AfterValidator(_not_empty),
    AfterValidator(_beside_the_file),
]
LocalFile = Annotated[LocalPath, AfterValidator(_there)]
LocalFolder = Annotated[LocalPath, AfterValidator(_folder_there)]
Pattern = Annotated[str, StringConstraints(min_length=1), AfterValidator(_beside_the_pattern)]
EntityType = Annotated[
    str,
    AfterValidator(known(ENTITY_TYPES, "an entity type")),
    WithJsonSchema({"type": "string", "enum": list(ENTITY_TYPES)}),
]
# All that `accept` may name. Reconciliation, and a set of nothing, are none of them.
VIOLATIONS = (*GATES, *sorted(ACCEPTABLE))
Violation = Annotated[
    str,
    AfterValidator(known(VIOLATIONS, "a violation that can be accepted")),
    WithJsonSchema({"type": "string", "enum": list(VIOLATIONS)}),
]
GateName = Annotated[
    str,
    AfterValidator(known(tuple(GATES), "a check")),
    WithJsonSchema({"type": "string", "enum": list(GATES)}),
]
Language = Annotated[
    str,
    AfterValidator(known(LANGUAGES, "a language that this version has name detectors for")),
    WithJsonSchema({"type": "string", "enum": list(LANGUAGES)}),
]
Fingerprint = Annotated[str, AfterValidator(_fingerprint)]


class Section(BaseModel):
    """A mapping with known keys only, and no value taken for another type."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", strict=True, hide_input_in_errors=True, allow_inf_nan=False
    )


class Shorthand(Section):
    """A section that may also be written as its first field's value alone."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, core_schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Offer both spellings to editors that check the file against the published schema."""
        section = handler.resolve_ref_schema(handler(core_schema))
        first = next(iter(cls.model_fields))
        short = section["properties"][first]["anyOf"][0]
        return {"anyOf": [short, section], "description": section.pop("description")}


def shorthand(first: str) -> BeforeValidator:
    """Make a validator that spells the short form out, as `{first: text}`."""
    return BeforeValidator(lambda raw: {first: raw} if isinstance(raw, str) else raw)
