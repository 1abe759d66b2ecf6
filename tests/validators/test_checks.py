import json
import socket

import pytest

from validators.answers import check_schema
from validators.checks import CODES, Contract, ContractError, check_record, token_fault


def say(role, content, **more):
    return {"role": role, "content": content, **more}


def chat(*messages):
    return {"messages": list(messages)}


Q, A = say("user", "question"), say("assistant", "answer")
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": '{"a": 1}'}}


def codes(value, form="messages", **contract):
    return [(f.code, f.path) for f in check_record(value, form, Contract(**contract))]


@pytest.mark.parametrize(
    "value",
    [
        chat(Q, A),
        chat(say("system", "s"), Q, A, Q, A),
        chat(Q, say("assistant", None, tool_calls=[CALL]), say("tool", "r", tool_call_id="c1"), A),
        chat(Q, {"role": "assistant", "tool_calls": [CALL]}, say("tool", "r"), say("tool", "r"), A),
        {**chat(Q, A), "id": 5, "tools": []},
    ],
)
def test_good_chats_pass(value):
    assert codes(value) == []


@pytest.mark.parametrize(
    ("value", "code", "path", "openai"),
    [
        ({"messages": []}, "turns-missing", "messages", "missing_messages_list"),
        ({"messages": "x"}, "turns-missing", "messages", "missing_messages_list"),
        (7, "record-type", "", "data_type"),
        (chat("x", Q, A), "turn-type", "messages[0]", "data_type"),
        (chat({"content": "x"}, Q, A), "turn-key-missing", "messages[0]", "message_missing_key"),
        (chat({"role": "user"}, A), "turn-key-missing", "messages[0]", "message_missing_key"),
        (chat(Q, say("assistant", "a", thinking="t")), "turn-key-unknown", "messages[1].thinking",
         "message_unrecognized_key"),
        (chat(Q, say("assistant", "a", ana="t")), "turn-key-unknown", "messages[1][key 3]",
         "message_unrecognized_key"),
        (chat(say("narrator", "x"), Q, A), "role-unknown", "messages[0].role",
         "unrecognized_role"),
        (chat(say("human", "x"), A), "role-unknown", "messages[0].role", "unrecognized_role"),
        (chat(say("user", None), A), "content-missing", "messages[0].content", "missing_content"),
        (chat(say("user", 5), A), "content-type", "messages[0].content", "missing_content"),
        (chat(say("user", [{"type": "image"}]), A), "content-part", "messages[0].content[0]",
         "missing_content"),
        (chat(say("user", " \n"), A), "turn-empty", "messages[0].content", "missing_content"),
        (chat(Q, say("assistant", "\u00a0\t")), "answer-empty", "messages[1].content",
         "missing_content"),
        (chat(Q), "answer-missing", "messages[0].content", "example_missing_assistant_message"),
        (chat(Q, A, Q), "answer-not-last", "messages[2].content", None),
        (chat(Q, say("system", "s"), A), "order-system", "messages[1].content", None),
        (chat(A, Q, A), "order-first", "messages[0].content", None),
        (chat(Q, Q, A), "order-repeat", "messages[1].content", None),
        (chat(Q, A, A), "order-repeat", "messages[2].content", None),
        (chat(Q, say("tool", "r"), A), "tool-result-alone", "messages[1].content", None),
        (chat(Q, say("assistant", "", tool_calls=[CALL]), A), "tool-result-missing",
         "messages[2].content", None),
        (chat(Q, say("assistant", "", tool_calls=[{"function": {"name": "f", "arguments": "{"}}]),
              say("tool", "r"), A), "tool-arguments",
         "messages[1].tool_calls[0].function.arguments", None),
        (chat(Q, say("assistant", "", tool_calls=[{"function": {}}]), say("tool", "r"), A),
         "tool-call", "messages[1].tool_calls[0].function", None),
    ],
)  # fmt: skip
def test_each_fault_alone_with_place_and_openai_name(value, code, path, openai):
    found = check_record(value, "messages")
    assert [(f.code, f.path, f.openai) for f in found] == [(code, path, openai)]
    assert found[0].message.endswith(".")


