"""Any record as `{"messages": [...]}`, tool calls kept; what cannot be kept is refused."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from validators.shapes import (
    ALPACA_INPUT,
    ALPACA_OUTPUT,
    COMPLETION,
    CONVERSATION,
    first_key,
    history_pairs,
)
from validators.turns import (
    CALL_ROLES,
    content_key_of,
    count_calls,
    part_kind,
    part_texts,
    raw_role,
    role_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable

Message = dict[str, Any]


class CannotConvert(Exception):
    """A record has no faithful form as messages. `path` says where; no value is quoted."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(f"{path or 'record'}: {why}")
        self.path, self.why = path, why


def to_messages(value: object, form: str) -> dict[str, Any]:
    """Make `{"messages": [...], "tools": [...]}` of a record, its other fields kept beside them.

    Content parts that are all text become one string, ShareGPT's function calls become
    `tool_calls`, an Alpaca input follows its instruction after an empty line.
    Raises CannotConvert for pairs, plain text, pictures and wrong types.
    """
    convert = _CONVERTERS.get(form)
    if convert is None:
        raise CannotConvert("", _REFUSED.get(form, _REFUSED["other"]))
    if isinstance(value, list) and form in ("messages", "sharegpt"):
        return {"messages": _messages(value, "")}
    if not isinstance(value, dict):
        raise CannotConvert("", "it is not a JSON object; write one object a record")
    messages, used = convert(value)
    result: dict[str, Any] = {"messages": messages}
    if value.get("tools"):
        result["tools"] = _tools(value["tools"])
    return result | {k: v for k, v in value.items() if k not in used and k not in result}


_REFUSED = {
    "preference": "a preference pair has two answers; keep its own format, or keep only `chosen`",
    "text": "plain text has no turns; keep its own format",
    "other": "its format is not known; name the fields as messages, Alpaca or ShareGPT",
}


def _from_messages(value: dict[str, Any]) -> tuple[list[Message], set[str]]:
    talk = _system(value) + _messages(value.get("messages"), "messages")
    return talk, {"messages", "system", "tools"}


def _from_sharegpt(value: dict[str, Any]) -> tuple[list[Message], set[str]]:
    key = first_key(value, CONVERSATION)
    head = _system(value)
    return head + _messages(value.get(key), key), {key, "system", "tools"}


def _from_alpaca(value: dict[str, Any]) -> tuple[list[Message], set[str]]:
    into, out = first_key(value, ALPACA_INPUT), first_key(value, ALPACA_OUTPUT)
    question = _text_field(value, "instruction")
    if value.get(into) not in (None, ""):
        question = f"{question}\n\n{_text_field(value, into)}"
    earlier = [{"role": role, "content": text} for role, text, _ in history_pairs(value)]
    talk = [_say("user", question), _say("assistant", _text_field(value, out))]
    return _system(value) + earlier + talk, {"instruction", into, out, "history", "system", "tools"}


def _from_prompt_completion(value: dict[str, Any]) -> tuple[list[Message], set[str]]:
    key = first_key(value, COMPLETION)
    talk = _system(value) + _side(value, "prompt", "user") + _side(value, key, "assistant")
    return talk, {"prompt", key, "system", "tools"}


def _side(value: dict[str, Any], key: str, role: str) -> list[Message]:
    if isinstance(value.get(key), list):
        return _messages(value[key], key)
    return [_say(role, _text_field(value, key))]


def _system(value: dict[str, Any]) -> list[Message]:
    return [_say("system", _text_field(value, "system"))] if value.get("system") else []


def _say(role: str, content: str) -> Message:
    return {"role": role, "content": content}


def _text_field(value: dict[str, Any], key: str) -> str:
    text = value.get(key)
    if isinstance(text, str):
        return text
    if text is None:
        raise CannotConvert(key, "the field is missing; add it as a string")
    raise CannotConvert(key, "it is not a string; write structured data as a JSON string")


def _messages(messages: object, path: str) -> list[Message]:
    if not isinstance(messages, list):
        raise CannotConvert(path, "it is not a list of turns")
    done: list[Message] = []
    for i, message in enumerate(messages):
        done.append(_message(message, f"{path}[{i}]", done))
    return done


