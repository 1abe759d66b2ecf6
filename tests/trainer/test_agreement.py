"""Agreement of answers, and intervals that say when a set is too small."""

from __future__ import annotations

import json
import math
import random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from trainer.agreement import agree, difference_of_means, difference_of_shares

SCHEMA = {"type": "object", "required": ["total"], "properties": {"total": {"type": "number"}}}
INVOICE = {
    "invoice_id": "4471", "supplier": "Norden AB", "due": "2026-03-12", "total": 1250,
    "paid": False, "items": [{"name": "bolt", "price": 0.1}, {"name": "nut", "price": 2}],
}  # fmt: skip
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4)
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)  # fmt: skip


def leaves(value):
    if isinstance(value, dict | list) and value:
        parts = value.values() if isinstance(value, dict) else value
        return sum(leaves(part) for part in parts)
    return 1


def outcomes(wanted, answer):
    found = agree(json.dumps(wanted), answer if isinstance(answer, str) else json.dumps(answer))
    return found.fields


def test_one_answer_field_by_field():
    given_ = INVOICE | {
        "total": 1250.0, "due": "12 March", "paid": 0, "currency": "EUR",
        "items": [{"name": "bolt", "price": 0.10}],
    }  # fmt: skip
    del given_["supplier"]
    assert sorted(outcomes(INVOICE, given_)) == sorted([
        ("$.invoice_id", "equal"), ("$.supplier", "missing"), ("$.due", "different"),
        ("$.total", "equal"), ("$.paid", "different"), ("$.currency", "extra"),
        ("$.items[].name", "equal"), ("$.items[].price", "equal"),
        ("$.items[].name", "missing"), ("$.items[].price", "missing"),
    ])  # fmt: skip


@given(values, values)
def test_every_wanted_value_is_counted_once_whatever_is_given(wanted, given_):
    wanted = {"a": wanted}
    for answer in ({"a": given_}, given_, {}, "no JSON"):
        found = [outcome for _, outcome in outcomes(wanted, answer)]
        assert len(found) - found.count("extra") == leaves(wanted)
        if isinstance(answer, dict | list) and answer:
            assert len(found) - found.count("missing") >= leaves(answer) - empty(answer)


def empty(value):
    """Empty arrays and objects: beside a filled one they are no value of their own."""
    if not isinstance(value, dict | list):
        return 0
    parts = value.values() if isinstance(value, dict) else value
    return sum(map(empty, parts)) if value else 1


@given(values)
@example({"\ufa70": None})  # composes to another character
@example(["A\u030a", "\u212b"])
@example({"A\u030a": 1, "\u00c5": 2})
def test_a_value_agrees_with_itself_in_another_spelling(value):
    other = json.dumps({"a": value}, indent=3, ensure_ascii=False)
    assert {outcome for _, outcome in outcomes({"a": value}, f"\n{other} ")} == {"equal"}


@pytest.mark.parametrize(
    ("wanted", "answer", "same"),
    [
        ("1250", "1250.0", True), ("1250", "1.25e3", True), ("0.1", "0.10", True),
        ("1", "true", False), ("0", "false", False), ('"1"', "1", False), ("null", "0", False),
        ("9007199254740993", "9007199254740992", False), ("1e400", "1e401", False),
    ],
)  # fmt: skip
def test_numbers_are_equal_by_value_and_nothing_else_is(wanted, answer, same):
    ((_, outcome),) = agree(f"[{wanted}]", f"[{answer}]").fields
    assert outcome == ("equal" if same else "different")


@pytest.mark.parametrize(
    "answer", ["I cannot", "", "{", '"text"', "NaN", "[NaN]", "[" * 100_000, '{"total": 1} Thanks!']
)
def test_what_is_no_json_object_lacks_every_field(answer):
    found = agree('{"total": 1}', answer, SCHEMA)
    assert (found.exact, found.json, found.schema) == (False, False, False)
    assert ("$.total", "missing") in found.fields


def test_a_code_fence_is_not_what_production_reads():
    found = agree('{"total": 1}', '```json\n{"total": 1}\n```', SCHEMA)
    assert (found.json, found.schema, found.fenced) == (False, False, True)
    assert not agree('{"total": 1}', "```\nno\n```").fenced


def test_the_schema_counts_where_there_is_one():
    assert agree("{}", '{"total": 2}', SCHEMA).schema is True
    assert agree("{}", '{"total": "two"}', SCHEMA).schema is False
    assert agree("{}", '{"total": 2}').schema is None


def test_an_empty_array_is_a_value():
    assert outcomes({"a": []}, {"a": []}) == (("$.a", "equal"),)
    assert outcomes({"a": []}, {"a": 1}) == (("$.a", "different"),)
    assert outcomes({"a": []}, {"a": [1]}) == (("$.a", "different"), ("$.a[]", "extra"))
    assert outcomes({"a": [1]}, {"a": []}) == (("$.a[]", "missing"),)
    assert outcomes({}, {"b": 1}) == (("$", "different"), ("$.b", "extra"))


def test_text_is_compared_as_text():
    found = agree("On Friday.", " On Friday.\n")
    assert (found.exact, found.json, found.fields) == (True, None, None)
    assert agree("42", "42.0").exact is False
    assert agree("42", "42.0").json is None  # a bare number is an answer in words


pairs = st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=200)


@given(pairs)
def test_an_interval_of_shares_holds_its_difference_and_turns_round(pairs):
    base, tuned = zip(*pairs, strict=True)
    found, turned = difference_of_shares(base, tuned), difference_of_shares(tuned, base)
    assert found.low <= found.value <= found.high
    assert (turned.value, turned.low) == pytest.approx((-found.value, -found.high))


def test_one_record_proves_nothing_and_twelve_do():
    assert not difference_of_shares([False], [True]).clear
    assert difference_of_shares([False] * 12, [True] * 12).clear
    assert difference_of_shares([], []) is None
    alone = difference_of_means([2.0], [1.0], [1])
    assert (alone.value, alone.low, alone.clear) == (-1.0, None, False)


@given(
    st.lists(
        st.tuples(st.floats(-50, 50), st.floats(-50, 50), st.integers(1, 40)),
        min_size=2, max_size=60,
    )
)  # fmt: skip
def test_an_interval_of_means_lies_around_the_ratio_of_sums(rows):
    base, tuned, weights = zip(*rows, strict=True)
    found = difference_of_means(base, tuned, weights)
    assert found.value == pytest.approx((sum(tuned) - sum(base)) / sum(weights), abs=1e-6)
    assert found.low <= found.value <= found.high
    same = difference_of_means(base, base, weights)
    assert (same.value, same.low, same.high) == (0, 0, 0)


@pytest.mark.parametrize("count", [5, 60])
def test_intervals_cover_as_often_as_they_say(count):
    draw, truth, covered = random.Random(5), 0.3, 0
    for _ in range(600):
        weights = [draw.randint(1, 5) for _ in range(count)]
        tuned = [w * truth + draw.gauss(0, 1) * math.sqrt(w) for w in weights]
        found = difference_of_means([0.0] * count, tuned, weights)
        covered += found.low <= truth <= found.high
    assert 0.91 <= covered / 600 <= 0.98


def test_letters_with_separate_accents_are_the_same_letters():
    separate, composed = "Cafe\u0301 Mu\u0308ller", "Caf\u00e9 M\u00fcller"
    assert agree(separate, composed).exact
    assert agree(
        json.dumps({"a": separate}, ensure_ascii=False), f'{{"a": "{composed}"}}'
    ).fields == (("$.a", "equal"),)
