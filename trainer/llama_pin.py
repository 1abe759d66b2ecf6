"""llama.cpp's converter as this version knows it: which package carries it, and its hashes."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

# The source archive of llama-cpp-python holds llama.cpp whole; only the converter's own files are
# kept of it. Digests computed from the archive on the package index on 2026-11-30.
PACKAGE, VERSION = "llama-cpp-python", "0.3.36"
SHA256 = "832db0699007f1be95a7e41ef12e88926b02ba836461e36a36372db2760c1a2e"
INSIDE = f"llama_cpp_python-{VERSION}/vendor/llama.cpp/"
KEPT = ("convert_hf_to_gguf.py", "conversion/", "gguf-py/gguf/", "gguf-py/LICENSE", "LICENSE")
TREE = "76296e8fa1f347efd0fec461af33c4a6bfa08a0e164b02e3174014735e50a575"
LICENCE = "MIT, the ggml authors"


def root() -> Path:
    """Where the pinned converter lies: part of the environment, so it goes when that goes."""
    return Path(sys.prefix) / "share" / "privatune" / "llama.cpp"


def kept(name: str) -> str | None:
    """The place in our folder of a file of the archive; None for what is left out."""
    inner = name.removeprefix(INSIDE)
    if inner == name or ".." in inner.split("/") or inner.startswith("/"):
        return None
    wanted = any(inner == part or (part.endswith("/") and inner.startswith(part)) for part in KEPT)
    return inner if wanted and inner.endswith((".py", "LICENSE")) else None


def tree_hash(folder: Path) -> str:
    """SHA-256 over the names and hashes of all files below a folder, but for compiled ones."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            name = path.relative_to(folder).as_posix()
            digest.update(f"{name} {hashlib.sha256(path.read_bytes()).hexdigest()}\n".encode())
    return digest.hexdigest()


def is_pinned(folder: Path) -> bool:
    """Whether a folder holds the converter exactly as pinned."""
    return folder.is_dir() and tree_hash(folder) == TREE
