from __future__ import annotations

import subprocess
import sys

import pytest

from scrubbers import catalog
from scrubbers.weights import WEIGHTS

HEAVY = ("spacy", "presidio_analyzer", "onnxruntime", "numpy", "lingua", "pandas", "transformers")


def test_every_model_row_has_weights_that_speak_its_languages() -> None:
    known = {row.name: row for row in WEIGHTS}
    for row in catalog.DETECTORS:
        assert (row.kind == "model") == bool(row.weights)
        spoken = {language for name in row.weights for language in known[name].languages}
        assert set(row.languages) == spoken


def test_an_unknown_detector_is_refused_with_the_known_ones() -> None:
    with pytest.raises(catalog.UnknownDetector, match="rules, presidio, spacy, onnx"):
        catalog.chosen(["rules", "magic"])


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
