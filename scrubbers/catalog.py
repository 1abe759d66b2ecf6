"""The one table of all detectors."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Literal

from scrubbers.finding import Finding
from scrubbers.passage import Passage

# A detector: passages in, one list of findings for each out, offsets in the passage's text.
Detect = Callable[[Sequence[Passage]], list[list[Finding]]]
DetectorName = Literal["rules", "presidio", "spacy", "onnx", "tagger"]


@dataclass(frozen=True, slots=True)
class Row:
    """`build`: `module:function` that takes the wanted names of its rows and returns a Detect.

    Rows with one `build` are built together. `weights`: the models it needs beside what ships;
    `languages`: those in which it finds names, of a text; empty for what holds in every language.
    `floors`: `module:function` that gives, by entity type, the least score that counts where the
    user sets none; empty where every finding counts.
    """

    name: str
    help: str
    kind: str
    languages: tuple[str, ...]
    weights: tuple[str, ...]
    build: str
    floors: str = ""


TAGGER = "tagger"
# Those of the tagger's card: names are looked for in these where nothing else is said.
LANGUAGES = ("en", "es", "fr", "de", "it", "pt", "nl", "pl", "ro", "sv", "no", "da", "fi")
DETECTORS: tuple[Row, ...] = (
    Row("rules", "our own patterns, checksums and cue words", "rule", (), (),
        "scrubbers.detect:build_rules"),
    Row("presidio", "Presidio's patterns, checksums and context words", "rule", (), (),
        "scrubbers.detect:build_presidio"),
    Row("spacy", "names by spaCy's NER; in other languages it confirms the next one", "model",
        ("en",), ("en-md",), "scrubbers.names:build"),
    Row("onnx", "names and addresses by the Rampart model on ONNX Runtime", "model",
        ("en", "es", "fr", "de", "it", "pt", "nl"), ("rampart",), "scrubbers.names:build"),
    Row(TAGGER, "names, places and free-form identifiers by our own tagger", "model",
        LANGUAGES, (), "scrubbers.tagger.engine:build", "scrubbers.tagger.engine:floors"),
)  # fmt: skip
# What runs where nothing else is said.
DEFAULT: tuple[DetectorName, ...] = ("rules", "presidio", "tagger")
NAMES: tuple[str, ...] = tuple(row.name for row in DETECTORS)
# What these find is a guess, where a rule's label or check sum knows.
MODELS = frozenset(row.name for row in DETECTORS if row.kind == "model")


class UnknownDetector(Exception):
    """A detector was asked for that is not in the table."""


def chosen(names: Sequence[str]) -> list[Row]:
    """The rows of these names, in the table's order. Raises UnknownDetector."""
    for name in names:
        if name not in NAMES:
            raise UnknownDetector(
                f"privacy.detectors names a detector that does not exist; known: {', '.join(NAMES)}."
            )
    return [row for row in DETECTORS if row.name in names]


def name_languages(names: Sequence[str]) -> frozenset[str]:
    """The languages in which the named detectors find names."""
    return frozenset(language for row in chosen(names) for language in row.languages)


def builders(names: Sequence[str]) -> list[Detect]:
    """The detectors of these names, each build function called once. Raises UnknownDetector."""
    groups: dict[str, list[str]] = {}
    for row in chosen(names):
        groups.setdefault(row.build, []).append(row.name)
    return [_load(path)(wanted) for path, wanted in groups.items()]


def floors(names: Sequence[str]) -> dict[str, Mapping[str, float]]:
    """Detector -> entity type -> least score where the user sets none. Raises UnknownDetector."""
    return {row.name: _load(row.floors)() for row in chosen(names) if row.floors}


def _load(path: str) -> Callable[..., Any]:
    module, _, function = path.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found
