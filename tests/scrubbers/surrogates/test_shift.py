"""The arithmetic of shifted dates."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubbers.surrogates.shift import coarse, months, offset, shifted, unshifted

WEEKS = st.integers(3, 50) | st.integers(-50, -3)
DATES = st.dates(date(1900, 1, 1), date(2100, 12, 31))


@given(ident=st.text(max_size=20), key=st.binary(min_size=32, max_size=32))
def test_an_interval_is_whole_weeks_and_never_short(ident: str, key: bytes) -> None:
    days = offset(key, ident)
    assert days % 7 == 0
    assert 21 <= abs(days) <= 350
    assert offset(key, ident) == days


@given(first=DATES, second=DATES, weeks=WEEKS)
def test_differences_and_weekdays_hold(first: date, second: date, weeks: int) -> None:
    days = 7 * weeks
    new = [date.fromisoformat(shifted(d.isoformat(), days)) for d in (first, second)]
    assert new[1] - new[0] == second - first
    assert new[0].weekday() == first.weekday()


@given(day=DATES, weeks=WEEKS, known=st.booleans())
def test_each_norm_is_found_again_and_none_stays(day: date, weeks: int, known: bool) -> None:
    days, year = 7 * weeks, day.year if known else 0
    for norm in (f"{day:%Y-%m-%d}", f"{day:%Y-%m}", f"--{day:%m-%d}", f"--{day:%m}"):
        new = shifted(norm, days, year)
        assert len(new) == len(norm)
        assert new != norm
        assert norm in unshifted(new, days)
        assert len(unshifted(new, days)) <= 2


@given(first=DATES, second=DATES, weeks=WEEKS)
def test_months_without_a_day_keep_their_distance(first: date, second: date, weeks: int) -> None:
    days = 7 * weeks
    new = [shifted(f"{d:%Y-%m}", days) for d in (first, second)]
    counts = [int(n[:4]) * 12 + int(n[5:]) for n in new]
    wanted = (second.year - first.year) * 12 + second.month - first.month
    assert counts[1] - counts[0] == wanted
    assert abs(abs(days) - abs(months(days)) * 30.437) < 16


@pytest.mark.parametrize("norm", ["9999-12-31", "0001-01-01"])
def test_the_end_of_the_calendar_is_an_error(norm: str) -> None:
    with pytest.raises((OverflowError, ValueError)):
        shifted(norm, 21 if norm.startswith("9") else -21)


def test_coarse_norms() -> None:
    assert coarse("2024-03-14", "month") == "2024-03"
    assert coarse("1931-03-14", "year:1935") == "1935"
    assert coarse("--03-14", "year") == "--03"
    assert coarse("age-97", "") == "age-90"
