from __future__ import annotations

import subprocess
import sys
from typing import get_args

import pytest

from scrubbers import catalog
from scrubbers.entities import ENTITY_TYPES
from scrubbers.tagger.card import card
from scrubbers.weights import WEIGHTS

HEAVY = (
    "spacy", "presidio_analyzer", "onnxruntime", "tokenizers", "numpy", "lingua", "pandas",
    "transformers",
)  # fmt: skip


def test_a_row_speaks_the_languages_of_its_models() -> None:
    known = {row.name: row for row in WEIGHTS}
    for row in catalog.DETECTORS:
        shipped = card().languages if row.name == "tagger" else ()
        brought = [language for name in row.weights for language in known[name].languages]
        assert set(row.languages) == {*brought, *shipped}
        assert (row.kind == "model") == bool(row.languages)


def test_names_are_looked_for_in_every_language_of_a_detector() -> None:
    assert set(catalog.LANGUAGES) == catalog.name_languages(catalog.NAMES)


def test_floors_are_those_of_the_detectors_in_use() -> None:
    assert catalog.floors(["rules", "presidio", "onnx"]) == {}
    floors = catalog.floors(["rules", "tagger"])["tagger"]
    assert set(floors) == set(ENTITY_TYPES)


def test_an_unknown_detector_is_refused_with_the_known_ones() -> None:
    with pytest.raises(catalog.UnknownDetector, match="rules, presidio, spacy, onnx, tagger"):
        catalog.chosen(["rules", "magic"])


def test_the_names_of_the_configuration_are_those_of_the_table() -> None:
    assert get_args(catalog.DetectorName) == catalog.NAMES
    assert set(catalog.DEFAULT) <= set(catalog.NAMES)


def test_both_name_models_become_one_detector() -> None:
    assert len(catalog.builders(["rules", "spacy", "onnx"])) == 2


def test_rules_alone_look_for_no_names() -> None:
    assert catalog.name_languages(["rules", "presidio"]) == frozenset()


@pytest.mark.parametrize(
    "module", ["scrubbers.catalog", "scrubbers.detect", "scrubbers.record_scan"]
)
def test_importing_loads_nothing_heavy(module: str) -> None:
    code = f"import sys, {module}; print([m for m in {HEAVY} if m in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