@pytest.mark.parametrize(
    ("value", "form", "expected"),
    [
        ({"instruction": "i", "output": "o"}, "alpaca", []),
        ({"instruction": "i", "input": 4, "output": "o"}, "alpaca", [("field-type", "input")]),
        ({"instruction": "i"}, "alpaca", [("field-missing", "output")]),
        ({"instruction": "i", "output": {"a": None}}, "alpaca", [("field-type", "output")]),
        ({"instruction": "i", "output": " "}, "alpaca", [("answer-empty", "output")]),
        ({"prompt": "p", "output": "o"}, "alpaca", [("field-missing", "instruction")]),
        ({"prompt": "p", "output": "o"}, "prompt-completion", [("field-missing", "completion")]),
        ({"text": ""}, "text", [("answer-empty", "text")]),
        ({"prompt": "p", "chosen": "c"}, "preference", [("field-missing", "rejected")]),
        ({"x": 1}, "other", [("format-unknown", "")]),
    ],
)
def test_field_formats(value, form, expected):
    found = [pair for pair in codes(value, form) if not pair[0].startswith(("order", "answer-m"))]
    assert found == expected


def test_a_missing_field_names_the_one_that_stands_in_its_place():
    found = check_record({"prompt": "p", "output": "o"}, "alpaca")
    assert "`prompt`" in found[0].message


def test_system_prompt_that_differs_in_one_space_is_placed():
    value = chat(say("system", "Answer  briefly."), Q, A)
    found = check_record(value, "messages", Contract(system="Answer briefly."))
    assert [(f.code, f.path) for f in found] == [("system-differs", "messages[0].content")]
    assert "character 8" in found[0].message
    assert codes(chat(Q, A), system="s") == [("system-missing", "")]
    assert codes(chat(Q, A), system_required=True) == [("system-missing", "")]
    assert codes(chat(say("system", "any"), Q, A), system_required=True) == []


def test_turn_pattern_and_input_form():
    assert codes(chat(Q, A, Q, A), turns="single") == [("turn-pattern", "")]
    assert codes(chat(Q, A), turns="multi") == [("turn-pattern", "")]
    assert codes(chat(Q, A), input="json") == [("input-form", "messages[0].content")]
    assert codes(chat(say("user", '{"a": 1}'), A), input="text") == [
        ("input-form", "messages[0].content")
    ]
    assert codes(chat(say("user", '{"a": 1}'), A), input="json") == []


def test_required_and_forbidden_fields():
    value = {**chat(Q, A), "label": "x", "a key with spaces": 1}
    assert codes(value, required_fields=("source",)) == [("field-required", "")]
    assert codes(value, forbidden_fields=("label",)) == [("field-forbidden", "label")]
    assert codes(value, forbidden_fields=("a key with spaces",)) == [("field-forbidden", "[key 3]")]


def test_placeholders_are_checked_on_request():
    value = chat(say("user", "Dear {{name}, hello"), A)
    assert codes(value) == []
    assert codes(value, placeholders=True) == [("placeholder", "messages[0].content")]
    assert codes(chat(say("user", "Dear {{name}}"), A), placeholders=True) == []


SCHEMA = {
    "type": "object",
    "properties": {"total": {"type": "number", "minimum": 0}, "id": {"type": "string"}},
    "required": ["id", "total"],
    "additionalProperties": False,
}


def answers(text, schema=SCHEMA):
    contract = Contract(answer_schema=schema)
    return check_record(chat(Q, say("assistant", text)), "messages", contract)


def test_answer_schema():
    assert answers('{"id": "a", "total": 3.5}') == []
    assert [f.code for f in answers("no json")] == ["answer-not-json"]
    assert "fence" in answers('```json\n{"id": "a"}\n```')[0].message
    found = answers('{"total": "canary", "Ana Reyes": 1}')
    assert [f.path for f in found] == ["messages[1].content"] * 3
    told = " ".join(f.message for f in found)
    assert "`$.total` must be of type number, it is string" in told
    assert "lacks `id`" in told
    assert "canary" not in told
    assert "Ana" not in told


