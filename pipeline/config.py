"""`privatune.yaml`: read, checked with every fault at once, fingerprinted.

`load` is the only door. Paths in the file count from its folder. What leaves this module in a
message is the place and the known names, never a value: `allow`, `deny` and the system prompt
may hold personal data.
"""

from __future__ import annotations

import glob
import hashlib
import hmac
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from pydantic import PrivateAttr, ValidationError, model_validator

from pipeline.config_faults import sentences, without_nulls
from pipeline.fields import GATES
from pipeline.sections import Settings
from pipeline.strict_yaml import MAX_BYTES, Document, YamlError, parse
from scrubbers.entities import DATES, policy_types

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

FILE_NAME = "privatune.yaml"
SCHEMA_VERSION = 1
# The sections that decide what `prep` writes.
PREP_SECTIONS = ("data", "privacy", "contract", "tokens", "holdout", "gates", "accept")
_TOKENIZER_FILES = (
    "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
    "chat_template.jinja", "chat_template.json", "vocab.json", "merges.txt", "tokenizer.model",
)  # fmt: skip


class ConfigError(Exception):
    """The configuration cannot be used. One sentence per fault: file, line, place, next step."""

    exit_code = 2

    def __init__(self, faults: Sequence[str]) -> None:
        """Keep all faults; the message is one per line."""
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


class Config(Settings):
    """The settings of one run, checked; `load` makes it."""

    _source: Path | None = PrivateAttr(default=None)

    @property
    def source(self) -> Path | None:
        """The file that it was read from; None for plain defaults."""
        return self._source

    @model_validator(mode="after")
    def _apart(self) -> Self:
        """Originals must not lie in the folder that travels, nor the output over the inputs."""
        faults = list(_mixed_places(self))
        if faults:
            raise ValueError("\n".join(faults))
        return self

    @property
    def dataset(self) -> str:
        """The name that surrogates and keyed hashes depend on."""
        return self.privacy.dataset or self.data.output.resolve().name

    @property
    def actions(self) -> dict[str, str]:
        """What each entity type gets: `replace`, `keep` or `quarantine`."""
        custom: dict[str, str] = {**self.privacy.types}
        if self.privacy.dates != "keep":
            custom = dict.fromkeys(DATES, "replace") | custom
        return policy_types(self.privacy.policy, custom)

    @property
    def checks(self) -> dict[str, str]:
        """What each check does that finds something: `off`, `warn` or `fail`."""
        return {name: self.gates.get(name, row[0]) for name, row in GATES.items()}

    def with_data(self, inputs: Iterable[str] = (), output: Path | None = None) -> Config:
        """Take inputs and output from the command line; they count from the current folder."""
        changes: dict[str, object] = {}
        if given := tuple(str(one) for one in inputs):
            changes["inputs"] = given
        if output is not None:
            changes["output"] = output
        changed = self.model_copy(update={"data": self.data.model_copy(update=changes)})
        if faults := list(_mixed_places(changed)):
            raise ConfigError(faults)
        return changed

    def input_files(self) -> tuple[Path, ...]:
        """Resolve the patterns, each sorted, each file once. Raises ConfigError for no match."""
        found: dict[Path, None] = {}
        faults = []
        for index, pattern in enumerate(self.data.inputs):
            paths = _matches(pattern)
            if not paths:
                faults.append(f"data.inputs[{index}]: no such file, and no file matches it")
            found.update(dict.fromkeys(paths))
        if not self.data.inputs:
            faults.append("data.inputs: names no file; list your data files, or give --input FILES")
        if faults:
            raise ConfigError(faults)
        return tuple(found)

    def system_text(self) -> str | None:
        """Return the production system prompt; one line break at a file's end does not count."""
        words = self.contract.system
        if words is None or words.text is not None:
            return words.text if words else None
        text = _read(words.file, "contract.system.file")
        return text.removesuffix("\n").removesuffix("\r")

    def answer_schema(self) -> dict[str, Any] | None:
        """Return the JSON schema that answers satisfy."""
        place = "contract.answer_schema"
        if self.contract.answer_schema is None:
            return None
        try:
            schema = json.loads(_read(self.contract.answer_schema, place))
        except ValueError:
            raise ConfigError([f"{place}: the file is not JSON; write a JSON schema"]) from None
        if not isinstance(schema, dict):
            raise ConfigError([f"{place}: the file must hold a JSON object"])
        return schema

    def allow_values(self) -> tuple[tuple[str, str], ...]:
        """Return (value, reason) of everything that is kept, files read."""
        return tuple(
            (value, one.reason)
            for index, one in enumerate(self.privacy.allow)
            for value in (
                [one.value]
                if one.value is not None
                else _lines(one.file, f"privacy.allow[{index}].file")
            )
        )

    def deny_values(self) -> tuple[str, ...]:
        """Return everything that is always replaced, files read."""
        return tuple(
            value
            for index, one in enumerate(self.privacy.deny)
            for value in _lines(one.file, f"privacy.deny[{index}].file")
        )

    def fingerprint(self, key: bytes = b"", sections: Iterable[str] = PREP_SECTIONS) -> str:
        """Return 64 hex digits over the effective settings; files enter by content.

        Inputs and output folder are left out: the manifest has the inputs' keyed hashes. Without
        a key the lists of originals enter only by being there, because a plain hash of a list of
        one phone number is the phone number.
        """
        settings = self.model_dump(
            include=set(sections), exclude={"data": {"inputs", "output"}, "train": {"output"}}
        )
        if "privacy" in settings:
            settings["privacy"]["dataset"] = self.dataset
        if "gates" in settings:
            settings["gates"] = self.checks
        plain = {"version": SCHEMA_VERSION, "settings": _by_content(settings, "", key)}
        text = json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()
        return _digest(text, key)


