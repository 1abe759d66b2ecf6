"""When two records say the same: one canonical text for each record, compared by digest."""

from __future__ import annotations

import json
from typing import Any

from validators.record import turns
from validators.turns import UNKNOWN, content_key_of, part_kind, raw_role, role_of

_SAID_BY_THE_TURN = frozenset(("role", "from", "content", "value", "weight", "loss_weight"))


def content_key(value: object, form: str) -> str:
    """Give the canonical ASCII text of a record: roles, texts, tool calls, white space kept.

    Equal for records that say the same in different formats or with different extra fields;
    different as soon as a role, a text, a call or a picture differs. The caller digests it.
    """
    talk = turns(value, form)
    if not talk:
        return "raw " + canonical(value)
    messages = _raw_messages(value, form)
    said = [[turn.role, turn.text, turn.calls] for turn in talk]
    tools = value.get("tools") if isinstance(value, dict) else None
    rest = [[i, part] for i, part in enumerate(map(_beyond_text, messages)) if part]
    return canonical([said, rest, _sides(value, form), tools or None])


def _sides(value: object, form: str) -> list[int]:
    """Lengths of the sides of a pair, so that prompt and answers cannot be taken for others."""
    if form != "preference" or not isinstance(value, dict):
        return []
    parts = (value.get(side) for side in ("prompt", "chosen", "rejected"))
    return [len(part) if isinstance(part, list) else int(part is not None) for part in parts]


def _raw_messages(value: object, form: str) -> list[object]:
    lists = [value] if isinstance(value, list) else []
    if isinstance(value, dict):
        keys = ("messages", "conversations", "conversation", "prompt", "completion", "response",
                "chosen", "rejected")  # fmt: skip
        lists = [value[key] for key in keys if isinstance(value.get(key), list)]
    if form in ("alpaca", "text"):
        return []
    return [message for messages in lists for message in messages]


def _beyond_text(message: object) -> object:
    """Get what a turn says beside its text: calls, parts that are no text, names, odd types."""
    if not isinstance(message, dict):
        return [message]
    content = message.get(content_key_of(message))
    extra: dict[str, Any] = {k: v for k, v in message.items() if k not in _SAID_BY_THE_TURN}
    extra = {key: part for key, part in extra.items() if part not in (None, [], "")}
    if isinstance(content, list):
        parts = [part for part in content if part_kind(part) != "text"]
        extra |= {"parts": parts} if parts else {}
    elif content is not None and not isinstance(content, str):
        extra["content"] = content
    if role_of(message) == UNKNOWN:
        extra["role"] = raw_role(message)
    return extra


def canonical(value: object) -> str:
    """Write any parsed JSON as ASCII text with sorted keys, however deeply it is nested."""
    try:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), default=_odd)
    except (RecursionError, TypeError, ValueError):
        return _flat(value)


def _odd(value: object) -> str:
    return f"{type(value).__name__}:{value!r}"


def _flat(value: object) -> str:
    """Write what `json.dumps` refuses as a list of tokens, with a stack instead of recursion."""
    done: list[str] = []
    stack: list[object] = [value]
    while stack:
        part = stack.pop()
        if isinstance(part, dict):
            done.append(f"object {len(part)}")
            stack.extend(x for key in sorted(part, key=repr) for x in (part[key], repr(key)))
        elif isinstance(part, list):
            done.append(f"array {len(part)}")
            stack.extend(part)
        else:
            done.append(json.dumps(part, default=_odd))
    return json.dumps(done)
