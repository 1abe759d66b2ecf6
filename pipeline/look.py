"""Does a text hold an identifier? What `init` asks before it writes a prompt down."""

from __future__ import annotations

from collections.abc import Callable

from pipeline.config import Config
from pipeline.plan import detector_settings
from scrubbers.detect import build
from scrubbers.language import detect_language
from scrubbers.passage import Passage


def identifiers_in(*, fast: bool) -> Callable[[str], bool]:
    """A test for identifiers of the balanced policy; the detectors are built at the first call."""
    config = Config()
    settings = detector_settings(config, fast=fast)
    made: list[Callable[[str], bool]] = []

    def found(text: str) -> bool:
        if not made:
            detector = build(settings)
            made.append(
                lambda text: any(
                    config.actions[finding.type] != "keep"
                    for finding in detector([Passage(text, detect_language(text, "en"))])[0]
                )
            )
        return made[0](text)

    return found
