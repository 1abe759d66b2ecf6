"""One view of the turns of a record of any format, with the path of each text."""

from __future__ import annotations

from validators.convert import CannotConvert, to_messages
from validators.shapes import (
    ALPACA_INPUT,
    ALPACA_OUTPUT,
    COMPLETION,
    CONVERSATION,
    FORMATS,
    detect_format,
    first_key,
    history_pairs,
)
from validators.turns import Turn, read_turn, read_turns

__all__ = [
    "FORMATS", "CannotConvert", "Turn", "conversations", "detect_format",
    "shortest_answer", "to_messages", "turns",
]  # fmt: skip


def turns(value: object, form: str) -> list[Turn]:
    """List all turns of a record; of a preference pair the prompt, the chosen, then the rejected.

    An Alpaca row gives `instruction` and a non-empty `input` as two user turns. A wrong type
    gives a turn without text or none at all: `checks.check_record` says what is wrong.
    """
    if form == "preference" and isinstance(value, dict):
        sides = ("prompt", "chosen", "rejected")
        return _system(value) + [turn for side in sides for turn in _side(value, side)]
    return [turn for talk in conversations(value, form) for turn in talk]


def conversations(value: object, form: str) -> list[list[Turn]]:
    """List the conversations of a record.

    Two for a preference pair (prompt + chosen, prompt + rejected), none for `other`, else one.
    """
    if isinstance(value, list):
        return [read_turns(value, "")] if form in ("messages", "sharegpt") else []
    if not isinstance(value, dict):
        return []
    if form == "preference":
        prompt = _system(value) + _side(value, "prompt")
        return [prompt + _side(value, side) for side in ("chosen", "rejected")]
    reader = _READERS.get(form)
    return [reader(value)] if reader else []


def shortest_answer(value: object, form: str) -> int | None:
    """Count the characters of the shortest answer, without outer white space; None without one."""
    answers = [turn for turn in turns(value, form) if turn.role == "assistant" and not turn.calls]
    return min((len(answer.text.strip()) for answer in answers), default=None)


def _messages(value: dict[str, object]) -> list[Turn]:
    return _system(value) + read_turns(value.get("messages"), "messages")


def _sharegpt(value: dict[str, object]) -> list[Turn]:
    key = first_key(value, CONVERSATION)
    return _field(value, "system", "system") + read_turns(value.get(key), key)


def _alpaca(value: dict[str, object]) -> list[Turn]:
    earlier = [Turn(role, text, path) for role, text, path in history_pairs(value)]
    extra = [turn for turn in _field(value, first_key(value, ALPACA_INPUT), "user") if turn.text]
    instruction = _field(value, "instruction", "user")
    answer = _field(value, first_key(value, ALPACA_OUTPUT), "assistant")
    return _field(value, "system", "system") + earlier + instruction + extra + answer


def _prompt_completion(value: dict[str, object]) -> list[Turn]:
    completion = first_key(value, COMPLETION)
    return _system(value) + _side(value, "prompt") + _side(value, completion)


def _text(value: dict[str, object]) -> list[Turn]:
    return _field(value, "text", "assistant")


def _system(value: dict[str, object]) -> list[Turn]:
    """Read a system prompt that stands beside the turns; an empty one is none."""
    return [turn for turn in _field(value, "system", "system") if turn.text]


def _field(value: dict[str, object], key: str, role: str) -> list[Turn]:
    text = value.get(key)
    return [Turn(role, text, key)] if isinstance(text, str) else []


def _side(value: dict[str, object], key: str) -> list[Turn]:
    """Read a prompt or an answer: a string, a list of messages, or a single message."""
    part = value.get(key)
    if isinstance(part, list):
        return read_turns(part, key)
    if isinstance(part, dict):
        return [read_turn(part, key)]
    return _field(value, key, "user" if key == "prompt" else "assistant")


_READERS = {
    "messages": _messages,
    "sharegpt": _sharegpt,
    "alpaca": _alpaca,
    "prompt-completion": _prompt_completion,
    "text": _text,
}
