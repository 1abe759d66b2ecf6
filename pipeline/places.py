"""Where a leaf stands, as the books and reports tell it."""

from __future__ import annotations

from scrubbers.jsontext import Leaf, path


def place_of(leaf: Leaf, hidden: frozenset[str] = frozenset()) -> dict[str, str]:
    """Path of a leaf, and its inner path where it lies in JSON inside a string.

    `hidden`: names of keys that hold a finding; they are shown by number.
    """
    place = {"path": path(leaf.steps, hidden)}
    if leaf.inner_steps is not None:
        place["inner"] = path(leaf.inner_steps, hidden, inner=True)
    return place
