import io
import os
import sys
import tarfile
from pathlib import Path

import pytest

from pipeline import converter
from pipeline.models import ModelInstallError
from trainer import llama_pin
from trainer.llama_cpp import CONVERTER, find


@pytest.fixture(autouse=True)
def prefix(tmp_path, monkeypatch):
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "env"))
    monkeypatch.delenv("PRIVATUNE_LLAMA_CPP", raising=False)
    return tmp_path / "env"


def archive(folder, files):
    folder.mkdir()
    path = folder / f"llama_cpp_python-{llama_pin.VERSION}.tar.gz"
    with tarfile.open(path, "w:gz") as packed:
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            packed.addfile(member, io.BytesIO(text))
    return folder


def test_another_archive_is_refused_and_nothing_is_left(tmp_path, prefix):
    source = archive(tmp_path / "wheels", {llama_pin.INSIDE + CONVERTER: b"print('other')"})
    with pytest.raises(ModelInstallError, match="hash that is pinned"):
        converter.install_converter(source)
    assert converter.state().state == "absent"
    assert not [path for path in prefix.rglob("*") if path.is_file()]
    with pytest.raises(ModelInstallError, match="no such folder"):
        converter.install_converter(tmp_path / "nowhere")


@pytest.mark.parametrize(
    ("name", "place"),
    [(CONVERTER, CONVERTER), ("conversion/llama.py", "conversion/llama.py"),
     ("gguf-py/gguf/vocab.py", "gguf-py/gguf/vocab.py"), ("LICENSE", "LICENSE"),
     ("gguf-py/tests/test_x.py", None), ("conversion/x.so", None), ("src/llama.cpp", None),
     ("conversion/../../x.py", None), ("conversion//../x.py", None)],
)  # fmt: skip
def test_what_is_kept_of_the_archive(name, place):
    assert llama_pin.kept(llama_pin.INSIDE + name) == place
    assert llama_pin.kept(name) is None


def test_a_changed_converter_is_damaged_and_not_used(prefix):
    root = llama_pin.root()
    root.mkdir(parents=True)
    (root / CONVERTER).write_text("")
    assert converter.state().state == "damaged"
    assert find().converter is None


@pytest.mark.slow
def test_the_pinned_archive_gives_the_pinned_converter(prefix):
    folder = os.environ.get("PRIVATUNE_TEST_LLAMA_ARCHIVE")
    if not folder:
        pytest.skip("PRIVATUNE_TEST_LLAMA_ARCHIVE names no folder with the source archive")
    said = []
    assert converter.install_converter(Path(folder), said.append).state == "installed"
    assert find().converter == llama_pin.root() / CONVERTER
    assert converter.install_converter(None, said.append).state == "installed"
    assert len(said) == 1
    assert "installed" in converter.state().as_text()
