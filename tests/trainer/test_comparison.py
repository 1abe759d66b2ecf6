"""What answers come to: shares over what applies, and differences with records as the unit."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trainer.comparison import differences, fields, identical, side, summary
from trainer.generate import Answer, Question
from trainer.losses import Loss


def made(expected, answers, records=None, nll=1.0, ended=True, schema=None):
    """(side, questions) of a model with these answers; four trained-on tokens for each."""
    records = records or list(range(1, len(expected) + 1))
    asked = [Question(r, (1,), text, 4) for r, text in zip(records, expected, strict=True)]
    said = [Answer(text, len(text), ended) for text in answers]
    examples = [SimpleNamespace(record=record) for record in records]
    return side(examples, [Loss(nll, 4)] * len(records), asked, said, schema), asked


def test_shares_are_of_what_applies():
    one, _ = made(['{"a": 1, "b": 2}', "In words."], ['{"a": 1, "c": 2}', " In words.\n"])
    found = summary(one)
    assert found["exact"] == {"count": 1, "of": 2, "share": 0.5}
    assert found["json"] == {"count": 1, "of": 1, "share": 1}
    assert found["schema"] is None
    assert found["fields"] == {"count": 1, "of": 2, "share": 0.5}
    assert (found["extra_fields"], found["fenced"], found["ended"]["share"]) == (1, 0, 1)
    assert (found["loss"], found["tokens"]) == (0.25, 8)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_fields_are_listed_with_the_worst_first():
    base, _ = made(['{"a": 1, "b": 2}'] * 2, ["no", '{"a": 1, "b": 3}'])
    tuned, _ = made(['{"a": 1, "b": 2}'] * 2, ['{"a": 1, "b": 2}', '{"a": 1, "b": 3}'])
    worst, best = fields({"base": base, "tuned": tuned})
    assert (worst["path"], best["path"]) == ("$.b", "$.a")
    assert worst["tuned"] == {"equal": 1, "different": 1, "missing": 0, "extra": 0}
    assert best["base"] == {"equal": 1, "different": 0, "missing": 1, "extra": 0}
    assert identical(base, tuned) == 1


@pytest.mark.parametrize("changed", [20, 40])
def test_many_turns_of_few_records_prove_little(changed):
    """Forty turns in forty records are forty cases; in two records they are two."""
    expected, said = ['{"a": 1}'] * 40, ['{"a": 2}'] * changed + ['{"a": 1}'] * (40 - changed)
    for records, clear in ((list(range(40)), True), ([1] * 20 + [2] * 20, False)):
        base, asked = made(expected, said, records)
        tuned, _ = made(expected, expected, records)
        gaps = differences(base, tuned, asked)
        for name in ("exact", "fields"):
            assert (gaps[name]["value"], gaps[name]["clear"]) == (changed / 40, clear)
            assert gaps[name]["low"] <= gaps[name]["value"] <= gaps[name]["high"]


texts = st.sampled_from(["", "In words.", "{}", '{"a": 1}', '{"a": [1, {"b": 2}]}', "[", "[]"])


@given(
    st.lists(st.tuples(texts, texts, texts, st.integers(1, 4)), min_size=1, max_size=20),
    st.booleans(),
)
def test_whatever_is_answered_differences_agree_with_the_shares(rows, with_schema):
    expected, said, other, records = map(list, zip(*rows, strict=True))
    schema = {"type": "object"} if with_schema else None
    base, asked = made(expected, said, records, schema=schema)
    tuned, _ = made(expected, other, records, nll=2.0, schema=schema)
    gaps, sums = differences(base, tuned, asked), [summary(one) for one in (base, tuned)]
    for name in ("exact", "json", "schema", "fields", "ended"):
        if sums[0][name] is None:
            assert gaps[name] is None
            continue
        share = sums[1][name]["share"] - sums[0][name]["share"]
        assert gaps[name]["value"] == pytest.approx(share)
    assert gaps["loss"]["value"] == pytest.approx(0.25)
