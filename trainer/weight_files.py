"""Headers of safetensors files: which tensors are inside, and whether the file is whole. No torch.

The format: 8 bytes little-endian length of the header, the header as JSON, the tensors' bytes.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

MAX_HEADER = 100_000_000  # bytes; the limit of the safetensors library itself
LFS_POINTER = b"version https://git-lfs"
# Bits of one value; the names are the format's own.
BITS = {
    "BOOL": 8, "U8": 8, "I8": 8, "F8_E4M3": 8, "F8_E5M2": 8, "F8_E8M0": 8, "F4": 4,
    "I16": 16, "U16": 16, "F16": 16, "BF16": 16, "I32": 32, "U32": 32, "F32": 32,
    "I64": 64, "U64": 64, "F64": 64,
}  # fmt: skip


class WeightFileError(Exception):
    """A weight file is not whole. The message names the file and the next step, never its bytes."""


@dataclass(frozen=True, slots=True)
class Tensor:
    """One tensor as its header has it; `dtype` is the format's name, such as `BF16`."""

    name: str
    dtype: str
    shape: tuple[int, ...]

    @property
    def values(self) -> int:
        """How many values it holds."""
        return math.prod(self.shape)


def tensors(path: Path) -> tuple[Tensor, ...]:
    """Read the header of one file and hold it against the file's size; no weights are read.

    Raises WeightFileError for a file that is truncated, too long, no safetensors, or a pointer.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        start = file.read(8)
        if (start + file.read(len(LFS_POINTER) - 8)).startswith(LFS_POINTER):
            raise WeightFileError(
                f"{path}: a Git LFS pointer, not the weights. Run `git lfs pull` in the clone, or "
                "fetch the model with `privatune pull`."
            )
        length = struct.unpack("<Q", start)[0] if len(start) == 8 else 0
        if not 2 <= length <= MAX_HEADER:
            raise _not_one(path)
        if 8 + length > size:
            raise _cut(path, size, 8 + length)
        file.seek(8)
        header = _parsed(path, file.read(length))
    found, end = _entries(path, header)
    if 8 + length + end > size:
        raise _cut(path, size, 8 + length + end)
    if 8 + length + end < size:
        raise WeightFileError(f"{path}: more bytes than its header knows of. Fetch the file again.")
    return found


def _not_one(path: Path) -> WeightFileError:
    return WeightFileError(f"{path}: no safetensors header. Fetch the file again.")


def _cut(path: Path, size: int, needed: int) -> WeightFileError:
    return WeightFileError(
        f"{path}: truncated, {size:,} bytes where its header needs {needed:,}. Fetch the file again."
    )


def _parsed(path: Path, data: bytes) -> dict[str, Any]:
    try:
        header = json.loads(data)
    except (ValueError, RecursionError):
        raise _not_one(path) from None
    if not isinstance(header, dict):
        raise _not_one(path)
    header.pop("__metadata__", None)
    return header


def _entries(path: Path, header: dict[str, Any]) -> tuple[tuple[Tensor, ...], int]:
    """Check each entry's place against its shape; return the tensors and where the last ends."""
    found, last = [], 0
    for name, entry in header.items():
        try:
            start, end = entry["data_offsets"]
            tensor = Tensor(name, entry["dtype"], tuple(entry["shape"]))
            fits = start >= 0 and (end - start) * 8 == tensor.values * BITS[tensor.dtype]
        except (KeyError, TypeError, ValueError):
            raise _not_one(path) from None
        if not fits:
            raise WeightFileError(
                f"{path}: a tensor's place does not fit its shape. Fetch the file again."
            )
        found.append(tensor)
        last = max(last, end)
    return tuple(found), last
