import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.frames import COLUMNS, check_frame, record_table


def columns(count=40, **changes):
    good = {
        "number": range(1, count + 1),
        "file": ["a.jsonl"] * count,
        "line": range(1, count + 1),
        "format": ["messages"] * count,
        "language": ["en"] * count,
        "turns": [2] * count,
        "characters": [90] * count,
        "answer": [9] * count,
        "status": ["holdout"] * 3 + ["train"] * (count - 3),
    }
    return good | changes


def change(name, row, value):
    column = list(columns().get(name, [None] * 40))
    column[row] = value
    return columns(**{name: column})


def test_a_good_table_passes():
    table = record_table(columns())
    assert list(table) == list(COLUMNS)
    assert check_frame(table, records=40, holdout=(0.05, 0.10)) == []
    assert check_frame(record_table({})) == []


@pytest.mark.parametrize(
    ("name", "value", "code", "path"),
    [
        ("answer", 0, "table-empty-answer", ""),
        ("reason", "canary", "table-reason", ""),
        ("status", "dropped", "table-reason", ""),
        ("status", "canary", "table", "status"),
        ("number", 5, "table-duplicate", ""),
        ("tokens", -77001, "table", "tokens"),
        ("line", 0, "table", "line"),
    ],
)
def test_each_failure_alone(name, value, code, path):
    found = check_frame(record_table(change(name, 7, value)))
    assert (code, path) in [(f.code, f.path) for f in found]
    told = repr(found)
    assert "canary" not in told
    assert "77001" not in told
    assert "a.jsonl:" in told


def test_quarantined_records_may_be_empty():
    cols = columns()
    cols["status"] = ["quarantine"] * 40
    cols["reason"] = ["unreadable"] * 40
    cols["answer"] = [None] * 20 + [0] * 20
    assert check_frame(record_table(cols)) == []


def test_all_failures_come_at_once_with_five_places():
    cols = columns(answer=[0] * 40, characters=[-1] * 40)
    found = check_frame(record_table(cols), records=41, holdout=(0.2, 0.3))
    assert {f.code for f in found} == {
        "table",
        "table-empty-answer",
        "table-books",
        "table-holdout",
    }
    assert all(f.message.count("a.jsonl:") in (0, 5) for f in found)


def test_a_missing_column_and_a_wrong_type():
    table = record_table(columns())
    (found,) = check_frame(table.drop(columns=["answer"]))
    assert "answer" in found.message
    table["number"] = ["canary"] * 40
    found = check_frame(table)
    assert ("table", "number") in [(f.code, f.path) for f in found]
    assert "canary" not in repr(found)


@given(st.lists(st.sampled_from(["train", "holdout"]), min_size=20, max_size=60))
def test_the_share_of_the_holdout(statuses):
    count = len(statuses)
    cols = {k: list(v)[:1] * count for k, v in columns(1, status=["train"]).items()}
    cols |= {"number": range(1, count + 1), "status": statuses}
    found = check_frame(record_table(cols), holdout=(0.05, 0.10))
    held = statuses.count("holdout")
    assert bool(found) == (not count <= held * 20 <= count * 2)
