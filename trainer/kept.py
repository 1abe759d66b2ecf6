"""Whether a chat template writes every turn of a conversation: some drop roles without a word."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from validators.faults import Fault, fault

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Write = Callable[[list[dict[str, Any]]], str]


def left_out(messages: Sequence[dict[str, Any]], write: Write) -> Fault | None:
    """Say which turn's text the template leaves out, if any; no value is quoted.

    Each text is put in as a mark and looked for in what `write` makes of the turns: templates
    trim and quote texts, so that the texts themselves need not be found. Words beside a tool call
    and reasoning are not looked for: `Span.lost` counts them.
    """
    marked = [_marked(message, i) for i, message in enumerate(messages)]
    try:
        text = write(marked)
    except Exception:  # noqa: BLE001 -- a template may want JSON of a tool, say: the texts count then
        marked, text = list(messages), write(list(messages))
    for i, (message, shown) in enumerate(zip(messages, marked, strict=True)):
        if _counts(message) and shown["content"].strip() not in text:
            return _fault(str(message["role"]), i)
    return None


def _counts(message: dict[str, Any]) -> bool:
    calls = message.get("tool_calls") or message.get("function_call")
    return bool(message["content"].strip()) and not calls


def _marked(message: dict[str, Any], i: int) -> dict[str, Any]:
    return {**message, "content": f"0turn{i}x0"} if _counts(message) else message


def _fault(role: str, i: int) -> Fault:
    known = (
        role if role in ("system", "developer", "user", "assistant", "tool", "function") else "?"
    )
    return fault("template-drops", f"messages[{i}]", f"The chat template leaves out the text of this "
                 f"turn (role {known}), so the model would never see it: put it into a turn that the "
                 "template writes, in production too, or take a template that knows it.")  # fmt: skip
