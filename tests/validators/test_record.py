import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from validators.checks import Contract, check_record
from validators.duplicates import content_key
from validators.record import (
    FORMATS,
    CannotConvert,
    Turn,
    conversations,
    detect_format,
    shortest_answer,
    to_messages,
    turns,
)

CHAT = {
    "messages": [
        {"role": "system", "content": "Answer briefly."},
        {"role": "user", "content": "Where is my parcel?"},
        {"role": "assistant", "content": "On its way."},
    ]
}
ALPACA = {"instruction": "Translate.", "input": "Guten Tag", "output": "Good day"}
SHAREGPT = {
    "conversations": [
        {"from": "human", "value": "Is it raining?"},
        {"from": "function_call", "value": '{"name": "weather", "arguments": {"day": "now"}}'},
        {"from": "observation", "value": '{"rain": true}'},
        {"from": "gpt", "value": "Yes."},
    ],
    "tools": '[{"name": "weather", "parameters": {}}]',
}
PAIR = {
    "prompt": "Say hi",
    "chosen": [{"role": "assistant", "content": "Hi!"}],
    "rejected": [{"role": "assistant", "content": "No."}],
}

KEYS = st.sampled_from(
    [
        "messages",
        "conversations",
        "instruction",
        "input",
        "output",
        "prompt",
        "completion",
        "chosen",
        "rejected",
        "text",
        "role",
        "content",
        "from",
        "value",
        "tool_calls",
        "function_call",
        "function",
        "arguments",
        "name",
        "type",
        "system",
        "history",
        "tools",
        "weight",
        "instances",
        "tool_call_id",
    ]
)
WORDS = st.sampled_from(["user", "gpt", "system", "assistant", "tool", "function_call", "text", ""])
ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=25,
)


@pytest.mark.parametrize(
    ("value", "form"),
    [
        (CHAT, "messages"),
        (CHAT["messages"], "messages"),
        ({"messages": 5}, "messages"),
        (ALPACA, "alpaca"),
        ({"instruction": "x", "input": None, "output": "y"}, "alpaca"),
        ({"instruction": "x"}, "alpaca"),
        ({"instruction": "x", "instances": []}, "other"),
        (SHAREGPT, "sharegpt"),
        ([{"from": "human", "value": "x"}], "sharegpt"),
        ({"prompt": "x", "response": "y"}, "prompt-completion"),
        ({"prompt": "x", "output": "y"}, "prompt-completion"),
        (PAIR, "preference"),
        ({**ALPACA, "text": "x"}, "alpaca"),
        ({"text": "x"}, "text"),
        ({"question": [[{"role": "user", "content": "x"}]]}, "other"),
        ("x", "other"),
        ([], "other"),
        (None, "other"),
    ],
)
def test_formats(value, form):
    assert detect_format(value) == form


@given(ODD, st.sampled_from(FORMATS), st.sampled_from(["any", "single", "multi"]))
def test_nothing_odd_raises(value, form, pattern):
    contract = Contract(system="s", turns=pattern, input="json", answer_schema={"type": "object"})
    for kind in (form, detect_format(value)):
        turns(value, kind)
        shortest_answer(value, kind)
        content_key(value, kind).encode("ascii")
        check_record(value, kind, contract)
        try:
            made = to_messages(value, kind)
        except CannotConvert:
            continue
        assert all(isinstance(m["content"], str) for m in made["messages"])


@given(st.text(alphabet="äöß\ud800日x", min_size=1, max_size=12), ODD)
def test_no_message_quotes_a_value(secret, noise):
    planted = f"canary-{secret}-4711"
    value = {
        "messages": [
            {"role": planted, "content": planted, planted: planted},
            {"role": "assistant", "content": {planted: noise}, "tool_calls": [planted]},
            {"role": "assistant", "content": json.dumps({planted: [planted], "n": planted})},
        ],
        planted: planted,
    }
    schema = {"properties": {"n": {"type": "number"}}, "additionalProperties": False}
    contract = Contract(system="other", answer_schema=schema)
    told = repr(check_record(value, "messages", contract))
    assert "canary" not in told
    assert "4711" not in told


