"""Windows cover every piece, and a piece is told by the window it stands deepest in."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scrubbers.tagger.pieces import Numbers, Pieces
from scrubbers.tagger.windows import BATCH, STRIDE, WINDOW, Floats, Window, batches, cut, logits

EDGES = (7, 9)


def pieces(ids: list[int]) -> Pieces:
    own = np.array(ids, np.int64)
    return Pieces(own, own % 5, np.arange(len(own)), np.arange(len(own)) + 1)


def echo(ids: Numbers, looks: Numbers) -> Floats:
    """A model that tells each piece its id, its look, and how deep it stands in its window."""
    place = np.arange(ids.shape[1])
    depth = np.broadcast_to(np.minimum(place - 1, ids.shape[1] - 2 - place), ids.shape)
    assert (ids[:, 0] == EDGES[0]).all()
    assert (ids[:, -1] == EDGES[1]).all()
    assert ids.size <= max(BATCH, ids.shape[1])
    return np.stack([ids, looks, depth], axis=2).astype(np.float32)


@given(st.integers(0, 3 * WINDOW))
def test_windows_cover_all_with_context_on_both_sides(length: int) -> None:
    found = cut(length)
    covered = {i for start, size in found for i in range(start, start + size)}
    assert covered == set(range(length))
    assert all(size <= WINDOW for _, size in found)
    assert all(b[0] - a[0] == STRIDE for a, b in pairwise(found))


@given(st.lists(st.integers(0, 2 * WINDOW), max_size=5))
def test_every_piece_gets_its_own_answer(lengths: list[int]) -> None:
    texts = [pieces([10 + i % 50 for i in range(length)]) for length in lengths]
    for own, answer in zip(texts, logits(texts, echo, EDGES, 3), strict=True):
        assert answer[:, 0].tolist() == own.ids.tolist()
        assert answer[:, 1].tolist() == own.looks.tolist()


def test_the_deepest_window_tells() -> None:
    (answer,) = logits([pieces([1] * (2 * WINDOW))], echo, EDGES, 3)
    margin = (WINDOW - STRIDE) // 2
    inner = answer[margin : 2 * WINDOW - margin, 2]
    assert inner.min() >= margin - 1


def test_batches_hold_one_size_and_a_bounded_number_of_pieces() -> None:
    jobs = [Window(n, 0, size) for n, size in enumerate([3] * 300 + [100] * 90)]
    found = batches(jobs)
    assert [job for group in found for job in group] == jobs
    for group in found:
        assert len({job.width for job in group}) == 1
        assert len(group) * group[0].width <= BATCH


def test_nothing_is_no_window() -> None:
    assert logits([], echo, EDGES, 3) == []
    (answer,) = logits([pieces([])], echo, EDGES, 3)
    assert answer.shape == (0, 3)
