"""A stream of numbers that is a pure function of a digest and a counter."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

T = TypeVar("T")
BLOCK_BITS = 512
SPARE_BITS = 64  # what must be left over for a draw's bias to stay under 2**-40


class Stream:
    """Draws of any range from one digest (bytes of any length) and one counter (>= 0)."""

    __slots__ = ("block", "room", "seed", "value")

    def __init__(self, seed: bytes, counter: int) -> None:
        self.seed = seed + counter.to_bytes(8, "big")
        self.block = 0
        self.value = 0
        self.room = 0

    def below(self, count: int) -> int:
        """A number in 0..count-1."""
        bits = count.bit_length()
        if bits + SPARE_BITS > self.room:
            key = self.block.to_bytes(8, "big")
            self.value = int.from_bytes(blake2b(self.seed, key=key).digest(), "big")
            self.block += 1
            self.room = BLOCK_BITS
        self.value, number = divmod(self.value, count)
        self.room -= bits
        return number

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[self.below(len(options))]

    def digits(self, count: int, first: str = "0123456789") -> str:
        """`count` digits, the first of them one of `first`."""
        if count == 0:
            return ""
        rest = count - 1
        tail = str(self.below(10**rest)).zfill(rest) if rest else ""
        return self.pick(first) + tail
