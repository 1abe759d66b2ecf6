"""Does a text hold an identifier? What `init` asks before it writes a prompt down."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise

from pipeline.config import Config
from pipeline.plan import detector_settings
from scrubbers.detect import DetectorSettings, build
from scrubbers.entities import BALANCED
from scrubbers.language import detect_language
from scrubbers.passage import Passage
from scrubbers.surrogates.lists import is_known


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


def name_is_plain(name: str) -> bool:
    """Whether a file's name holds no identifier and no person's name that rules can see.

    Two known names side by side are a person; so is what the rules find in the words of it.
    """
    words = [word.casefold() for word in re.findall(r"[^\W\d_]+", name)]
    if any(is_known(one) and is_known(other) for one, other in pairwise(words)):
        return False
    settings = DetectorSettings(detectors=("rules",))
    found = build(settings)([Passage(name, "en"), Passage(" ".join(words), "en")])
    return not any(finding.type in BALANCED for one in found for finding in one)
