"""From a path and a span of an outer leaf, as findings and books write them, back to the leaf.

The inverse of `jsontext.path` and `Leaf.outer_span`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, field

from scrubbers.jsontext import IndexStep, Leaf, Step

# What stands between the dots of a path: `[key 3]`, `[3]`, `name`, `name~2`.
_HOP = re.compile(r"\[key ([0-9]{1,9})\]|\[([0-9]{1,9})\]|(\.?)([^.\[\]~]+)(?:~([0-9]{1,9}))?")
_ROOT = ("$", "text")  # a record that is one string; `text` as `audit` shows a line of text

Hop = tuple[str, str, int]
Place = tuple[int, int, int]


class PlaceError(Exception):
    """A place that the record lacks. The message says why, and holds nothing of the record."""


@dataclass(slots=True)
class _Node:
    leaves: list[int] = field(default_factory=list)
    below: dict[Hop, _Node] = field(default_factory=dict)


class Places:
    """The places of one record, found by path and span."""

    def __init__(self, leaves: Sequence[Leaf]) -> None:
        """`leaves`: all of the record, as `jsontext.leaves` gives them."""
        self._leaves = leaves
        self._root = _Node()
        self._inner: dict[int, tuple[_Node, list[tuple[int, int, int]]]] = {}
        for index, leaf in enumerate(leaves):
            if leaf.inner_steps is None:
                _add(self._root, leaf.steps, index)

    def find(
        self, path: str, start: int, end: int, *, inner: str | None = None, kind: str | None = None
    ) -> Place:
        """Index of the leaf, and the span `start:end` of the outer leaf in that leaf's own text.

        `kind` `key` means the key that the path ends with, else its value is meant, and the key
        only where the value is no text. The leaf is the innermost that the span lies in; with
        `inner` it must lie at that place. Raises PlaceError.
        """
        outer = self._outer(path, kind)
        length = len(self._leaves[outer].text)
        if not 0 <= start < end <= length:
            raise PlaceError(f"the span does not lie in the {length:,} code points at `path`")
        place = self._innermost(outer, start, end)
        if inner is not None and place[0] not in self._under(outer, inner):
            raise PlaceError("the span does not lie at the place that `inner` names")
        return place

    def leaf(self, path: str) -> int:
        """Index of the outer leaf at a path: the value, or else the key. Raises PlaceError."""
        return self._outer(path, None)

    def _outer(self, path: str, kind: str | None) -> int:
        scalar = bool(self._root.leaves) and path in _ROOT
        node = self._root if scalar else _walk(self._root, _hops(path, inner=False))
        if node is None:
            raise PlaceError("the record has no such `path`")
        keys = [i for i in node.leaves if self._leaves[i].kind == "key"]
        values = [i for i in node.leaves if self._leaves[i].kind != "key"]
        wanted = keys if kind == "key" else values or keys
        if not wanted:
            raise PlaceError("`path` leads to no text or number")
        return wanted[0]

    def _innermost(self, outer: int, start: int, end: int) -> Place:
        index = outer
        for first, last, deeper in self._held(outer)[1]:
            if first <= start and end <= last:
                index = deeper  # in document order, so the last one is the deepest
        leaf = self._leaves[index]
        begin, stop = own_offset(leaf, start), own_offset(leaf, end)
        if leaf.outer_span(begin, stop) != (start, end):
            raise PlaceError("the span cuts an escape")
        if not any(first <= begin and stop <= last for first, last in leaf.prose):
            raise PlaceError("the span crosses the border of a value of the JSON in that text")
        return index, begin, stop

    def _under(self, outer: int, inner: str) -> list[int]:
        node = _walk(self._held(outer)[0], _hops(inner, inner=True))
        if node is None:
            raise PlaceError("the JSON in that text has no such `inner` path")
        found, waiting = [], [node]
        while waiting:
            one = waiting.pop()
            found += one.leaves
            waiting += one.below.values()
        return found

    def _held(self, outer: int) -> tuple[_Node, list[tuple[int, int, int]]]:
        """The leaves inside an outer leaf: by inner path, and as ranges of its text."""
        if outer not in self._inner:
            root, ranges = _Node(), []
            for index in range(outer + 1, len(self._leaves)):
                leaf = self._leaves[index]
                if leaf.inner_steps is None:
                    break
                _add(root, leaf.inner_steps, index)
                ranges.append((*leaf.outer_span(0, len(leaf.text)), index))
            self._inner[outer] = root, ranges
        return self._inner[outer]


def own_offset(leaf: Leaf, outer: int) -> int:
    """The code point of the leaf's text that stands at `outer` in the outer leaf, or after it."""
    return bisect_left(range(len(leaf.text)), outer, key=lambda at: leaf.outer_span(at, at)[0])


def _add(node: _Node, steps: Sequence[Step], index: int) -> None:
    for step in steps:
        if isinstance(step, IndexStep):
            node = node.below.setdefault(("index", "", step.index), _Node())
        else:  # one node under both of its names
            by_number = ("key", "", step.ordinal)
            below = node.below.get(by_number) or _Node()
            node.below[by_number] = node.below["name", step.name, step.repeat] = below
            node = below
    node.leaves.append(index)


def _walk(node: _Node | None, hops: Sequence[Hop]) -> _Node | None:
    for hop in hops:
        node = node.below.get(hop) if node else None
    return node


def _hops(path: str, *, inner: bool) -> list[Hop]:
    if inner and not path.startswith("$"):
        raise PlaceError("`inner` is no path; one begins with `$`")
    at = int(inner)
    hops: list[Hop] = []
    while at < len(path):
        found = _HOP.match(path, at)
        if found is None or (found[4] is not None and bool(found[3]) != (at > 0)):
            raise PlaceError(
                f"`{'inner' if inner else 'path'}` is no path like `messages[1].content`"
            )
        hops.append(_hop(found))
        at = found.end()
    return hops


def _hop(found: re.Match[str]) -> Hop:
    if found[1] is not None:
        return "key", "", int(found[1])
    if found[2] is not None:
        return "index", "", int(found[2])
    return "name", found[4], int(found[5] or 1)