def test_turns_carry_paths():
    assert turns(SHAREGPT, "sharegpt") == [
        Turn("user", "Is it raining?", "conversations[0].value"),
        Turn("assistant", SHAREGPT["conversations"][1]["value"], "conversations[1].value", 1),
        Turn("tool", '{"rain": true}', "conversations[2].value"),
        Turn("assistant", "Yes.", "conversations[3].value"),
    ]
    assert [t.path for t in turns(ALPACA, "alpaca")] == ["instruction", "input", "output"]
    assert [t.path for t in turns(CHAT["messages"], "messages")] == [
        "[0].content", "[1].content", "[2].content",
    ]  # fmt: skip


def test_content_parts():
    one = {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]}
    two = {"messages": [{"role": "user", "content": [{"type": "text", "value": "a"}, "b"]}]}
    assert turns(one, "messages") == [Turn("user", "a", "messages[0].content[0].text")]
    assert turns(two, "messages") == [Turn("user", "ab", "messages[0].content")]


def test_a_pair_is_two_conversations():
    chosen, rejected = conversations(PAIR, "preference")
    assert [t.text for t in chosen] == ["Say hi", "Hi!"]
    assert [t.text for t in rejected] == ["Say hi", "No."]
    assert [t.path for t in turns(PAIR, "preference")] == [
        "prompt", "chosen[0].content", "rejected[0].content",
    ]  # fmt: skip


def test_sharegpt_calls_become_tool_calls():
    made = to_messages({"id": 7, **SHAREGPT}, "sharegpt")
    call = made["messages"][1]["tool_calls"][0]
    assert json.loads(call["function"]["arguments"]) == {"day": "now"}
    assert made["messages"][2] == {
        "role": "tool", "content": '{"rain": true}', "tool_call_id": call["id"],
    }  # fmt: skip
    assert made["tools"] == [
        {"type": "function", "function": {"name": "weather", "parameters": {}}}
    ]
    assert made["id"] == 7


def test_parts_with_reasoning_and_call():
    parts = [
        {"type": "reasoning", "value": "think"},
        {"type": "text", "value": "Looking."},
        {"type": "tool_call", "value": '{"name": "f", "arguments": {"a": 1}}'},
    ]
    value = {"messages": [{"role": "assistant", "content": parts}]}
    message = to_messages(value, "messages")["messages"][0]
    assert message["content"] == "Looking."
    assert message["reasoning_content"] == "think"
    assert message["tool_calls"][0]["function"] == {"name": "f", "arguments": '{"a": 1}'}


def test_alpaca_as_messages():
    made = to_messages({**ALPACA, "system": "s", "history": [["q", "a"]], "id": 1}, "alpaca")
    assert [(m["role"], m["content"]) for m in made["messages"]] == [
        ("system", "s"), ("user", "q"), ("assistant", "a"),
        ("user", "Translate.\n\nGuten Tag"), ("assistant", "Good day"),
    ]  # fmt: skip
    assert made["id"] == 1


@pytest.mark.parametrize("empty", [None, "", "absent"])
def test_alpaca_without_input(empty):
    value = {**ALPACA, "input": empty}
    if empty == "absent":
        del value["input"]
    assert to_messages(value, "alpaca")["messages"][0]["content"] == "Translate."
    assert check_record(value, "alpaca") == []


@pytest.mark.parametrize(
    ("value", "form", "path"),
    [
        (PAIR, "preference", ""),
        ({"text": "x"}, "text", ""),
        ({**ALPACA, "output": {"a": None}}, "alpaca", "output"),
        ({"messages": [{"role": "user", "content": [{"type": "image_url"}]}]}, "messages",
         "messages[0].content"),
        ({"conversations": [{"from": "function_call", "value": "{"}]}, "sharegpt",
         "conversations[0].value"),
        ({"conversations": [{"from": "narrator", "value": "x"}]}, "sharegpt", "conversations[0]"),
    ],
)  # fmt: skip
def test_what_cannot_be_converted_is_refused_with_its_place(value, form, path):
    with pytest.raises(CannotConvert) as caught:
        to_messages(value, form)
    assert caught.value.path == path


