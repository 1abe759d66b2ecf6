"""May this record pass? Everything that one record can be held against, as a list of faults."""

from __future__ import annotations

import itertools
import json
import re
from typing import TYPE_CHECKING, Any

from validators.answers import check_answer
from validators.contract import Contract, ContractError
from validators.faults import CODES, Fault, fault
from validators.messages import check_message
from validators.order import check_order
from validators.record import conversations
from validators.shapes import ALPACA_INPUT, ALPACA_OUTPUT, COMPLETION, CONVERSATION, first_key
from validators.turns import weight_fault

if TYPE_CHECKING:
    from collections.abc import Sequence

    from validators.turns import Turn

__all__ = [
    "CODES",
    "Contract",
    "ContractError",
    "Fault",
    "check_record",
    "common_prefix",
    "token_fault",
]

_IDENTIFIER = re.compile(r"[A-Za-z_$][\w$-]{0,40}\Z")


def check_record(value: object, form: str, contract: Contract | None = None) -> list[Fault]:
    """List every fault of a parsed record of format `form`, without quoting any of its values.

    Never raises for what is in the record. Raises ContractError for an unusable answer schema.
    """
    contract = contract or Contract()
    if not isinstance(value, dict) and not (isinstance(value, list) and form in _LISTS):
        return [fault("record-type", "", "A record must be a JSON object: write one a record.")]
    found = _check_fields(value, contract) + _check_beside(value, form)
    found += _SHAPES.get(form, _check_other)(value)
    talks = conversations(value, form)
    for talk in talks:
        found += _check_talk(talk, form, contract)
    return list(dict.fromkeys(found))  # the prompt of a pair is seen twice


def token_fault(tokens: int, limit: int) -> Fault | None:
    """Give the fault of a record of `tokens` tokens over `limit`, if it is over."""
    if tokens <= limit:
        return None
    return fault("token-limit", "", f"The record has {tokens} tokens, max_length is {limit}: the "
                 "trainer would cut the answer. Raise tokens.max_length or set tokens.over_length."
                 )  # fmt: skip


def _check_talk(talk: Sequence[Turn], form: str, contract: Contract) -> list[Fault]:
    found = check_order(talk) if form in _ORDERED and talk else []
    if form != "text":
        found += _check_system(talk, contract) + _check_count(talk, contract)
        found += _check_input(talk, contract)
    for turn in talk:
        if contract.answer_schema is not None and turn.role == "assistant" and not turn.calls:
            found += check_answer(turn.text, turn.path, contract.answer_schema)
        if contract.placeholders and _unbalanced(turn.text):
            found.append(fault("placeholder", turn.path, "A placeholder is opened with {{ and not "
                               "closed, or the other way round: fill it in."))  # fmt: skip
    return found


def _check_system(talk: Sequence[Turn], contract: Contract) -> list[Fault]:
    system = next((turn for turn in talk if turn.role == "system"), None)
    if system is None:
        if contract.system is None and not contract.system_required:
            return []
        return [fault("system-missing", "", "The record has no system prompt, production sends "
                      "one: add it, or change contract.system.")]  # fmt: skip
    if contract.system is None or system.text == contract.system:
        return []
    same = common_prefix(system.text, contract.system)
    return [fault("system-differs", system.path, "The system prompt is not production's: it "
                  f"differs from character {same + 1} on ({len(system.text)} characters, "
                  f"production has {len(contract.system)}). Use production's.")]  # fmt: skip


