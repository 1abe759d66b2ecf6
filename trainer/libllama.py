"""Two calls into a llama.cpp library, in a process of their own: it may end in a crash of native code.

Run as a script (`python -P libllama.py quantise|tokenise LIBRARY ...`), with the standard library
alone. Parameter structures are taken by their first fields, which all versions share, in a buffer
larger than any version's.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path
from typing import Any


class _Parameters(ctypes.Structure):
    """llama_model_quantize_params and llama_model_params, from llama.h: passed on as they come."""

    _fields_ = (
        ("threads", ctypes.c_int32),
        ("form", ctypes.c_int32),
        ("rest", ctypes.c_byte * 1016),
    )


def load(path: Path) -> Any:
    """Load the library and, beside it, the compute backends that it keeps in files of their own."""
    for name in ("libggml-base", "libggml"):
        for beside in sorted(path.parent.glob(f"{name}*")):
            if beside.name.split(".")[0] == name:
                ggml = ctypes.CDLL(str(beside), mode=ctypes.RTLD_GLOBAL)
                if hasattr(ggml, "ggml_backend_load_all_from_path"):
                    ggml.ggml_backend_load_all_from_path(str(path.parent).encode())
    library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    library.llama_backend_init()
    return library


def quantise(library: Any, source: str, out: str, form: int) -> int:
    """Write a GGUF in a smaller form (llama_ftype); 0 when it was written."""
    library.llama_model_quantize_default_params.restype = _Parameters
    parameters = library.llama_model_quantize_default_params()
    parameters.form = form
    library.llama_model_quantize.restype = ctypes.c_uint32
    library.llama_model_quantize.argtypes = (
        ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(_Parameters))  # fmt: skip
    done = library.llama_model_quantize(source.encode(), out.encode(), ctypes.byref(parameters))
    return int(done)


def tokenise(library: Any, model: str, texts: list[str], *, special: bool) -> list[list[int]]:
    """The ids of each text, control tokens in it read as such; `special`: with the beginning token."""
    library.llama_model_default_params.restype = _Parameters
    library.llama_model_load_from_file.argtypes = (ctypes.c_char_p, _Parameters)
    library.llama_model_load_from_file.restype = ctypes.c_void_p
    library.llama_model_get_vocab.argtypes = (ctypes.c_void_p,)
    library.llama_model_get_vocab.restype = ctypes.c_void_p
    loaded = library.llama_model_load_from_file(
        model.encode(), library.llama_model_default_params()
    )
    if not loaded:
        raise SystemExit(1)
    vocabulary = library.llama_model_get_vocab(loaded)
    return [_ids(library, vocabulary, text.encode(), special=special) for text in texts]


def _ids(library: Any, vocabulary: int, text: bytes, *, special: bool) -> list[int]:
    size = len(text) + 8
    ids = (ctypes.c_int32 * size)()
    library.llama_tokenize.argtypes = (
        ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int32, ctypes.POINTER(ctypes.c_int32),
        ctypes.c_int32, ctypes.c_bool, ctypes.c_bool)  # fmt: skip
    count = library.llama_tokenize(vocabulary, text, len(text), ids, size, special, True)  # noqa: FBT003
    if count < 0:
        raise SystemExit(1)
    return list(ids[:count])


def main(arguments: list[str]) -> int:
    """`quantise LIBRARY SOURCE OUT FORM`, or `tokenise LIBRARY MODEL` with texts on standard input."""
    what, path, *rest = arguments
    library = load(Path(path))
    if what == "quantise":
        return int(quantise(library, rest[0], rest[1], int(rest[2])) != 0)
    asked = json.load(sys.stdin)
    ids = tokenise(library, rest[0], asked["texts"], special=asked["special"])
    json.dump(ids, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
