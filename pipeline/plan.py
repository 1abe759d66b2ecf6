"""From the configuration to flat parameters: where the configuration stops."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from pipeline.config import Config
from pipeline.package_versions import versions_of
from pipeline.scan_plan import Plan
from pipeline.template import template_of
from scrubbers.catalog import TAGGER, chosen
from scrubbers.detect import AllowEntry, DetectorSettings
from scrubbers.keys import subkey
from scrubbers.tagger import card
from scrubbers.weights import WEIGHTS, is_installed
from validators.checks import Contract, Fault

CountTokens = Callable[[list[object]], list[int]]

# Packages whose version can change what is found or what replaces it.
DECIDING = (
    "privatune", "presidio-analyzer", "spacy", "onnxruntime", "tokenizers", "numpy",
    "lingua-language-detector", "phonenumbers", "python-stdnum", "faker",
)  # fmt: skip


@dataclass(frozen=True)
class Recorded:
    """How a prepared folder was scanned, from its manifest and, where given, the configuration."""

    actions: dict[str, str]
    settings: DetectorSettings


def detector_settings(config: Config, *, fast: bool = False) -> DetectorSettings:
    """The detectors that `config` asks for; `fast` leaves the models out."""
    privacy = config.privacy
    return DetectorSettings(
        detectors=("rules",) if fast else privacy.detectors,
        languages=privacy.languages,
        thresholds=dict(privacy.thresholds),
        allow=tuple(AllowEntry(value, reason) for value, reason in config.allow_values()),
        deny=config.deny_values(),
        dates=date_mode(config.privacy.dates, config.actions),
    )


def date_mode(setting: str, actions: Mapping[str, str]) -> str:
    """How detection reads dates: strictly where they are moved, made coarse, or drawn (`strict`)."""
    if setting == "keep":
        return "draw" if actions["DATE_TIME"] == "replace" else ""
    return setting


def _dates(setting: str) -> str:
    return "" if setting == "keep" else setting


def contract_of(config: Config) -> Contract:
    """The contract section as the validators take it."""
    contract = config.contract
    return Contract(
        system=config.system_text(),
        turns=contract.turns,
        input=contract.input,
        required_fields=contract.required_fields,
        forbidden_fields=contract.forbidden_fields,
        answer_schema=config.answer_schema(),
    )


def build_plan(config: Config, secret: bytes, dataset: str, settings: DetectorSettings) -> Plan:
    """All that decides a scan, with one subkey for each purpose."""
    return Plan(
        actions=config.actions,
        settings=settings,
        contract=contract_of(config),
        format=config.data.format,
        scope=config.privacy.scope,
        unscanned=config.privacy.unscanned_languages,
        valid_checksums=config.privacy.surrogates == "valid",
        dates=_dates(config.privacy.dates),
        group_by=config.holdout.group_by,
        surrogate_key=subkey(secret, "surrogate", dataset),
        value_key=subkey(secret, "value", dataset),
        record_key=subkey(secret, "record", dataset),
    )


def token_counter(config: Config) -> CountTokens | None:
    """Records -> token counts of their training text; None without a tokenizer."""
    if config.tokens.tokenizer is None:
        return None
    from trainer.templates import counter  # noqa: PLC0415  transformers is slow to import

    return counter(config.tokens.tokenizer, template_of(config))


def refused(count: CountTokens, values: list[object]) -> Iterable[Fault | None]:
    """Why the trainer would refuse each record; nothing of a counter that cannot tell."""
    faults: Callable[[list[object]], Iterable[Fault | None]] | None = getattr(count, "faults", None)
    return faults(values) if faults else [None] * len(values)


def versions(settings: DetectorSettings) -> dict[str, Any]:
    """Versions of the packages, and hashes of the weights, that decide a run."""
    packages = versions_of(DECIDING)
    brought = any(row.weights for row in chosen(settings.detectors))
    models = {row.name: row.sha256 for row in WEIGHTS if brought and is_installed(row.name)}
    shipped = card.versions() if TAGGER in settings.detectors else {}
    return {"packages": packages, "models": models | shipped}


def recorded(manifest: dict[str, Any], config: Config | None) -> Recorded:
    """How the folder of `manifest` was scanned; lists of values come only from `config`."""
    told = manifest["privacy"]
    allow = config.allow_values() if config else ()
    return Recorded(
        dict(told["actions"]),
        DetectorSettings(
            detectors=tuple(told["detectors"]),
            languages=tuple(told["languages"]),
            thresholds=dict(told["thresholds"]),
            allow=tuple(AllowEntry(value, reason) for value, reason in allow),
            deny=config.deny_values() if config else (),
            dates=date_mode(told.get("dates", "keep"), told["actions"]),
        ),
    )
