"""llama.cpp on the user's machine: found, and run in processes of their own.

Nothing is fetched or built here. The converter is llama.cpp's own script with the `gguf` package
beside it; smaller forms are made by `llama-quantize`, or by a llama.cpp library in a named folder.
"""

from __future__ import annotations

import errno
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from trainer import llama_pin

CONVERTER, BINARY, VARIABLE = "convert_hf_to_gguf.py", "llama-quantize", "PRIVATUNE_LLAMA_CPP"
# llama_ftype in llama.h, for the forms that the converter does not write itself.
QUANTISED: Mapping[str, int] = {"Q4_K_M": 15, "Q5_K_M": 17, "Q6_K": 18}
CONVERTED: Mapping[str, str] = {"F16": "f16", "BF16": "bf16", "Q8_0": "q8_0"}
_LIBRARY = re.compile(r"libllama(\.v?[\d.]+)?\.(so|dylib)(\.[\d.]+)?")
_FOLDERS = ("", "llama.cpp", "vendor/llama.cpp")
_BUILT = ("build/bin", "bin", "build", "lib", "bins/*", "")

CLONE = (
    "Clone llama.cpp (ggml-org/llama.cpp) with git on a machine with a network and name the folder "
    "(`--llama-cpp DIR`, or PRIVATUNE_LLAMA_CPP)"
)
GET = f"{CLONE}; or run `privatune models install llama-cpp`, which brings the converter alone"
BUILD = (
    "in that folder `cmake -B build && cmake --build build --target llama-quantize` (needs git, "
    "cmake and build-essential; on a Mac run `xcode-select --install` first)"
)


class ToolsMissing(Exception):
    """llama.cpp, or the part of it that a form needs, was not found."""


class ConvertError(Exception):
    """llama.cpp's tools ran and did not give a file."""


@dataclass(frozen=True, slots=True)
class Tools:
    """What was found: the converter's script, a quantiser, a library; None where there is none."""

    converter: Path | None
    quantiser: Path | None
    library: Path | None

    def check(self, forms: Sequence[str]) -> None:
        """Raises ToolsMissing when a form cannot be made, with what to install."""
        if forms and self.converter is None:
            raise ToolsMissing(
                f"No llama.cpp converter ({CONVERTER}) for GGUF files. {GET}; or export without "
                "GGUF (`--no-gguf`)."
            )
        dear = [form for form in forms if form in QUANTISED]
        if dear and self.quantiser is None and self.library is None:
            raise ToolsMissing(
                f"{', '.join(dear)} needs {BINARY} or a llama.cpp library, and neither was found. "
                f"{CLONE}, then {BUILD}. Q8_0, F16 and BF16 need no compiler (`--quantisation Q8_0`)."
            )


def find(folders: Sequence[Path] = ()) -> Tools:
    """Look in the folders named, in PRIVATUNE_LLAMA_CPP, in the pinned place, and on PATH.

    Raises ToolsMissing for a folder named that is none, or holds nothing of llama.cpp.
    """
    named = [
        *folders,
        *(Path(part) for part in os.environ.get(VARIABLE, "").split(os.pathsep) if part),
    ]
    for folder in named:
        if not folder.is_dir() or _look([folder]) == Tools(None, None, None):
            raise ToolsMissing(
                f"{folder}: nothing of llama.cpp in it ({CONVERTER}, {BINARY}, libllama). {GET}."
            )
    tools = _look([*named, *_pinned(), *_wheel()])
    on_path = shutil.which(BINARY)
    return Tools(
        tools.converter, tools.quantiser or (Path(on_path) if on_path else None), tools.library
    )


def _pinned() -> list[Path]:
    """The converter that `privatune models install llama-cpp` brought, if it is what was pinned."""
    return [llama_pin.root()] if llama_pin.is_pinned(llama_pin.root()) else []


def _wheel() -> list[Path]:
    """The folder of llama-cpp-python's library, where that is installed; it is not imported."""
    spec = find_spec("llama_cpp")
    return [Path(spec.origin).parent] if spec and spec.origin else []