def test_a_key_that_the_schema_does_not_name_is_hidden():
    schema = {"additionalProperties": {"type": "number"}}
    (found,) = answers('{"a": 1, "Ana Reyes": "x"}', schema)
    assert "`$[key 2]`" in found.message


@pytest.mark.parametrize(
    ("schema", "text"),
    [
        ({"enum": ["canary"]}, '"secret value"'),
        ({"pattern": "^x"}, '"secret value"'),
        ({"const": 5}, '"secret value"'),
        ({"minLength": 90}, '"secret value"'),
        ({"maximum": 5}, "666777"),
        ({"items": {"type": "string"}}, "[666777]"),
        ({"oneOf": [{"type": "number"}, {"minLength": 90}]}, '"secret value"'),
        ({"propertyNames": {"pattern": "^x"}}, '{"secret value": 1}'),
        ({"dependentRequired": {"a": ["b"]}}, '{"a": "secret value"}'),
        ({"not": {}}, '"secret value"'),
        (False, '"secret value"'),
    ],
)
def test_no_keyword_quotes_the_answer(schema, text):
    (found,) = answers(text, schema)
    assert found.code == "answer-schema"
    assert "secret" not in found.message
    assert "666777" not in found.message


def test_a_deeply_nested_answer_is_a_fault():
    schema = {"$ref": "#/$defs/x", "$defs": {"x": {"items": {"$ref": "#/$defs/x"}}}}
    assert [f.code for f in answers("[" * 400 + "]" * 400, schema)] in ([], ["answer-schema"])
    assert [f.code for f in answers("[" * 100_000, schema)] == ["answer-not-json"]


def test_an_unusable_schema_is_told_without_a_fetch(monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    with pytest.raises(ContractError, match="nothing is fetched"):
        answers("{}", {"$ref": "https://schemas.example.org/x.json"})
    with pytest.raises(ContractError, match="properties"):
        check_schema({"properties": {"a": {"type": "numbr"}}})


def test_unknown_words_in_the_contract():
    with pytest.raises(ContractError, match=r"contract\.turns"):
        Contract(turns="twice")
    with pytest.raises(ContractError, match=r"contract\.input"):
        Contract(input="xml")


def test_a_shared_prompt_is_told_once():
    pair = {"prompt": [say("user", " ")], "chosen": [A], "rejected": [A]}
    assert codes(pair, "preference") == [("turn-empty", "prompt[0].content")]


def test_token_fault():
    assert token_fault(10, 10) is None
    assert token_fault(11, 10).openai == "too_many_tokens"


def test_every_openai_name_is_an_alias_of_a_code():
    names = {"data_type", "missing_messages_list", "message_missing_key",
             "message_unrecognized_key", "unrecognized_role", "missing_content",
             "example_missing_assistant_message", "too_many_tokens"}  # fmt: skip
    assert names == {alias for alias in CODES.values() if alias}


def test_sharegpt_call_that_is_no_json():
    talk = [{"from": "human", "value": "q"}, {"from": "function_call", "value": "{'name': 1}"},
            {"from": "observation", "value": "r"}, {"from": "gpt", "value": "a"}]  # fmt: skip
    value = {"conversations": talk}
    assert codes(value, "sharegpt") == [("tool-call", "conversations[1].value")]
    talk[1]["value"] = json.dumps([{"name": "f", "arguments": {}}])
    assert codes(value, "sharegpt") == []


@pytest.mark.parametrize("key", ["weight", "loss_weight"])
def test_a_weight_is_0_or_1(key):
    for weight in ("0", 0.5, 2, [], "canary"):
        value = chat(Q, {**A, key: weight})
        assert codes(value) == [("turn-weight", f"messages[1].{key}")]
    for weight in (0, 1, False, True, None):
        assert codes(chat(Q, {**A, key: weight})) == []


def test_what_stands_beside_the_turns():
    talk = chat(Q, A)
    assert codes({**talk, "system": "Be brief."}, system="Be brief.") == []
    assert codes({**talk, "system": 1}) == [("field-type", "system")]
    pair = {"prompt": "q", "completion": "a", "system": {}}
    assert codes(pair, "prompt-completion") == [("field-type", "system")]
    assert codes({**talk, "functions": [{"name": "f"}]}) == [("tool-call", "functions")]