def _message(message: object, path: str, before: list[Message]) -> Message:
    if not isinstance(message, dict):
        raise CannotConvert(path, "a turn is not a JSON object")
    role = role_of(message)
    if role == "unknown":
        raise CannotConvert(path, "its role is not known; use system, user, assistant or tool")
    # `developer` and OpenAI's old `function` keep their names: templates tell them apart.
    kept = raw_role(message) in ("developer", "function") and "role" in message
    result: Message = {"role": message["role"] if kept else role}
    result |= _content(message, path, before)
    dropped = ("role", "from", "content", "value")
    return result | {k: v for k, v in message.items() if k not in dropped and k not in result}


def _content(message: dict[str, Any], path: str, before: list[Message]) -> Message:
    key = content_key_of(message)
    content, where = message.get(key), f"{path}.{key}"
    if raw_role(message) in CALL_ROLES:
        return {"content": "", "tool_calls": _calls(content, where, before)}
    found: Message
    if message.get("refusal"):
        raise CannotConvert(f"{path}.refusal", "`refusal` is no text that chat templates write; put "
                            "the words into the content, or drop the record")  # fmt: skip
    if content is None and not count_calls(message):
        raise CannotConvert(where, "the content is null and there is no tool call; fill it in or "
                            "drop the record")  # fmt: skip
    if isinstance(content, str) or content is None:
        found = {"content": content or ""}
    elif isinstance(content, list):
        found = _parts(content, where, before)
    else:
        raise CannotConvert(where, "the content is not a string")
    if role_of(message) == "tool" and "tool_call_id" not in message:
        found |= _answered_call(before)
    return found


def _parts(parts: list[Any], where: str, before: list[Message]) -> Message:
    texts = part_texts(parts, where)
    found: Message = {"content": "".join(text for text, _ in texts)}
    kinds = [part_kind(part) for part in parts]
    reasons = [p.get("value") for p, kind in zip(parts, kinds, strict=True) if kind == "reasoning"]
    calls = [p.get("value") for p, kind in zip(parts, kinds, strict=True) if kind == "tool_call"]
    if "other" in kinds or kinds.count("text") != len(texts):
        raise CannotConvert(where, "a content part is not text; leave pictures and sound out")
    if reasons and not all(isinstance(reason, str) for reason in reasons):
        raise CannotConvert(where, "a reasoning part holds no string")
    if reasons:
        found["reasoning_content"] = "".join(reasons)
    if calls:
        made: list[Message] = []
        for call in calls:
            made += _calls(call, where, [*before, {"tool_calls": made}])
        found["tool_calls"] = made
    return found


def _calls(text: object, where: str, before: list[Message]) -> list[Message]:
    """Make tool calls from `{"name", "arguments"}` or a list of such, written as JSON text."""
    parsed = _json(text, where, "the tool call")
    start = sum(len(message.get("tool_calls", ())) for message in before)
    made = []
    for i, call in enumerate(parsed if isinstance(parsed, list) else [parsed]):
        if not isinstance(call, dict) or not isinstance(call.get("name"), str):
            raise CannotConvert(where, "the tool call has no `name`")
        arguments = call.get("arguments", call.get("parameters", {}))
        if not isinstance(arguments, str):
            arguments = json.dumps(arguments, ensure_ascii=False)
        function = {"name": call["name"], "arguments": arguments}
        made.append({"id": f"call_{start + i + 1}", "type": "function", "function": function})
    return made


def _answered_call(before: list[Message]) -> Message:
    """Name the call that an observation without an id answers: the first one still open."""
    answered = {message.get("tool_call_id") for message in before}
    for message in before:
        for call in message.get("tool_calls", ()):
            if isinstance(call, dict) and call.get("id") and call["id"] not in answered:
                return {"tool_call_id": call["id"]}
    return {}


def _tools(tools: object) -> list[Any]:
    """Write tool descriptions as OpenAI does; ShareGPT files hold them as a JSON string."""
    parsed = _json(tools, "tools", "the list of tools") if isinstance(tools, str) else tools
    if not isinstance(parsed, list):
        raise CannotConvert("tools", "it is not a list of tool descriptions")
    return [
        {"type": "function", "function": tool}
        if isinstance(tool, dict) and "function" not in tool and "name" in tool
        else tool
        for tool in parsed
    ]


def _json(text: object, where: str, what: str) -> object:
    if isinstance(text, str):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass
    raise CannotConvert(where, f"{what} is not JSON text; correct it")


_CONVERTERS: dict[str, Callable[[dict[str, Any]], tuple[list[Message], set[str]]]] = {
    "messages": _from_messages,
    "sharegpt": _from_sharegpt,
    "alpaca": _from_alpaca,
    "prompt-completion": _from_prompt_completion,
}
