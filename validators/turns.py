"""One message of any chat format, read as a `Turn`. Odd types give an empty text, never an error."""

from __future__ import annotations

from dataclasses import dataclass

from validators.faults import Fault, fault

# Role names as they stand in files -> our four roles. `messages` is OpenAI's wire form, the
# second half is ShareGPT's family.
MESSAGE_ROLES: dict[str, str] = {
    "system": "system", "developer": "system", "user": "user", "assistant": "assistant",
    "tool": "tool", "function": "tool",
}  # fmt: skip
SHAREGPT_ROLES: dict[str, str] = {
    "system": "system", "human": "user", "user": "user", "gpt": "assistant",
    "assistant": "assistant", "chatgpt": "assistant", "bot": "assistant", "model": "assistant",
    "function_call": "assistant", "tool_call": "assistant", "tool": "tool", "function": "tool",
    "observation": "tool", "function_response": "tool", "tool_response": "tool",
}  # fmt: skip
ROLES: dict[str, str] = SHAREGPT_ROLES | MESSAGE_ROLES
CALL_ROLES = ("function_call", "tool_call")
UNKNOWN = "unknown"
WEIGHTS = ("weight", "loss_weight")  # 0: the turn is not trained on


@dataclass(frozen=True, slots=True)
class Turn:
    """Who says what. `role` is system, user, assistant, tool or unknown.

    `text` is "" where there is none; `path` leads to the text's leaf, or to the list of content
    parts when several of them hold text. `calls` counts the tool calls of the turn.
    """

    role: str
    text: str
    path: str
    calls: int = 0


def read_turn(message: object, path: str) -> Turn:
    """Read the turn in one message or ShareGPT entry at `path`."""
    if not isinstance(message, dict):
        return Turn(UNKNOWN, "", path)
    text, where = read_content(message.get(content_key_of(message)), path, message)
    return Turn(role_of(message), text, where, count_calls(message))


def read_turns(messages: object, path: str) -> list[Turn]:
    """Read the turns of a list at `path` ("" for a record that is itself the list)."""
    if not isinstance(messages, list):
        return []
    return [read_turn(message, f"{path}[{i}]") for i, message in enumerate(messages)]


def raw_role(message: dict[str, object]) -> object:
    """Get the role as it stands in the file, whatever its type."""
    return message["role"] if "role" in message else message.get("from")


def role_of(message: dict[str, object]) -> str:
    """Tell one of our roles, or `unknown`."""
    raw = raw_role(message)
    return ROLES.get(raw, UNKNOWN) if isinstance(raw, str) else UNKNOWN


def content_key_of(message: dict[str, object]) -> str:
    """Tell which key holds the text, or would: `content` or `value`."""
    if "content" in message:
        return "content"
    return "value" if "value" in message or "from" in message else "content"


def read_content(content: object, path: str, message: dict[str, object]) -> tuple[str, str]:
    """Get (text, its path) of a content value; parts of text are joined without a space."""
    where = f"{path}.{content_key_of(message)}"
    if isinstance(content, str):
        return content, where
    texts = part_texts(content, where)
    if len(texts) == 1:
        return texts[0]
    return "".join(text for text, _ in texts), where


def part_texts(content: object, where: str) -> list[tuple[str, str]]:
    """List (text, path) of every text part of a list of parts."""
    if not isinstance(content, list):
        return []
    found = []
    for i, part in enumerate(content):
        if isinstance(part, str):
            found.append((part, f"{where}[{i}]"))
        elif part_kind(part) == "text":
            key = "text" if "text" in part else "value"
            if isinstance(part.get(key), str):
                found.append((part[key], f"{where}[{i}].{key}"))
    return found


def part_kind(part: object) -> str:
    """Tell the kind of a part: `text`, `reasoning`, `tool_call`, or `other` (pictures, sound, odd types)."""
    if isinstance(part, str):
        return "text"
    if not isinstance(part, dict):
        return "other"
    kind = part.get("type", "text")
    known = {"text": "text", "reasoning": "reasoning", "tool_call": "tool_call"}
    return known.get(kind, "other") if isinstance(kind, str) else "other"


def count_calls(message: dict[str, object]) -> int:
    """Count the tool calls in a message, in any of the three ways that files write them."""
    calls = message.get("tool_calls")
    count = len(calls) if isinstance(calls, list) else 0
    content = message.get(content_key_of(message))
    if isinstance(content, list):
        count += sum(part_kind(part) == "tool_call" for part in content)
    raw = raw_role(message)
    called_by_role = isinstance(raw, str) and raw in CALL_ROLES
    return count + (message.get("function_call") is not None) + called_by_role


def weight_fault(message: dict[str, object], path: str) -> Fault | None:
    """Refuse a weight that is neither 0 nor 1: no loss here is weighed, so it would do nothing."""
    for key in WEIGHTS:
        weight = message.get(key)
        if weight is not None and (not isinstance(weight, int | float) or weight not in (0, 1)):
            return fault("turn-weight", f"{path}.{key}", f"`{key}` is not 0 or 1: a turn is trained "
                         "on or not. Write one of the two numbers, or leave it out.")  # fmt: skip
    return None
