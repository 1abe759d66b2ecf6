"""What stays of a record when its strings and numbers are taken out: the rest must not change."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from scrubbers.jsontext import Leaf
from scrubbers.keys import digest

_SPACE = re.compile(r"[ \t\r\n]+")


def shape(key: bytes, text: str, found: Sequence[Leaf], edited: frozenset[int]) -> str:
    """Keyed digest in hex of a record's kinds, keys in order, literals and array lengths.

    `found`: the record's leaves; `edited`: indices of the keys that hold a finding, which count by
    their place alone. JSON inside strings is looked into; white space between tokens counts not.
    """
    return digest(key, "shape", "".join(_skeleton(text, found, edited))).hex()


def _skeleton(text: str, found: Sequence[Leaf], edited: frozenset[int]) -> Iterator[str]:
    at = 0
    for start, end, mark in sorted(_marks(text, found, edited)):
        yield _SPACE.sub("", text[at:start])
        yield mark
        at = end
    yield _SPACE.sub("", text[at:])


def _marks(
    text: str, found: Sequence[Leaf], edited: frozenset[int]
) -> Iterator[tuple[int, int, str]]:
    """What stands for each leaf; of a string that holds JSON, for the text around that."""
    for index, leaf in enumerate(found):
        if leaf.kind == "key":
            start, end = leaf.raw_span(0, len(leaf.text))
            yield start, end, "key" if index in edited else text[start:end]
        else:
            for first, last in leaf.prose:
                yield (*leaf.raw_span(first, last), leaf.kind)
