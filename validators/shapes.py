"""The keys by which the formats are known, and the small readers that share them."""

from __future__ import annotations

FORMATS = (
    "messages", "alpaca", "sharegpt", "prompt-completion", "preference", "text", "other",
)  # fmt: skip

# Names that files use for one field; the first that is present counts.
CONVERSATION = ("conversations", "conversation")
ALPACA_INPUT = ("input", "context")
ALPACA_OUTPUT = ("output", "response")
COMPLETION = ("completion", "response")


def first_key(value: dict[str, object], names: tuple[str, ...]) -> str:
    """Pick the first of `names` that `value` has, else the first name."""
    return next((name for name in names if name in value), names[0])


def detect_format(value: object) -> str:
    """Tell the format of one parsed record: one of FORMATS. Never raises."""
    if isinstance(value, list):
        return _detect_list(value)
    if not isinstance(value, dict):
        return "other"
    if "chosen" in value and "rejected" in value:
        return "preference"
    if "messages" in value:
        return "messages"
    if any(key in value for key in CONVERSATION):
        return "sharegpt"
    return _detect_fields(value)


def _detect_list(value: list[object]) -> str:
    for item in value:
        if isinstance(item, dict) and "from" in item:
            return "sharegpt"
        if isinstance(item, dict) and "role" in item:
            return "messages"
    return "other"


def _detect_fields(value: dict[str, object]) -> str:
    if "instruction" in value and "instances" not in value:
        return "alpaca"
    if "prompt" in value:
        return "prompt-completion"
    if "chosen" in value or "rejected" in value:
        return "preference"
    return "text" if "text" in value else "other"


def history_pairs(value: dict[str, object]) -> list[tuple[str, str, str]]:
    """List (role, text, path) of an Alpaca row's `history`: a list of [question, answer] pairs."""
    history = value.get("history")
    found = []
    for i, pair in enumerate(history if isinstance(history, list) else []):
        if isinstance(pair, list) and len(pair) == 2 and all(isinstance(t, str) for t in pair):
            found.append(("user", pair[0], f"history[{i}][0]"))
            found.append(("assistant", pair[1], f"history[{i}][1]"))
    return found
