import hashlib
from fractions import Fraction
from itertools import combinations, pairwise
from math import ceil, floor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from validators.holdout import Links, assign, crossing, links_of


def key(number):
    return hashlib.sha256(str(number).encode()).digest()[:16]


def keys(count):
    return [key(f"order {i}") for i in range(count)]


VALUES = st.integers(0, 60).map(lambda n: key(f"value {n}"))
SETS = st.lists(st.lists(VALUES, max_size=3), min_size=0, max_size=90)
FRACTIONS = st.sampled_from([0.05, 0.07, 0.08, 0.1])


@given(SETS, SETS, FRACTIONS)
def test_no_firm_or_joined_value_crosses(tied, firm, fraction):
    firm = (firm + [[]] * len(tied))[: len(tied)]
    split = assign(tied, fraction, keys(len(tied)), firm)
    assert crossing(split.group, split.holdout) == []
    hubs = {hub.digest for hub in split.hubs}
    sides = {}
    for i, (soft, hard) in enumerate(zip(tied, firm, strict=True)):
        loose = [v for v in soft if int.from_bytes(v[:8], "big") not in hubs]
        for value in [*loose, *hard]:
            assert sides.setdefault(value, split.holdout[i]) == split.holdout[i]


def test_a_value_named_by_the_user_in_one_record_joins_those_that_only_hold_it():
    tied = [[]] * 22 + [[key("value 0")]]
    split = assign(tied, 0.05, keys(23), [[key("value 0")]] + [[]] * 22)
    assert split.group[22] == split.group[0]
    assert split.hubs == ()


@given(SETS, FRACTIONS, st.randoms())
def test_input_order_does_not_matter(tied, fraction, random):
    order = keys(len(tied))
    numbers = list(range(len(tied)))
    random.shuffle(numbers)
    one = assign(tied, fraction, order)
    other = assign([tied[i] for i in numbers], fraction, [order[i] for i in numbers])
    assert [one.holdout[i] for i in numbers] == list(other.holdout)
    assert one.hubs == other.hubs
    assert one.reason == other.reason


@settings(max_examples=60)
@given(st.lists(st.integers(1, 12), min_size=1, max_size=11), FRACTIONS)
def test_share_is_the_closest_that_whole_groups_allow(sizes, fraction):
    tied = [[key(f"group {g}")] for g, size in enumerate(sizes) for _ in range(size)]
    split = assign([[]] * len(tied), fraction, keys(len(tied)), tied)
    count, held = len(tied), int(split.holdout.sum())
    if count < 20 or len(sizes) < 2:
        assert held == 0
        assert split.reason
        return
    most, ideal = floor(Fraction(1, 10) * count), Fraction(str(fraction)) * count
    totals = {sum(part) for n in range(1, len(sizes)) for part in combinations(sizes, n)}
    possible = [total for total in totals if total <= most]
    if not possible:
        assert held == 0
        assert "larger than" in split.reason
        return
    least = ceil(Fraction(1, 20) * count)
    possible = [total for total in possible if total >= least] or possible
    assert abs(held - ideal) == min(abs(total - ideal) for total in possible)
    assert (split.reason is None) == (held >= least)


@given(st.integers(20, 400), FRACTIONS)
def test_single_records_reach_the_bounds(count, fraction):
    split = assign([[]] * count, fraction, keys(count))
    assert split.reason is None
    assert 0.05 * count <= split.holdout.sum() <= 0.10 * count + 1e-9


def test_a_group_larger_than_the_holdout_is_left_in_train():
    tied = [[key("one customer")]] * 12 + [[]] * 88
    split = assign([[]] * 100, 0.08, keys(100), tied)
    assert split.holdout.sum() == 8
    assert not split.holdout[:12].any()
    assert (split.oversized, split.largest, split.groups) == (1, 12, 89)


def test_hubs_are_listed_and_not_joined():
    tied = [[key("office@example.org")] for _ in range(10)] + [[] for _ in range(90)]
    split = assign(tied, 0.1, keys(100))
    assert [hub.records for hub in split.hubs] == [10]
    assert split.groups == 100
    assert assign(tied[5:], 0.1, keys(95)).groups == 91  # 5 records are no hub, whatever the share
    firm = assign([[]] * 100, 0.1, keys(100), tied)
    assert (firm.hubs, firm.groups) == ((), 91)


def test_a_value_that_stands_twice_in_one_record_counts_once():
    tied = [[key("a"), key("a")] for _ in range(4)] + [[] for _ in range(96)]
    assert assign(tied, 0.1, keys(100)).hubs == ()


@pytest.mark.parametrize("count", [0, 1, 19])
def test_too_small_sets_say_so(count):
    split = assign([[]] * count, 0.1, keys(count))
    assert not split.holdout.any()
    assert "too few" in split.reason


def test_one_group_says_so_and_no_wish_is_no_fault():
    tied = [[key("same")]] * 40
    assert "related" in assign([[]] * 40, 0.1, keys(40), tied).reason
    unasked = assign([[]] * 40, 0, keys(40))
    assert unasked.reason is None
    assert unasked.share == 0
    with pytest.raises(ValueError, match="fraction"):
        assign([[]] * 40, 0.6, keys(40))


def test_long_chains_are_one_group():
    ends = list(range(2000))
    np.random.default_rng(3).shuffle(ends)
    links = Links()
    for step, (a, b) in enumerate(pairwise(ends)):
        links.add(a, [step])
        links.add(b, [step])
    split = assign(links, 0.1, keys(2000))
    assert set(split.group) == {0}


def test_digests_as_numbers_and_bytes_agree():
    tied = [[key(i // 2)] for i in range(60)]
    numbers = [[int.from_bytes(d[:8], "big") for d in digests] for digests in tied]
    one, other = assign(tied, 0.1, keys(60)), assign(links_of(numbers), 0.1, keys(60))
    assert (one.holdout == other.holdout).all()


def test_crossing_finds_a_split_group():
    assert crossing(np.array([0, 0, 2]), np.array([True, False, False])) == [0]