def common_prefix(one: str, other: str) -> int:
    """Count the characters that two texts share at their start, by halving."""
    low, high = 0, min(len(one), len(other))
    while low < high:
        middle = (low + high + 1) // 2
        if one[low:middle] == other[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low


def _check_count(talk: Sequence[Turn], contract: Contract) -> list[Fault]:
    answers = sum(turn.role == "assistant" and not turn.calls for turn in talk)
    if contract.turns == "single" and answers > 1:
        hint = f"{answers} answers, production has one a request: split the conversation"
    elif contract.turns == "multi" and answers < 2:
        hint = "fewer than two answers, production has conversations"
    else:
        return []
    return [fault("turn-pattern", "", f"The record has {hint}, or change contract.turns.")]


def _check_input(talk: Sequence[Turn], contract: Contract) -> list[Fault]:
    """Hold the user turns that an answer follows against the input form of the contract."""
    if contract.input == "any":
        return []
    asked = [
        turn
        for turn, following in itertools.pairwise(talk)
        if turn.role == "user" and following.role == "assistant"
    ]
    wrong = [turn for turn in asked if _is_json(turn.text) != (contract.input == "json")]
    want = "a JSON object or array" if contract.input == "json" else "plain text, not JSON"
    return [
        fault("input-form", turn.path, f"Production sends {want} here: bring the turn into that "
              "form, or change contract.input.")
        for turn in wrong
    ]  # fmt: skip


def _is_json(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict | list)
    except (ValueError, RecursionError):
        return False


def _unbalanced(text: str) -> bool:
    return text.count("{{") != text.count("}}")


def _check_fields(value: object, contract: Contract) -> list[Fault]:
    fields: dict[str, Any] = value if isinstance(value, dict) else {}
    missing = [
        fault("field-required", "", f"The contract requires the field `{name}`: add it.")
        for name in contract.required_fields
        if fields.get(name) is None
    ]
    forbidden = [
        fault("field-forbidden", _field_path(name, fields), f"The contract forbids the field "
              f"`{name}`: remove it.")
        for name in contract.forbidden_fields
        if name in fields
    ]  # fmt: skip
    return missing + forbidden


def _field_path(name: str, fields: dict[str, Any]) -> str:
    return name if _IDENTIFIER.match(name) else f"[key {list(fields).index(name) + 1}]"


def _check_list(messages: object, path: str, form: str) -> list[Fault]:
    if not isinstance(messages, list) or not messages:
        state = "is empty" if messages == [] else "is not a list"
        return [fault("turns-missing", path, f"The list of turns {state}: write a list of turns.")]
    found = []
    for i, message in enumerate(messages):
        found += check_message(message, f"{path}[{i}]", form)
        wrong = weight_fault(message, f"{path}[{i}]") if isinstance(message, dict) else None
        found += [wrong] if wrong else []
    return found


def _check_messages(value: Any) -> list[Fault]:
    return _check_chat(value, "messages", "messages")


def _check_sharegpt(value: Any) -> list[Fault]:
    key = first_key(value, CONVERSATION) if isinstance(value, dict) else ""
    return _check_chat(value, key, "sharegpt")


def _check_beside(value: Any, form: str) -> list[Fault]:
    """Check what stands beside the turns: the system prompt, the old form of the tools."""
    if not isinstance(value, dict) or form not in _ORDERED:
        return []
    found = _check_text(value, "system", "field-type") if value.get("system") is not None else []
    if value.get("functions"):
        found.append(fault("tool-call", "functions", "`functions` is an old form that no chat "
                           "template reads: write the list as `tools`."))  # fmt: skip
    return found


def _check_chat(value: Any, key: str, form: str) -> list[Fault]:
    if isinstance(value, list):
        return _check_list(value, "", form)
    if key not in value:
        return [fault("turns-missing", "", f"The record has no `{key}`: add the list of turns.")]
    return _check_list(value[key], key, form)


def _check_alpaca(value: Any) -> list[Fault]:
    into, out = first_key(value, ALPACA_INPUT), first_key(value, ALPACA_OUTPUT)
    found = _check_text(value, "instruction", "turn-empty")
    if not isinstance(value.get(into), str) and value.get(into) is not None:
        found += _check_text(value, into, "field-type")
    return found + _check_text(value, out, "answer-empty")


def _check_prompt_completion(value: Any) -> list[Fault]:
    out = first_key(value, COMPLETION)
    return _check_side(value, "prompt", "turn-empty") + _check_side(value, out, "answer-empty")


def _check_preference(value: Any) -> list[Fault]:
    found = _check_side(value, "prompt", "turn-empty") if "prompt" in value else []
    found += _check_side(value, "chosen", "answer-empty")
    return found + _check_side(value, "rejected", "answer-empty")


def _check_side(value: dict[str, Any], key: str, empty: str) -> list[Fault]:
    part = value.get(key)
    if isinstance(part, list):
        return _check_list(part, key, "messages" if not _says_from(part) else "sharegpt")
    if isinstance(part, dict):
        return check_message(part, key, "messages" if not _says_from([part]) else "sharegpt")
    return _check_text(value, key, empty)


def _says_from(messages: list[Any]) -> bool:
    return any(isinstance(message, dict) and "from" in message for message in messages)


def _check_plain(value: Any) -> list[Fault]:
    return _check_text(value, "text", "answer-empty")


def _check_text(value: dict[str, Any], key: str, empty: str) -> list[Fault]:
    text = value.get(key)
    if text is None:
        return [fault("field-missing", key, f"`{key}` is missing or null{_instead(value, key)}.")]
    if not isinstance(text, str):
        return [fault("field-type", key, f"`{key}` is not a string: write structured data as a "
                      "JSON string.")]  # fmt: skip
    if not text.strip():
        return [fault(empty, key, f"`{key}` is empty: fill it in or drop the record.")]
    return []


# Names that other formats use for the same thing; said when one of them stands in the record.
_SAME = {
    "output": ("response", "completion", "answer", "target"),
    "instruction": ("prompt", "question", "query"),
    "completion": ("response", "output", "answer", "chosen", "target"),
    "prompt": ("instruction", "question", "query"),
}


def _instead(value: dict[str, Any], key: str) -> str:
    for name in _SAME.get(key, ()):
        if name in value:
            return f"; the record has `{name}`: rename it or set data.format"
    return ": add it"


def _check_other(value: Any) -> list[Fault]:
    nested = "instances" in value or "question" in value
    hint = "its turns are nested: write one record for each of them" if nested else "name them so"
    return [fault("format-unknown", "", "The fields are not those of messages, Alpaca, ShareGPT, "
                  f"prompt and completion, or plain text; {hint}, or set data.format.")]  # fmt: skip


_LISTS = ("messages", "sharegpt")
_ORDERED = ("messages", "sharegpt", "prompt-completion", "preference")
_SHAPES = {
    "messages": _check_messages,
    "sharegpt": _check_sharegpt,
    "alpaca": _check_alpaca,
    "prompt-completion": _check_prompt_completion,
    "preference": _check_preference,
    "text": _check_plain,
}
