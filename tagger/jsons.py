"""JSON of labelled values: an own writer, so that escapes and spans stay exact."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass

from tagger.pieces import Piece, Pieces, mapped, text_of


@dataclass(frozen=True, slots=True)
class Leaf:
    """A string of JSON, or a bare number, true, false, null when `raw`."""

    pieces: tuple[Piece, ...]
    raw: bool = False


Node = Leaf | dict[str, "Node"] | list["Node"]


@dataclass(frozen=True, slots=True)
class Style:
    """How JSON is written."""

    indent: int = 0  # 0: in one line
    ascii: bool = False
    tight: bool = False


def style(rng: random.Random) -> Style:
    """One of the usual ways."""
    return Style(rng.choice((0, 0, 0, 1, 2, 2, 4)), rng.random() < 0.18, rng.random() < 0.2)


def leaf(pieces: Pieces, *, raw: bool = False) -> Leaf:
    """A leaf of pieces."""
    return Leaf(tuple(pieces), raw)


def quiet(value: object) -> Leaf:
    """A leaf without spans: a string, or a number, true, false, null as such."""
    if isinstance(value, str):
        return Leaf(((value, None),))
    return Leaf(((json.dumps(value), None),), raw=True)


def may_be_number(pieces: Pieces) -> bool:
    """Whether a value can be written without quotes."""
    text = text_of(pieces)
    return text.isascii() and text.isdigit() and text[0] != "0" and len(text) < 16


def escape(*, ascii_only: bool) -> Callable[[str], str]:
    """What turns a text into the inside of a JSON string."""
    return lambda text: json.dumps(text, ensure_ascii=ascii_only)[1:-1]


def dump(node: Node, how: Style, level: int = 0) -> Pieces:
    """The node as JSON text."""
    if isinstance(node, Leaf):
        if node.raw:
            return list(node.pieces)
        inside = mapped(node.pieces, escape(ascii_only=how.ascii))
        return [('"', None), *inside, ('"', None)]
    pairs = isinstance(node, dict)
    opening, closing = "{}" if pairs else "[]"
    if not node:
        return [(opening + closing, None)]
    pad = "\n" + " " * how.indent * (level + 1) if how.indent else ""
    end = "\n" + " " * how.indent * level if how.indent else ""
    between = "," + (pad or ("" if how.tight else " "))
    colon = ":" if how.tight else ": "
    out: Pieces = [(opening + pad, None)]
    rows = node.items() if isinstance(node, dict) else [("", child) for child in node]
    for i, (key, child) in enumerate(rows):
        if i:
            out.append((between, None))
        if pairs:
            out.append((json.dumps(key, ensure_ascii=how.ascii) + colon, None))
        out += dump(child, how, level + 1)
    return [*out, (end + closing, None)]


def encoded(node: Node, how: Style) -> Leaf:
    """The node as a string of JSON inside JSON."""
    return leaf(dump(node, how))
