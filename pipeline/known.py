"""Sets of keyed hashes in flat memory."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

HASH = 16  # hex digits of a keyed hash that tell it from others


def first_bits(hashed: str) -> int:
    """The first 64 bits of a keyed hash in hex, as which sets and links keep it."""
    return int(hashed[:HASH], 16)


class Known:
    """A set of keyed hashes in flat memory: the first 64 bits of each, sorted."""

    def __init__(self, hashes: Sequence[int] | array[int] = ()) -> None:
        self._sorted: NDArray[np.uint64] = np.unique(np.array(hashes, dtype=np.uint64))

    def __contains__(self, hashed: str) -> bool:
        number = np.uint64(first_bits(hashed))
        at = int(np.searchsorted(self._sorted, number))
        return at < len(self._sorted) and bool(self._sorted[at] == number)

    def __len__(self) -> int:
        return len(self._sorted)


NONE = Known()
