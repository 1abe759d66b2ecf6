"""The unit that detectors read: one leaf's text, its language and the JSON key above it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Passage:
    """text: code points; language: ISO 639-1 or "und"; label: nearest JSON key name, or ""."""

    text: str
    language: str
    label: str = ""
