"""A model's folder is used only as its card says."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from scrubbers.tagger.card import CARD, MODEL, TOKENIZER, ModelDamaged, card, checked

FILES = {MODEL: b"weights", TOKENIZER: b"pieces"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    body = {
        "version": 1, "languages": ["en"], "temperature": 1.5, "floors": {"PERSON": 0.4},
        "sha256": {name: hashlib.sha256(data).hexdigest() for name, data in FILES.items()},
    }  # fmt: skip
    (tmp_path / CARD).write_text(json.dumps(body), encoding="utf-8")
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    return tmp_path


def test_a_whole_folder_is_read(folder: Path) -> None:
    found = checked(folder)
    assert (found.languages, found.temperature, found.floors) == (("en",), 1.5, {"PERSON": 0.4})


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_changed_or_went_is_told(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"others")
    with pytest.raises(ModelDamaged, match=rf"{name} is not the file"):
        checked(folder)
    (folder / name).unlink()
    with pytest.raises(ModelDamaged, match=rf"{name} cannot be read"):
        checked(folder)


@pytest.mark.parametrize("body", ["", "[]", "{}", '{"version": 1}', '{"version": 2}'])
def test_a_card_that_is_none_is_told(tmp_path: Path, body: str) -> None:
    (tmp_path / CARD).write_text(body, encoding="utf-8")
    with pytest.raises(ModelDamaged, match="install privatune again"):
        card(tmp_path)


def test_a_folder_without_a_card_is_told(tmp_path: Path) -> None:
    with pytest.raises(ModelDamaged, match="card"):
        card(tmp_path)
