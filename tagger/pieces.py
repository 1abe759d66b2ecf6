"""Text in pieces: each is what is written and the label of the span it is, or none."""

from __future__ import annotations

from collections.abc import Callable, Iterable

Piece = tuple[str, str | None]
Pieces = list[Piece]
OUTER = " \t\r\n\u00a0\u200b\u200c\u200d\ufeff\u2060\u202f\u2009"


def plain(text: str) -> Pieces:
    """A text without spans."""
    return [(text, None)] if text else []


def text_of(pieces: Iterable[Piece]) -> str:
    """What is written, without the labels."""
    return "".join(text for text, _ in pieces)


def mapped(pieces: Iterable[Piece], change: Callable[[str], str]) -> Pieces:
    """Every piece's text changed alike, labels kept."""
    return [(change(text), label) for text, label in pieces]


def joined(parts: Iterable[Pieces], between: str) -> Pieces:
    """The parts one after the other with plain text between them."""
    out: Pieces = []
    for part in parts:
        if out:
            out.append((between, None))
        out += part
    return out


def flatten(pieces: Iterable[Piece]) -> tuple[str, list[dict[str, int | str]]]:
    """The text and its spans: sorted, without overlap, without white space at their ends."""
    out: list[str] = []
    spans: list[dict[str, int | str]] = []
    at = 0
    for text, label in pieces:
        if label is not None and (core := text.strip(OUTER)):
            start = at + text.index(core)
            spans.append({"start": start, "end": start + len(core), "label": label})
        out.append(text)
        at += len(text)
    return "".join(out), spans
