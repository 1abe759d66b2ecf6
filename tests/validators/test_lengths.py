from hypothesis import given
from hypothesis import strategies as st

from validators.lengths import BARS, length_report


@given(st.lists(st.integers(0, 5000)), st.integers(1, 6000))
def test_report_accounts_for_every_record(lengths, limit):
    report = length_report(lengths, limit)
    assert sum(bar.records for bar in report.histogram) == len(lengths) == report.records
    assert len(report.histogram) <= BARS
    assert [lengths[i] > limit for i in range(len(lengths))] == [
        i in report.over for i in range(len(lengths))
    ]
    fit = sum(length <= report.keeps_99 for length in lengths)
    assert fit * 100 >= 99 * len(lengths)
    if report.keeps_99:
        assert sum(length < report.keeps_99 for length in lengths) * 100 < 99 * len(lengths)
    assert report.keeps_all == max(lengths, default=0)


def test_figures():
    report = length_report([*range(1, 101), 1000], 90)
    assert report.percentiles == {50: 51, 90: 91, 95: 96, 99: 100}
    assert report.histogram[0].records == 99
    assert (report.histogram[0].least, report.histogram[0].most) == (0, 99)
    assert len(report.over) == 11
    assert (report.keeps_99, report.keeps_all, report.total) == (100, 1000, 6050)
