from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

import pytest

from scrubbers import weights
from scrubbers.weights import RECEIPT, WEIGHTS, ModelsMissing, Weights


@pytest.fixture
def row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Weights:
    digest = hashlib.sha256(b"weights").hexdigest()
    made = Weights(
        "tiny", "tiny", "1", "0" * 64, "tiny", (("sub/w.bin", digest),), (), ("en",), "MIT", "me"
    )
    monkeypatch.setattr(weights, "WEIGHTS", (made,))
    monkeypatch.setattr(weights, "models_root", lambda: tmp_path)
    weights.checked_folder.cache_clear()
    return made


def place(folder: Path, content: bytes) -> None:
    (folder / "sub").mkdir(parents=True)
    (folder / "sub" / "w.bin").write_bytes(content)
    (folder / RECEIPT).write_text("{}")


def test_every_pin_is_a_full_digest() -> None:
    for known in WEIGHTS:
        for digest in (known.sha256, *(digest for _, digest in known.files)):
            assert re.fullmatch(r"[0-9a-f]{64}", digest)


def test_models_lie_in_the_environment_not_in_home() -> None:
    assert weights.models_root().is_relative_to(sys.prefix)


def test_missing_says_what_to_run(row: Weights) -> None:
    with pytest.raises(ModelsMissing, match="privatune models install"):
        weights.checked_folder("tiny")


def test_an_install_without_its_receipt_counts_as_missing(row: Weights, tmp_path: Path) -> None:
    place(tmp_path / "tiny", b"weights")
    (tmp_path / "tiny" / RECEIPT).unlink()
    assert not weights.is_installed("tiny")


def test_one_changed_byte_is_refused_and_named(row: Weights, tmp_path: Path) -> None:
    place(tmp_path / "tiny", b"weightz")
    with pytest.raises(ModelsMissing, match=r"sub/w\.bin"):
        weights.checked_folder("tiny")


def test_a_whole_model_gives_its_folder_and_version(row: Weights, tmp_path: Path) -> None:
    place(tmp_path / "tiny", b"weights")
    assert weights.checked_folder("tiny") == tmp_path / "tiny"
    assert weights.versions(["tiny"]) == {"tiny": f"tiny==1 sha256:{'0' * 64}"}
