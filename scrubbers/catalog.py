"""The one table of all detectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module

from scrubbers.finding import Finding
from scrubbers.passage import Passage

# A detector: passages in, one list of findings for each out, offsets in the passage's text.
Detect = Callable[[Sequence[Passage]], list[list[Finding]]]


@dataclass(frozen=True, slots=True)
class Row:
    """`build`: `module:function` that takes the wanted names of its rows and returns a Detect.

    Rows with one `build` are built together. `weights`: the models it needs; `languages`: those
    in which it finds names, of a text; empty for what holds in every language.
    """

    name: str
    help: str
    kind: str
    languages: tuple[str, ...]
    weights: tuple[str, ...]
    build: str


DETECTORS: tuple[Row, ...] = (
    Row("rules", "our own patterns, checksums and cue words", "rule", (), (),
        "scrubbers.detect:build_rules"),
    Row("presidio", "Presidio's patterns, checksums and context words", "rule", (), (),
        "scrubbers.detect:build_presidio"),
    Row("spacy", "names by spaCy's NER; in other languages it confirms the next one", "model",
        ("en",), ("en-md",), "scrubbers.names:build"),
    Row("onnx", "names and addresses by the Rampart model on ONNX Runtime", "model",
        ("en", "es", "fr", "de", "it", "pt", "nl"), ("rampart",), "scrubbers.names:build"),
)  # fmt: skip
NAMES: tuple[str, ...] = tuple(row.name for row in DETECTORS)


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


def _load(path: str) -> Callable[[Sequence[str]], Detect]:
    module, _, function = path.partition(":")
    found: Callable[[Sequence[str]], Detect] = getattr(import_module(module), function)
    return found
