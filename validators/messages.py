"""The shape of single turns: keys, roles, content and tool calls of messages and ShareGPT."""

from __future__ import annotations

import json
from typing import Any

from validators.faults import Fault, fault
from validators.turns import (
    CALL_ROLES,
    MESSAGE_ROLES,
    SHAREGPT_ROLES,
    content_key_of,
    count_calls,
    part_kind,
    part_texts,
    raw_role,
    role_of,
)

TURN_KEYS = frozenset((
    "role", "from", "content", "value", "name", "tool_calls", "tool_call_id", "function_call",
    "refusal", "weight", "loss_weight", "reasoning_content",
))  # fmt: skip
# Keys that files carry often and templates drop; well-known words, so they may be named.
DROPPED_KEYS = frozenset((
    "thinking", "reasoning", "thought", "thoughts", "id", "timestamp", "metadata", "label", "text",
))  # fmt: skip


def check_message(message: object, path: str, form: str) -> list[Fault]:
    """List what is wrong with one turn at `path` of a record of format `form`."""
    if not isinstance(message, dict):
        return [fault("turn-type", path, "A turn must be a JSON object with role and content.")]
    found = _check_keys(message, path) + _check_role(message, path, form)
    return found + _check_content(message, path) + _check_calls(message, path)


def _check_keys(message: dict[str, Any], path: str) -> list[Fault]:
    found = []
    role, content = _key_names(message)
    if role not in message:
        found.append(fault("turn-key-missing", path, f"The turn has no `{role}`: add it."))
    if content not in message and not count_calls(message):
        found.append(fault("turn-key-missing", path, f"The turn has no `{content}`: add it."))
    for number, key in enumerate(message, 1):
        if key not in TURN_KEYS:
            place = f"{path}.{key}" if key in DROPPED_KEYS else f"{path}[key {number}]"
            found.append(fault("turn-key-unknown", place, "Chat templates drop this key without a "
                               "word: remove it or move its text into the content."))  # fmt: skip
    return found


def _key_names(message: dict[str, Any]) -> tuple[str, str]:
    sharegpt = "from" in message or ("value" in message and "role" not in message)
    return ("from" if sharegpt else "role"), content_key_of(message)


def _check_role(message: dict[str, Any], path: str, form: str) -> list[Fault]:
    key, _ = _key_names(message)
    if key not in message:
        return []
    raw = raw_role(message)
    known = SHAREGPT_ROLES if form == "sharegpt" else MESSAGE_ROLES
    if isinstance(raw, str) and raw in known:
        return []
    hint = "system, user, assistant or tool"
    if role_of(message) != "unknown":
        hint = role_of(message)  # a name of another format: say what it is called here
    elif form == "sharegpt":
        hint = "system, human, gpt, function_call or observation"
    return [fault("role-unknown", f"{path}.{key}", f"The role is not known here: write {hint}.")]


def _check_content(message: dict[str, Any], path: str) -> list[Fault]:
    key = content_key_of(message)
    if key not in message:
        return []
    content, where = message[key], f"{path}.{key}"
    if content is None:
        return [] if count_calls(message) else [_empty(message, where)]
    if isinstance(content, str):
        bare = not content.strip() and not count_calls(message)
        return [_empty(message, where)] if bare else []
    if isinstance(content, list):
        return _check_parts(message, content, where)
    return [fault("content-type", where, "The content is not a string: write it as text; "
                  "structured data as a JSON string.")]  # fmt: skip


def _check_parts(message: dict[str, Any], parts: list[Any], where: str) -> list[Fault]:
    found = []
    for i, part in enumerate(parts):
        kind = part_kind(part)
        text = kind != "text" or part_texts([part], where)
        if kind == "other" or not text:
            found.append(fault("content-part", f"{where}[{i}]", "This content part is not text; "
                               "pictures and sound cannot be trained here. Remove it."))  # fmt: skip
    full = any(text.strip() for text, _ in part_texts(parts, where)) or count_calls(message)
    if not found and not full:
        found.append(_empty(message, where))
    return found


def _empty(message: dict[str, Any], where: str) -> Fault:
    if role_of(message) == "assistant":
        return fault("answer-empty", where, "The answer is empty: the model would learn to say "
                     "nothing. Fill it in or drop the record.")  # fmt: skip
    missing = message.get(content_key_of(message)) is None
    code = "content-missing" if missing else "turn-empty"
    return fault(code, where, "The turn has no text: fill it in or drop the turn.")


def _check_calls(message: dict[str, Any], path: str) -> list[Fault]:
    found: list[Fault] = []
    key = content_key_of(message)
    if raw_role(message) in CALL_ROLES:
        found += _check_call_text(message.get(key), f"{path}.{key}")
    content = message.get(key)
    for i, part in enumerate(content if isinstance(content, list) else []):
        if part_kind(part) == "tool_call":
            found += _check_call_text(part.get("value"), f"{path}.{key}[{i}].value")
    if message.get("function_call") is not None:
        found += _check_function(message["function_call"], f"{path}.function_call")
    return found + _check_tool_calls(message, path)


def _check_tool_calls(message: dict[str, Any], path: str) -> list[Fault]:
    calls, where = message.get("tool_calls"), f"{path}.tool_calls"
    if calls is None:
        return []
    if not isinstance(calls, list):
        return [fault("tool-call", where, "`tool_calls` must be a list: correct it.")]
    found: list[Fault] = []
    for i, call in enumerate(calls):
        bare = isinstance(call, dict) and "function" not in call
        if bare or not isinstance(call, dict):
            function = call
            place = f"{where}[{i}]"
        else:
            function, place = call["function"], f"{where}[{i}].function"
        found += _check_function(function, place)
    return found


def _check_function(function: object, where: str) -> list[Fault]:
    if not isinstance(function, dict) or not isinstance(function.get("name"), str):
        return [fault("tool-call", where, "The tool call has no `name`: add the function's name.")]
    arguments = function.get("arguments", {})
    if isinstance(arguments, dict) or isinstance(_parse(arguments), dict):
        return []
    return [fault("tool-arguments", f"{where}.arguments", "The tool's arguments are not a JSON "
                  "object: correct the JSON.")]  # fmt: skip


def _check_call_text(text: object, where: str) -> list[Fault]:
    """Check a call that is written as JSON text: one object with a name, or a list of them."""
    parsed = _parse(text)
    calls = parsed if isinstance(parsed, list) and parsed else [parsed]
    for call in calls:
        if not isinstance(call, dict):
            return [fault("tool-call", where, "The tool call is not a JSON object: correct it.")]
        call_in = call if "arguments" in call else {**call, "arguments": call.get("parameters", {})}
        problems = _check_function(call_in, where)
        if problems:
            return [fault(problems[0].code, where, problems[0].message)]
    return []


def _parse(text: object) -> object:
    if not isinstance(text, str):
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