def load(path: str | Path = FILE_NAME, *, files: bool = True) -> Config:
    """Read and check a configuration. Raises ConfigError with every fault at once.

    `files=False` does not ask for the files it refers to: lists of originals stay at home when
    the configuration travels with a prepared folder.
    """
    path = Path(path)
    return from_bytes(_bytes(path), path, files=files)


def from_bytes(data: bytes, path: Path, *, files: bool = True) -> Config:
    """Check a configuration as if it stood at `path`. Raises ConfigError as `load` does."""
    try:
        document = parse(data)
    except YamlError as exc:
        raise ConfigError([f"{path}: {fault}" for fault in exc.faults]) from None
    return _checked(document, path, files=files)


def _checked(document: Document, path: Path, *, files: bool) -> Config:
    raw = without_nulls({} if document.value is None else document.value, Config)
    if isinstance(raw, dict):
        # So that the defaults of sections that are not there count from the folder as well.
        raw = {"data": {}, "train": {}} | raw
    context = {"folder": path.parent, "files": files}
    try:
        # Through JSON, so that strict types take lists for tuples and text for paths.
        config = Config.model_validate_json(json.dumps(raw), strict=True, context=context)
    except ValidationError as exc:
        raise ConfigError(sentences(exc, document, path, Config)) from None
    config._source = path  # noqa: SLF001 -- where the class itself cannot know it
    if files:
        _try_contents(config, path)
    return config


def _try_contents(config: Config, path: Path) -> None:
    """Read every small file that is referred to, so that `prep` does not find out in an hour."""
    faults: list[str] = []
    for attempt in (
        config.system_text, config.answer_schema, config.allow_values, config.deny_values
    ):  # fmt: skip
        try:
            attempt()
        except ConfigError as exc:
            faults += [f"{path}: {fault}" for fault in exc.faults]
    if faults:
        raise ConfigError(faults)


def schema_text() -> str:
    """Return the JSON schema of the file, as published in `docs/privatune.schema.json`."""
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": FILE_NAME,
        **{k: v for k, v in Config.model_json_schema().items() if k != "title"},
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _bytes(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        sentence = "is not there; `privatune init FILES` writes one, --config FILE names another"
    except IsADirectoryError:
        sentence = f"is a folder; name the file in it, such as {FILE_NAME}"
    except OSError as exc:
        sentence = f"cannot be read ({exc.strerror}); check its permissions"
    raise ConfigError([f"{path}: {sentence}"])


def _mixed_places(config: Settings) -> Iterator[str]:
    output = config.data.output.resolve()
    private = {f"privacy.deny[{i}].file": one.file for i, one in enumerate(config.privacy.deny)}
    if config.contract.requests:
        private["contract.requests"] = config.contract.requests
    for i, pattern in enumerate(config.data.inputs):
        private[f"data.inputs[{i}]"] = Path(pattern)
    for place, path in private.items():
        if path.resolve().is_relative_to(output):
            yield f"{place}: lies inside the output folder; keep originals elsewhere"


def _matches(pattern: str) -> list[Path]:
    if Path(pattern).exists():
        return [Path(pattern)]
    return [Path(one) for one in sorted(glob.glob(pattern, recursive=True))]  # noqa: PTH207  # Path.glob takes no absolute pattern


def _read(path: Path | None, place: str) -> str:
    if path is None:
        raise ConfigError([f"{place}: names no file"])
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        sentence = "the file is not UTF-8 text; save it as UTF-8"
    except OSError as exc:
        sentence = f"the file cannot be read ({exc.strerror})"
    raise ConfigError([f"{place}: {sentence}"])


def _lines(path: Path | None, place: str) -> list[str]:
    return [line.strip() for line in _read(path, place).splitlines() if line.strip()]


def _by_content(value: object, place: str, key: bytes) -> object:
    """Replace every path by what it holds."""
    if isinstance(value, dict):
        return {name: _by_content(one, f"{place}.{name}", key) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [_by_content(one, place, key) for one in value]
    if isinstance(value, Path):
        private = place in (".privacy.deny.file", ".privacy.allow.file", ".contract.requests")
        return "given" if private and not key else _content(value, key)
    return value


def _content(path: Path, key: bytes) -> object:
    if path.is_dir():
        return {n: _content(path / n, key) for n in _TOKENIZER_FILES if (path / n).is_file()}
    try:
        return _digest(path.read_bytes(), key)
    except OSError:
        return "missing"


def _digest(data: bytes, key: bytes) -> str:
    return hmac.new(key, data, "sha256").hexdigest() if key else hashlib.sha256(data).hexdigest()
