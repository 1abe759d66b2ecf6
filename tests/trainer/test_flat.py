"""Flat rows hold every record once, within the budget, and no answer predicts the next record."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trainer.tiny_models import example
from trainer.labels import IGNORED

pytestmark = pytest.mark.train
UNHURRIED = settings(deadline=None)  # the first import of torch takes seconds
lengths = st.lists(st.integers(2, 40), min_size=1, max_size=30)


def records(sizes, seed=0):
    draw = random.Random(seed)
    made = [example(size, draw) for size in sizes]
    return [{"input_ids": one.ids, "labels": one.labels} for one in made]


@UNHURRIED
@given(lengths, st.integers(1, 120), st.integers(1, 4))
def test_every_item_is_in_one_row_and_rows_keep_the_budget(sizes, budget, shares):
    from trainer.flat import spread

    rows = spread(sizes, budget, shares)
    assert sorted(item for row in rows for item in row) == list(range(len(sizes)))
    assert all(row == sorted(row) for row in rows)
    assert all(len(row) == 1 or sum(sizes[i] for i in row) <= budget for row in rows)
    if len(sizes) >= shares:
        assert len(rows) >= shares


@UNHURRIED
@given(st.integers(1, 400), st.integers(1, 4))
def test_equal_items_fill_as_few_rows_as_there_can_be(count, per_row):
    from trainer.flat import spread

    assert len(spread([10] * count, 10 * per_row)) == -(-count // per_row)


@UNHURRIED
@given(lengths)
def test_rows_of_a_step_are_about_equally_long(sizes):
    from trainer.flat import spread

    filled = [sum(sizes[i] for i in row) for row in spread(sizes, 80)]
    if len(filled) > 1:
        assert max(filled) - min(filled) <= max(sizes)


@UNHURRIED
@given(lengths, st.integers(0, 999))
def test_labels_are_shifted_inside_each_example_only(sizes, seed):
    from trainer.flat import flat_row

    given_ = records(sizes, seed)
    row = flat_row(given_, max(sizes), kernel=False)
    place = 0
    for one in given_:
        size = len(one["input_ids"])
        assert row.ids[0, place : place + size].tolist() == one["input_ids"]
        assert row.places[0, place : place + size].tolist() == list(range(size))
        assert row.labels[place : place + size - 1].tolist() == one["labels"][1:]
        assert row.labels[place + size - 1] == IGNORED  # would be the next example's first token
        assert row.blocks.bounds.tolist().count(place) == 1
        place += size
    assert place == row.ids.numel() == row.blocks.bounds[-1]
    assert row.blocks.lengths == tuple(sizes)


@UNHURRIED
@given(lengths, st.integers(0, 99), st.integers(40, 200), st.integers(1, 3))
def test_a_step_counts_what_its_processes_hold_together(sizes, seed, budget, shares):
    from trainer.flat import Collator

    step = records(sizes, seed)
    made = [Collator(budget, 40, False, share, shares)(step) for share in range(shares)]
    assert {(one["trained"], one["tokens"]) for one in made} == {
        (sum(row.trained for one in made for row in one["rows"]), sum(sizes))
    }
    assert sum(row.ids.numel() for one in made for row in one["rows"]) == sum(sizes)


def test_a_trained_first_token_has_nothing_before_it_and_does_not_count():
    from trainer.flat import Collator

    made = Collator(16, 16, kernel=True)([{"input_ids": [5, 6], "labels": [5, 6]}])
    assert made["trained"] == made["rows"][0].trained == 1
    assert made["rows"][0].blocks.lengths == ()  # the kernel reads the boundaries


def test_an_example_longer_than_the_budget_stands_alone():
    from trainer.flat import spread

    assert [1] in spread([3, 50, 4], 10)
