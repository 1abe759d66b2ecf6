"""All that decides a scan, apart from the records; flat, so that it travels to workers."""

from __future__ import annotations

from dataclasses import dataclass, field

from pipeline.own_key import Spellings
from scrubbers.detect import DetectorSettings
from validators.checks import Contract


@dataclass(frozen=True)
class Plan:
    """All that decides a scan; flat and picklable, so that any worker gives the same entries."""

    actions: dict[str, str]
    settings: DetectorSettings
    contract: Contract
    format: str
    scope: str
    unscanned: str
    valid_checksums: bool
    dates: str
    group_by: tuple[str, ...]
    surrogate_key: bytes
    value_key: bytes
    record_key: bytes
    given: str = ""
    own_key: Spellings = field(default_factory=Spellings)