def _look(folders: Sequence[Path]) -> Tools:
    roots = [folder / inner for folder in folders for inner in _FOLDERS]
    built = [place for root in roots for inner in _BUILT
             for place in (sorted(root.glob(inner)) if inner else [root]) if place.is_dir()]  # fmt: skip
    converter = next((root / CONVERTER for root in roots if (root / CONVERTER).is_file()), None)
    quantiser = next(
        (place / BINARY for place in built if os.access(place / BINARY, os.X_OK)), None
    )
    libraries = (path for place in built for path in sorted(place.glob("libllama*"))
                 if _LIBRARY.fullmatch(path.name))  # fmt: skip
    return Tools(converter, quantiser, next(libraries, None))


def convert(tools: Tools, folder: Path, out: Path, form: str, name: str = "model") -> None:
    """Write a model folder as GGUF (`F16`, `BF16`, `Q8_0`) with a name inside.

    Raises ConvertError, ToolsMissing.
    """
    tools.check([form])
    with tempfile.TemporaryDirectory() as stubs:
        path = [str(tools.converter.parent / "gguf-py")] if tools.converter else []
        if find_spec("sentencepiece") is None and not (folder / "tokenizer.model").exists():
            # The converter imports it before it looks whether there is anything to read with it.
            Path(stubs, "sentencepiece.py").write_text("SentencePieceProcessor = None\n")
            path.append(stubs)
        command = [sys.executable, "-s", str(tools.converter), str(folder)]
        command += ["--outfile", str(out), "--outtype", CONVERTED[form], "--model-name", name]
        more = {"PYTHONPATH": os.pathsep.join(path), "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(
            command, capture_output=True, text=True, check=False, env={**os.environ, **more}
        )
    if done.returncode or not out.is_file():
        raise _failure("The converter", done)


def quantise(tools: Tools, source: Path, out: Path, form: str) -> None:
    """Write a smaller form of a GGUF. Raises ConvertError, ToolsMissing."""
    tools.check([form])
    if tools.quantiser is not None:
        command = [str(tools.quantiser), str(source), str(out), form]
    else:
        command = [*_script(), "quantise", str(tools.library), str(source), str(out)]
        command.append(str(QUANTISED[form]))
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if done.returncode or not out.is_file():
        raise _failure("The quantiser", done)


def token_ids(
    tools: Tools, gguf: Path, texts: Sequence[str], *, special: bool
) -> list[list[int]] | None:
    """The ids that llama.cpp makes of texts with a GGUF's tokenizer; None without a library.

    `special`: with the beginning token, where the file asks for one. None also where the library
    cannot load the file: it is another's build, and the file has been checked without it.
    """
    if tools.library is None:
        return None
    command = [*_script(), "tokenise", str(tools.library), str(gguf)]
    asked = json.dumps({"texts": list(texts), "special": special})
    done = subprocess.run(command, capture_output=True, text=True, input=asked, check=False)
    if done.returncode:
        return None
    found: list[list[int]] = json.loads(done.stdout)
    return found


def _script() -> list[str]:
    # -P: the script's own folder is not searched for modules
    return [sys.executable, "-s", "-P", str(Path(__file__).with_name("libllama.py"))]


_KNOWN = (
    (r"pre-tokenizer was not recognized",
     "it does not know this model's tokenizer. Take a newer llama.cpp"),
    (r"Model \S+ is not supported|Architecture \S+ not supported",
     "it does not know this architecture. Take a newer llama.cpp"),
)  # fmt: skip


def _failure(who: str, done: subprocess.CompletedProcess[str]) -> Exception:
    """Say why a tool failed, in words of ours: its own may hold paths."""
    said = done.stderr + done.stdout
    if "No space left on device" in said:
        return OSError(errno.ENOSPC, "no space")
    if done.returncode in (-9, 137) or "MemoryError" in said:
        return MemoryError()
    module = re.search(r"No module named '([A-Za-z_]\w*)", said)
    if module:
        return ConvertError(f"{who} needs the Python package {module[1]}: install it, then again.")
    for pattern, words in _KNOWN:
        if re.search(pattern, said):
            return ConvertError(f"{who} of llama.cpp stopped: {words}.")
    if done.returncode < 0:
        return ConvertError(f"{who} of llama.cpp crashed (signal {-done.returncode}): it may be "
                            "built for another processor. Build it on this machine.")  # fmt: skip
    return ConvertError(f"{who} of llama.cpp stopped with code {done.returncode}. Run it by hand "
                        "on the folder `merged` to see why (docs/serving.md).")  # fmt: skip
