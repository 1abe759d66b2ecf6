"""Windows over the pieces of texts, and the model's answer for every piece.

A model gets windows of one size together, so nothing is padded; it has to answer each as if alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from scrubbers.tagger.pieces import Numbers, Pieces

WINDOW = 254  # pieces beside the two at its edges, as in training
STRIDE = 222  # so a piece has at least 16 others on each side that has as many
BATCH = 512  # pieces of one run: more of them leave the cache, fewer wait for memory
Floats = NDArray[np.float32]
# ids, looks (each windows x pieces) -> logits (windows x pieces x labels)
Model = Callable[[Numbers, Numbers], Floats]


@dataclass(frozen=True, slots=True)
class Window:
    """`size` pieces of text number `text` from piece `start` on."""

    text: int
    start: int
    size: int

    @property
    def width(self) -> int:
        """The pieces that it takes with its edges."""
        return self.size + 2


def logits(
    texts: Sequence[Pieces], model: Model, edges: tuple[int, int], labels: int
) -> list[Floats]:
    """The logits of each text's pieces, pieces x labels; each from the window it stands deepest in."""
    told = [np.zeros((len(one.ids), labels), np.float32) for one in texts]
    depth = [np.full(len(one.ids), -1) for one in texts]
    jobs = [
        Window(number, *place) for number, one in enumerate(texts) for place in cut(len(one.ids))
    ]
    jobs.sort(key=lambda job: job.width)
    for group in batches(jobs):
        for job, found in zip(group, _run(group, texts, model, edges), strict=True):
            _keep(job, found, told[job.text], depth[job.text])
    return told


def cut(length: int) -> list[tuple[int, int]]:
    """Start and size of the windows over so many pieces."""
    if length <= WINDOW:
        return [(0, length)] if length else []
    starts = range(0, length - WINDOW + STRIDE, STRIDE)
    return [(start, min(WINDOW, length - start)) for start in starts]


def batches(jobs: Sequence[Window]) -> list[Sequence[Window]]:
    """Windows of one width, as many as BATCH allows; `jobs` are in order of width."""
    found: list[Sequence[Window]] = []
    at = 0
    while at < len(jobs):
        width = jobs[at].width
        end = at + 1
        while end < len(jobs) and jobs[end].width == width and (end - at + 1) * width <= BATCH:
            end += 1
        found.append(jobs[at:end])
        at = end
    return found


def _run(
    group: Sequence[Window], texts: Sequence[Pieces], model: Model, edges: tuple[int, int]
) -> Floats:
    ids, looks = (np.zeros((len(group), group[0].width), np.int64) for _ in range(2))
    ids[:, 0], ids[:, -1] = edges
    for row, job in enumerate(group):
        part = slice(job.start, job.start + job.size)
        ids[row, 1:-1], looks[row, 1:-1] = texts[job.text].ids[part], texts[job.text].looks[part]
    return model(ids, looks)


def _keep(job: Window, found: Floats, told: Floats, depth: NDArray[np.int64]) -> None:
    """The window's answers where no other window has the piece deeper inside."""
    place = np.arange(job.size)
    inside = np.minimum(place, job.size - 1 - place)
    part = slice(job.start, job.start + job.size)
    better = inside > depth[part]
    told[part][better] = found[1:-1][better]
    depth[part][better] = inside[better]
