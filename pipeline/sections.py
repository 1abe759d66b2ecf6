"""The sections of `privatune.yaml`: names, forms, defaults. What they mean is in `docs/`."""

from __future__ import annotations

from collections.abc import Mapping  # pydantic reads it at run time
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from pipeline.fields import (
    EntityType,
    Fingerprint,
    GateName,
    Label,
    Language,
    LocalFile,
    LocalFolder,
    LocalPath,
    Name,
    Pattern,
    Reason,
    Section,
    Share,
    Shorthand,
    Violation,
    file_reference,
    shorthand,
    this_version,
)
from pipeline.sections_train import Export, Train
from scrubbers.catalog import DEFAULT, LANGUAGES, DetectorName


class Data(Section):
    """What is read and where the prepared folder goes."""

    inputs: tuple[Pattern, ...] = Field(
        default=(), description="Input files, folders or patterns (`data/*.jsonl`)."
    )
    format: Literal[
        "auto", "messages", "alpaca", "sharegpt", "prompt-completion", "preference", "text"
    ] = Field(default="auto", description="Format of the records; `auto` looks at each file.")
    output: LocalPath = Field(
        default=Path("prepared"), description="The prepared folder.", validate_default=True
    )
    output_format: Literal["same", "messages"] = Field(
        default="same", description="Write the input's own format, or `messages`."
    )
    max_quarantine: Share = Field(
        default=0.05, description="Share of quarantined records above which `prep` fails."
    )


class FileReference(Section):
    """A file whose lines are values that stay at home."""

    file: LocalFile = Field(description="A UTF-8 file with one value per line.")


class Allowed(Section):
    """A value, or a file of values, that stays as it is, with the reason."""

    value: Name | None = Field(default=None, description="A value that is kept.", repr=False)
    file: LocalFile | None = Field(
        default=None, description="A UTF-8 file with one kept value per line."
    )
    reason: Reason = Field(description="Why this may stay; the report shows it.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.value is None) == (self.file is None):
            raise ValueError("needs either `value` or `file`")
        return self


class Privacy(Section):
    """What is looked for and what happens to it."""

    policy: Literal["balanced", "strict", "custom"] = Field(
        default="balanced", description="Which types are replaced."
    )
    types: Mapping[EntityType, Literal["replace", "keep", "quarantine"]] = Field(
        default={}, description="What single types get, over the policy."
    )
    scope: Literal["dataset", "record"] = Field(
        default="dataset", description="Where one value has one surrogate."
    )
    dataset: Label | None = Field(
        default=None,
        description="Name that the surrogates depend on; default: the output folder's name.",
    )
    key_epoch: int | None = Field(
        default=None,
        ge=1,
        le=999_999,
        description="Epoch of the secret key, to add to an older data set; default: the newest.",
    )
    vault: LocalFile | None = Field(
        default=None,
        description="Public key file of a vault: originals are kept, encrypted, in keep/vault.bin.",
    )
    languages: tuple[Language, ...] = Field(
        default=LANGUAGES, min_length=1, description="Languages that names are looked for in."
    )
    detectors: tuple[DetectorName, ...] = Field(
        default=DEFAULT,
        min_length=1,
        description="Detectors that run.",
    )
    thresholds: Mapping[EntityType, Share] = Field(
        default={}, description="Lowest score at which a finding of a type counts."
    )
    allow: tuple[Allowed, ...] = Field(
        default=(), description="Values that are kept, with reasons."
    )
    deny: tuple[Annotated[FileReference, BeforeValidator(file_reference)], ...] = Field(
        default=(), description="Files of values that are always replaced."
    )
    dates: Literal["keep", "shift", "generalise"] = Field(
        default="keep",
        description="`shift` moves all dates of a record by one secret interval, `generalise` leaves "
        "month and year; `keep`: dates of birth are replaced, others as the policy says.",
    )
    surrogates: Literal["invalid", "valid"] = Field(
        default="invalid", description="Checksums of surrogates that have no reserved range."
    )
    unscanned_languages: Literal["quarantine", "keep"] = Field(
        default="quarantine", description="What records in a language without a name detector get."
    )

    @model_validator(mode="after")
    def _custom_says_something(self) -> Self:
        if self.policy == "custom" and not self.types:
            raise ValueError("policy `custom` replaces only what `types` says: add `types`")
        return self


class Words(Shorthand):
    """A text, given in place or as `file: PATH`."""

    text: str | None = Field(default=None, min_length=1, repr=False, description="The text itself.")
    file: LocalFile | None = Field(default=None, description="A UTF-8 file that holds the text.")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.text is None) == (self.file is None):
            raise ValueError("needs either a text or `file: PATH`")
        return self