def test_shortest_answer():
    chat = {"messages": [*CHAT["messages"], {"role": "assistant", "content": "  "}]}
    assert shortest_answer(chat, "messages") == 0
    assert shortest_answer({"messages": [{"role": "user", "content": "x"}]}, "messages") is None


def test_same_words_are_duplicates_across_formats_and_extra_fields():
    chat = {"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]}
    share = {"conversations": [{"from": "human", "value": "q"}, {"from": "gpt", "value": "a"}]}
    parts = [{"type": "text", "text": "q"}]
    split = {"messages": [{"role": "user", "content": parts}, chat["messages"][1]], "id": 4}
    rows = [(chat, "messages"), (share, "sharegpt"), (split, "messages"),
            ({"prompt": "q", "completion": "a"}, "prompt-completion")]  # fmt: skip
    assert len({content_key(*row) for row in rows}) == 1


@pytest.mark.parametrize(
    "message",
    [
        {"role": "user", "content": "q "},
        {"role": "system", "content": "q"},
        {"role": "narrator", "content": "q"},
        {"role": "author", "content": "q"},
        {"role": "user", "content": 5},
        {"role": "user", "content": 6},
        {"role": "user", "content": "q", "name": "n"},
        {"role": "user", "content": [{"type": "text", "text": "q"}, {"type": "image", "url": "u"}]},
        {"role": "user", "content": "q", "tool_calls": [{"function": {"name": "f"}}]},
        {"role": "user", "content": "q", "tool_calls": [{"function": {"name": "g"}}]},
    ],
)
def test_what_differs_is_no_duplicate(message):
    others = [
        {"role": "user", "content": "q"}, {"role": "user", "content": 7},
        {"role": "user", "content": "q", "tool_calls": [{"function": {"name": "h"}}]},
        {"role": "narrators", "content": "q"},
    ]  # fmt: skip
    key = content_key({"messages": [message]}, "messages")
    assert key not in {content_key({"messages": [other]}, "messages") for other in others}


def test_sides_of_a_pair_are_not_mixed_up():
    swapped = {**PAIR, "chosen": PAIR["rejected"], "rejected": PAIR["chosen"]}
    assert content_key(PAIR, "preference") != content_key(swapped, "preference")


def test_a_record_nested_beyond_recursion_still_has_a_key():
    deep: object = "x"
    for _ in range(5000):
        deep = [deep]
    assert content_key(deep, "other") != content_key([deep], "other")


@pytest.mark.parametrize(
    ("rest", "form"),
    [
        ({"messages": [{"role": "user", "content": "q"}, {"role": "assistant", "content": "a"}]},
         "messages"),
        ({"prompt": "q", "completion": "a"}, "prompt-completion"),
        ({"prompt": [{"role": "user", "content": "q"}], "completion": "a"}, "prompt-completion"),
    ],
)  # fmt: skip
def test_a_system_prompt_beside_the_turns_is_their_first(rest, form):
    value = {"system": "s", **rest}
    assert [turn.role for turn in turns(value, form)] == ["system", "user", "assistant"]
    made = to_messages(value, form)
    assert [message["content"] for message in made["messages"]] == ["s", "q", "a"]
    assert "system" not in made
    assert len(turns({**value, "system": ""}, form)) == 2
    assert content_key(value, form) != content_key(rest, form)


@pytest.mark.parametrize("more", [{}, {"refusal": "canary"}])
def test_an_answer_of_null_has_no_form_as_messages(more):
    value = {"messages": [{"role": "assistant", "content": None, **more}]}
    with pytest.raises(CannotConvert) as caught:
        to_messages(value, "messages")
    assert "canary" not in str(caught.value)
