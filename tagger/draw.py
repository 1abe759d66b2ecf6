"""Small draws: strings by shape, choices by weight."""

from __future__ import annotations

import random
from collections.abc import Callable
from string import ascii_letters, ascii_lowercase, ascii_uppercase, digits

ALPHABETS = {
    "#": digits, "%": "123456789", "?": ascii_uppercase, "^": ascii_lowercase, "&": "0123456789abcdef",
    "$": "0123456789ABCDEF", "@": ascii_uppercase + digits, "*": ascii_letters + digits,
    "~": "ABCDEFGHJKLMNPRSTUVWXYZ",
}  # fmt: skip


def shaped(rng: random.Random, shape: str) -> str:
    """A string of a shape: # digit, % digit but 0, ? letter, ^ small letter, @ letter or digit."""
    return "".join(rng.choice(ALPHABETS[char]) if char in ALPHABETS else char for char in shape)


def digits_of(rng: random.Random, length: int) -> str:
    """So many digits, the first not 0."""
    return shaped(rng, "%" + "#" * (length - 1))


def some(rng: random.Random, alphabet: str, length: int) -> str:
    """So many characters of an alphabet."""
    return "".join(rng.choices(alphabet, k=length))


def until(
    rng: random.Random, make: Callable[[random.Random], str], holds: Callable[[str], bool]
) -> str:
    """A value for which `holds` is true; the last one drawn when none was found."""
    value = ""
    for _ in range(300):
        value = make(rng)
        if holds(value):
            break
    return value


def grouped(rng: random.Random, text: str, sizes: tuple[int, ...], glue: str) -> str:
    """The text in groups of the sizes, what is left over in groups of the last size."""
    del rng
    parts, at, i = [], 0, 0
    while at < len(text):
        size = sizes[min(i, len(sizes) - 1)]
        parts.append(text[at : at + size])
        at, i = at + size, i + 1
    return glue.join(parts)