class Template(Shorthand):
    """A template, by name or as `file: PATH`."""

    name: Literal["chat", "alpaca", "alpaca-fr", "plain"] | None = Field(
        default=None,
        description="`chat`: the tokenizer's own chat template; `alpaca`, `alpaca-fr`: text with "
        "sections; `plain`: prompt and answer as they are.",
    )
    file: LocalFile | None = Field(
        default=None, description="A Jinja chat template of your own, or a text with placeholders."
    )

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.name is None) == (self.file is None):
            raise ValueError("needs a name (`chat`, `alpaca`, ...) or `file: PATH`, not both")
        return self


class Contract(Section):
    """What a production request looks like; what is not given is not checked."""

    system: Annotated[Words, shorthand("text")] | None = Field(
        default=None,
        description="The system prompt that production sends: a text, or `file: PATH`.",
    )
    turns: Literal["any", "single", "alternating", "multi"] = Field(
        default="any",
        description="`single`: one answer; `alternating`: user and assistant; `multi`: two or more.",
    )
    input: Literal["any", "text", "json"] = Field(
        default="any", description="Form of the user's input."
    )
    answer_schema: LocalFile | None = Field(
        default=None, description="A JSON schema file that every answer satisfies."
    )
    template: Annotated[Template, shorthand("name")] = Field(
        default_factory=lambda: Template(name="chat"),
        description="Template that production renders requests with.",
    )
    requests: LocalFile | None = Field(
        default=None, description="Captured production requests; they stay at home."
    )
    required_fields: tuple[Name, ...] = Field(
        default=(), description="Fields that every record has."
    )
    forbidden_fields: tuple[Name, ...] = Field(default=(), description="Fields that no record has.")


class Tokens(Section):
    """How records are counted and what happens to long ones; answers are never cut."""

    tokenizer: LocalFolder | None = Field(
        default=None, description="A local tokenizer or model folder."
    )
    max_length: int = Field(
        default=2048, ge=16, le=10_000_000, description="Longest record, in tokens."
    )
    over_length: Annotated[
        Literal["fail", "drop"], this_version("fail` or `drop", ("split-turns",))
    ] = Field(default="fail", description="What happens when records are longer.")
    max_drift: Share = Field(
        default=0.25,
        description="Share by which surrogates may make the set longer or shorter, in tokens "
        "(without a tokenizer: in characters).",
    )


_FRACTIONS = {"anyOf": [{"const": 0}, {"type": "number", "minimum": 0.05, "maximum": 0.1}]}


def _fraction(value: float) -> float:
    if value != 0 and not 0.05 <= value <= 0.10:
        raise ValueError("must be from 0.05 to 0.10, or 0 for no holdout")
    return value


def _stratify(names: tuple[str, ...]) -> tuple[str, ...]:
    if names:
        raise ValueError("this version does not stratify yet; leave it empty")
    return names


class Holdout(Section):
    """The records that the model never trains on."""

    fraction: Annotated[float, AfterValidator(_fraction), WithJsonSchema(_FRACTIONS)] = Field(
        default=0.1, description="Share of the records, 0.05 to 0.10; 0: none."
    )
    group_by: tuple[Name, ...] = Field(
        default=(), description="Record fields whose equal values stay on one side."
    )
    stratify: Annotated[
        tuple[Literal["source", "language", "length"], ...], AfterValidator(_stratify)
    ] = Field(default=(), description="What the holdout has in the same shares as the whole.")


class Accepted(Section):
    """One violation that is accepted by name."""

    violation: Violation = Field(description="Its name, as the report prints it.")
    reason: Reason = Field(description="Why it is accepted; the report shows it.")


class Settings(Section):
    """`privatune.yaml`: how raw files become a training set, an adapter and a served model."""

    data: Data = Field(default_factory=Data, description=Data.__doc__)
    privacy: Privacy = Field(default_factory=Privacy, description=Privacy.__doc__)
    contract: Contract = Field(default_factory=Contract, description=Contract.__doc__)
    tokens: Tokens = Field(default_factory=Tokens, description=Tokens.__doc__)
    holdout: Holdout = Field(default_factory=Holdout, description=Holdout.__doc__)
    gates: Mapping[GateName, Literal["off", "warn", "fail"]] = Field(
        default={}, description="What a check does that finds something."
    )
    accept: tuple[Accepted, ...] = Field(default=(), description="Violations accepted by name.")
    train: Train = Field(default_factory=Train, description=Train.__doc__)
    prices: LocalFile | None = Field(default=None, description="A price file for `plan`.")
    export: Export = Field(default_factory=Export, description=Export.__doc__)
    trust: tuple[Fingerprint, ...] = Field(
        default=(), description="Public keys whose prepared folders are accepted."
    )
