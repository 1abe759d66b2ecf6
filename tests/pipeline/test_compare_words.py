"""Advice follows from the numbers; the page shows what a model says and runs none of it."""

from __future__ import annotations

import json
from html import unescape

import pytest

from pipeline.compare_page import SHOWN, page
from pipeline.compare_words import ADVICE, advice, as_text, table
from tests.trainer.test_comparison import made
from trainer.comparison import differences, fields, identical, summary

SCHEMA = {"type": "object", "required": ["a"], "properties": {"a": {"type": "integer"}}}
GOOD, WRONG = '{"a": 1}', '{"a": 2}'


def told(base, tuned=None, count=40, expected=GOOD, schema=None, cut=0):
    """The body of a comparison in which all answers of a model are alike."""
    sides = {}
    for name, how in (("base", base), ("tuned", tuned)):
        if how:
            more = {"nll": how.get("nll", 1.0), "ended": how.get("ended", True), "schema": schema}
            sides[name], asked = made([expected] * count, [how["says"]] * count, **more)
    body = {
        "models": {name: summary(one) for name, one in sides.items()}, "answers": count,
        "cut": cut, "records": count, "holdout": count, "longest_expected": 9, "fields": fields(sides),
        "base": {"name": "tiny", "hash": "0"}, "manifest": "1", "seal": {"level": "seccomp"},
        "versions": {"torch": "2"},
        "settings": {"max_new_tokens": 64, "temperature": 0.0, "seed": 1, "every_turn": False},
    }  # fmt: skip
    if tuned:
        body["differences"] = differences(sides["base"], sides["tuned"], asked)
        body["same_answers"] = identical(sides["base"], sides["tuned"])
    body["advice"] = advice(body)
    return body


CASES = [
    ("better", {"says": WRONG}, {"says": GOOD, "nll": 0.5}, {}),
    ("not-applied", {"says": WRONG}, {"says": WRONG}, {}),
    ("same-answers", {"says": WRONG}, {"says": WRONG, "nll": 0.9}, {}),
    ("worse-answers", {"says": GOOD}, {"says": WRONG}, {}),
    ("worse-loss", {"says": GOOD}, {"says": GOOD, "nll": 1.1}, {}),
    ("endless", {"says": GOOD}, {"says": GOOD, "ended": False}, {}),
    ("stock-endless", {"says": GOOD, "ended": False}, None, {}),
    ("ignored", {"says": "no"}, {"says": "no JSON", "nll": 0.9}, {}),
    ("ignored", {"says": "no"}, {"says": "nor this", "nll": 0.9}, {"expected": "yes"}),
    ("cut", {"says": "no"}, {"says": "no JSON", "nll": 0.9, "ended": False}, {"cut": 3}),
    ("cut", {"says": "no"}, None, {"cut": 40}),
    ("unsure", {"says": WRONG}, {"says": GOOD, "nll": 0.5}, {"count": 9}),
    ("unsure", {"says": GOOD}, None, {"count": 9}),
    ("little", {"says": "no"}, {"says": "no JSON", "nll": 0.99}, {}),
    ("fenced", {"says": GOOD}, {"says": f"```json\n{GOOD}\n```"}, {}),
    ("no-difference", {"says": GOOD}, {"says": '{"a": 1 }'}, {"expected": WRONG}),
    ("few", {"says": WRONG}, {"says": GOOD}, {"count": 29}),
    ("enough", {"says": GOOD}, None, {"schema": SCHEMA}),
    ("form", {"says": "Surely!"}, None, {"schema": SCHEMA}),
    ("content", {"says": WRONG}, None, {"schema": SCHEMA}),
    ("words", {"says": "Hello"}, None, {"expected": "Hi"}),
    ("order", {"says": GOOD}, None, {}),
]


@pytest.mark.parametrize(("code", "base", "tuned", "more"), CASES)
def test_each_advice_has_its_occasion(code, base, tuned, more):
    found = {one["code"]: one["message"] for one in told(base, tuned, **more)["advice"]}
    assert code in found
    assert "{" not in found[code]


def test_every_advice_is_reached_and_none_contradicts():
    assert {code for code, *_ in CASES} == set(ADVICE)
    better = {one["code"] for one in told({"says": WRONG}, {"says": GOOD, "nll": 0.5})["advice"]}
    assert better == {"better"}
    assert {one["code"] for one in told({"says": GOOD})["advice"]} == {"enough", "order"}


def found(*sides, **more):
    return [one["code"] for one in told(*sides, **more)["advice"]]


def test_an_option_that_cuts_answers_is_no_fault_of_the_model():
    wrong = {"says": "no JSON", "nll": 0.5, "ended": False}
    assert found({"says": "no"}, wrong, cut=1) == ["cut", "better"]
    assert found({"says": GOOD}, wrong, cut=1) == ["cut", "better"]
    assert found({"says": "no", "ended": False}, cut=40) == ["cut", "order"]


def test_a_loss_that_hardly_moved_asks_for_steps_and_not_for_rank():
    assert "ignored" not in found({"says": "no"}, {"says": "no JSON", "nll": 0.96})
    assert "little" not in found({"says": "no"}, {"says": "no JSON", "nll": 0.9})


@pytest.mark.parametrize("count", [1, 4, 9, 10, 40])
def test_there_is_one_verdict_and_none_from_a_few_records(count):
    verdicts = {"better", "ignored", "no-difference", "unsure", "worse-answers"}
    for says in (GOOD, WRONG, "no JSON"):
        for base in (GOOD, WRONG, "no"):
            body = told({"says": base}, {"says": says, "nll": 0.5}, count=count)
            codes = [one["code"] for one in body["advice"]]
            told_ = verdicts & set(codes)
            assert "unsure" in told_ if count < 10 else "unsure" not in told_
            assert len(told_) == 1 or told_ == {"worse-answers", "ignored"}, (base, says, codes)
            assert "worse-answers" not in told_ or "better" not in str(body["advice"])


def test_the_table_has_what_applies():
    body = told({"says": "no"}, {"says": "yes", "nll": 0.1}, expected="yes")
    names = [name for name, *_ in table(body)]
    assert "valid JSON" not in names
    assert "exact match" in names
    assert "100.0% (40/40)" in as_text(body)
    assert "+100.0 points" in as_text(body)


def test_the_page_shows_markup_as_text():
    said = "<script>alert(1)</script>\"'&<img src=x onerror=y>"
    body = told({"says": said}, {"says": GOOD})
    one = {"exact": False, "ended": False, "text": said}
    rows = [
        {"record": n, "answer": 1, "request": said, "expected": said, "base": one, "tuned": one}
        for n in range(1, SHOWN + 3)
    ]
    body["fields"] = [{**row, "path": said} for row in body["fields"]]
    html = page(body, rows)
    assert html.count("<h3>") == SHOWN
    assert f"all {SHOWN + 2}" in html
    assert "<script" not in html
    assert "<img" not in html
    assert said in unescape(html)
    assert "does not end" in html
    assert json.dumps(body, allow_nan=False)
