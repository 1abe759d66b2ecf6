"""For tests that need a detection model: they fail without it, unless told to skip."""

from __future__ import annotations

import os

import pytest

from scrubbers.weights import is_installed


def need(*names: str) -> None:
    if all(map(is_installed, names)):
        return
    if os.environ.get("PRIVATUNE_TEST_WITHOUT_MODELS") == "1":
        pytest.skip("detection models are not installed")
    pytest.fail(
        "This test needs the detection models. Run `privatune models install`, or set "
        "PRIVATUNE_TEST_WITHOUT_MODELS=1 to go without."
    )
