from __future__ import annotations

import json
import pprint
import re
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.recover import repair

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False, width=32)
)
TEXT = st.text(st.characters(codec="utf-8") | st.sampled_from("\"'\\\n,:{}[]é"), max_size=10)
VALUES = st.recursive(
    SCALARS | TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXT, inner, max_size=4),
    max_leaves=12,
).filter(lambda value: isinstance(value, dict | list))


@pytest.mark.parametrize(
    ("broken", "fixed", "notes"),
    [
        ('{"a": [1, 2,],}', '{"a": [1, 2]}', {"trailing-comma"}),
        ('{"a": 1},', '{"a": 1}', {"trailing-comma"}),
        ('{"a":None,"b":True,"c":NaN}', '{"a": null, "b": true, "c": null}', {"python-literals", "nan"}),
        ("{'a': 'it is', 'b': [1, None]}", '{"a": "it is", "b": [1, null]}', {"single-quotes", "python-literals"}),
        ("{'a': \"it's\", 'b': ('x', -1.5)}", '{"a": "it\'s", "b": ["x", -1.5]}', {"single-quotes"}),
        ("{'a': nan, 'b': -inf}", '{"a": null, "b": null}', {"single-quotes", "nan"}),
        ("{'a': 'one', 'a': 'two'}", '{"a": "one", "a": "two"}', {"single-quotes"}),
        ("{1: 'a'}", '{"1": "a"}', {"single-quotes"}),
        ('{"a": "line\nbreak\ttab"}', '{"a": "line\\nbreak\\ttab"}', {"raw-newline"}),
        ('{"a": "tab\there"}', '{"a": "tab\\there"}', {"control-characters"}),
        ('{"a": "so "called" x", "b": 1}', '{"a": "so \\"called\\" x", "b": 1}', {"unescaped-quotes"}),
        ('{"a": "see {"k": 1} there", "b": 1}', '{"a": "see {\\"k\\": 1} there", "b": 1}', {"unescaped-quotes"}),
        ('{"a": ""x" said y"}', '{"a": "\\"x\\" said y"}', {"unescaped-quotes"}),
        ("{'a': 'it's fine', 'b': 1}", '{"a": "it\'s fine", "b": 1}', {"single-quotes"}),
        ('{a: 1, $b: "x"}', '{"a": 1, "$b": "x"}', {"unquoted-keys"}),
        ('{"a": 1, // note\n "b": 2}', '{"a": 1, "b": 2}', {"comments"}),
        ('{"a": "\\alpha \\x41"}', '{"a": "\\\\alpha A"}', {"bad-escapes"}),
        ('{"a":"x","a":"y","n":1e3,"m":1.0,}', '{"a": "x", "a": "y", "n": 1e3, "m": 1.0}', {"trailing-comma"}),
        ('{"a": "\\ud83d", "b": None}', '{"a": "\\ud83d", "b": null}', {"python-literals"}),
        ("{'a': 'c:\\\\dir', 'b': '\\x41\\n'}", '{"a": "c:\\\\dir", "b": "A\\n"}', {"single-quotes"}),
        ("'{\"a\": 1}'", '"{\\"a\\": 1}"', {"single-quotes"}),
    ],
)  # fmt: skip
def test_a_broken_record_is_mended(broken: str, fixed: str, notes: set[str]) -> None:
    found = repair(broken)
    assert found is not None
    assert found[0] == fixed
    assert set(found[1]) == notes


@pytest.mark.parametrize(
    "broken",
    [
        "", "{", '{"a": 1', '{"a": "cut', "a\tb", "{'a': open('x')}", "{'a': b'x'}", "{'a': {1, 2}}",
        "{**x}", "f'{1}'", "{'a': x}", '{"a": 1 "b": 2}', '{"a" 1}', '{"a":: 1}', "[1,,2]", "[1]]",
        '{"a": "5" pipe", "b": 1}',               # one quote too many: where does it end?
        '{"a": "send {"k": "v", "x": "y"} now"}',  # the JSON in it looks like the record's own
        '["he said "yes", "no" and left", "b"]',
        '{"a": "one" "two"}', "{'a': 'one' 'two'}", '{"a": "say ""x"" y"}', "{'a': '\ud800'", "[" * 500 + "]" * 500,
        "(" * 5000, "{'a':" * 5000,
    ],
)  # fmt: skip
def test_what_would_be_a_guess_stays_broken(broken: str) -> None:
    assert repair(broken) is None


@given(VALUES)
def test_sound_json_comes_back_as_json_dumps_writes_it(value: object) -> None:
    found = repair(json.dumps(value))
    assert found == (json.dumps(value, ensure_ascii=False), ())


@given(VALUES)
def test_python_literals_give_the_same_value(value: object) -> None:
    found = repair(repr(value))
    assert found is not None
    assert json.loads(found[0]) == value


def test_python_literals_may_stand_on_several_lines() -> None:
    value = {"messages": [{"role": "user", "content": "it's a word " * 8}] * 3, "ok": True}
    found = repair(pprint.pformat(value, width=70))
    assert found is not None
    assert json.loads(found[0]) == value


@settings(max_examples=200)
@given(st.data())
def test_no_text_is_dropped(data: st.DataObject) -> None:
    words = [f"w{number}x" for number in range(6)]
    record = {words[0]: f"{words[1]} {words[2]}", "k": [words[3], {"q": words[4]}], "z": words[5]}
    text = json.dumps(record)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(1, len(text) - 1))
        text = (
            text[:at]
            + data.draw(st.sampled_from(['"', "'", ",", "\n", '" "', "\\", ":", "}"]))
            + text[at:]
        )
    found = repair(text)
    if found is not None:
        assert re.findall(r"\w+", found[0].replace("\\n", " ")) == re.findall(r"\w+", text)


def test_nothing_of_the_text_is_printed() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert repair("{'a': 'x\\d', 'b': 1}") is not None
        repair("{'a': 'x\\07' is 'y'}")


def test_long_text_is_left_alone() -> None:
    assert repair("{'a': '" + "x" * 2_000_000 + "'}") is None


def test_an_escape_of_python_alone_makes_it_python() -> None:
    found = repair('["\'\\U00018d09"]')
    assert found is not None
    assert json.loads(found[0]) == ["'\U00018d09"]
