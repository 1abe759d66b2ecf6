"""Long texts in overlapping windows, so that a model's result at a seam is as in one piece."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Window:
    """text[start:end] is shown to the model; only what begins in core_start..core_end counts.

    The cores of a text's windows cover it once, without gaps. Code points, ends exclusive.
    """

    start: int
    end: int
    core_start: int
    core_end: int


def windows(text: str, size: int, overlap: int) -> list[Window]:
    """Windows of at most `size` characters, the next beginning `overlap` before the last end.

    Edges lie at white space where there is any within an overlap's length. Requires
    size > 2 * overlap > 0.
    """
    if len(text) <= size:
        return [Window(0, len(text), 0, len(text))]
    found: list[Window] = []
    start = core_start = 0
    while True:
        end = min(start + size, len(text))
        if end == len(text):
            found.append(Window(start, end, core_start, end))
            return found
        end = _space_before(text, end, end - overlap // 2)
        middle = _space_before(text, end - overlap // 2, end - overlap)
        found.append(Window(start, end, core_start, middle))
        start = _space_before(text, max(end - overlap, start + 1), max(end - 2 * overlap, start))
        core_start = middle


def _space_before(text: str, place: int, floor: int) -> int:
    """The last place <= `place` and > `floor` that begins a word after white space."""
    for index in range(place, floor, -1):
        if text[index - 1].isspace() and not text[index : index + 1].isspace():
            return index
    return place
