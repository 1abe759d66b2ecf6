"""What production sends before each answer of a record, and what the model writes then."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainer.templates import RenderError, chat, closed, conversation, split
from validators.faults import fault

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trainer.ending import Ending
    from trainer.templates import Template
    from trainer.tokenizer import Tokenizer

# Where an answer's words stand; the first is OpenAI's, the others are names for reasoning.
_TEXTS = ("content", "reasoning_content", "reasoning", "thinking")
_THINK = re.compile(r"</?think>")


@dataclass(frozen=True, slots=True)
class Span:
    """One answer to train on. `turn` is its place among the record's messages, from 0.

    Production sends `prompt`; the model writes `answer`, then the token `end`. `own` holds the
    strings of the record that went into the answer; None: the text as it is, control tokens too.
    `lost` counts texts of the turn that the template left out (reasoning, words beside a call).
    """

    turn: int
    prompt: str
    answer: str
    end: str
    own: tuple[str, ...] | None
    lost: int = 0


def spans(
    value: object, form: str, tokenizer: Tokenizer, template: Template, ending: Ending
) -> list[Span]:
    """List the answers of a record that are trained on, in order.

    Not among them: turns with `weight: 0`, a first turn that nothing asks for, answers in the
    prompt of a prompt-completion row or a pair, a pair's rejected side.
    Raises RenderError for a record that cannot be rendered, that production would not ask so, or
    that has no answer.
    """
    if template.kind != "chat" or form == "text":
        return [_plain(value, form, tokenizer, template)]
    messages, tools = conversation(value, form)
    found = [
        _answer(messages[: i + 1], tools, tokenizer, template, ending)
        for i in range(max(1, _given(value, form)), len(messages))
        if messages[i]["role"] == "assistant" and messages[i].get("weight") != 0
    ]
    if not found:
        raise RenderError(fault("answer-missing", "", "The record has no answer to train on: add "
                                "one, give it a weight other than 0, or drop the record."))  # fmt: skip
    return found


def generation_prompt(
    messages: list[dict[str, Any]],
    tools: list[Any] | None,
    tokenizer: Tokenizer,
    template: Template,
) -> str:
    """Render what production sends for a conversation that the model is to answer.

    Raises RenderError for a template that is no chat template, and as `templates.chat` does.
    """
    if template.kind != "chat":
        raise RenderError(fault("template-format", "", "This template writes no conversations: set "
                                "contract.template to `chat`."))  # fmt: skip
    value = {"messages": messages, "tools": tools or []}
    return chat(*conversation(value, "messages"), tokenizer, template, answer_next=True)


def _plain(value: object, form: str, tokenizer: Tokenizer, template: Template) -> Span:
    prompt, answer = split(value, form, template)
    end = str(tokenizer.eos_token)
    text = closed(answer, tokenizer).removesuffix(end)
    turn, own = (0, None) if form == "text" else (1, (text,))
    return Span(turn, prompt, text, end, own)


def _given(value: object, form: str) -> int:
    """Count the messages that are a prompt with all that is in it."""
    if form not in ("preference", "prompt-completion") or not isinstance(value, dict):
        return 0
    prompt = value.get("prompt", [])
    return len(prompt) if isinstance(prompt, list) else 1


def _answer(
    messages: list[dict[str, Any]],
    tools: list[Any] | None,
    tokenizer: Tokenizer,
    template: Template,
    ending: Ending,
) -> Span:
    """Render the last of these turns as the answer to those before it."""
    prompt = chat(messages[:-1], tools, tokenizer, template, answer_next=True)
    whole = chat(messages, tools, tokenizer, template)
    turn = len(messages) - 1
    if not whole.startswith(prompt):
        raise RenderError(fault("template-refuses", f"messages[{turn}]", "The chat template writes "
                                "this answer otherwise than it begins one for production, so what "
                                "would be trained is never asked for. Give contract.template a "
                                "template that keeps the beginning (see its "
                                "`add_generation_prompt`)."))  # fmt: skip
    answer, end = ending.cut(whole[len(prompt) :])
    _check_tools(messages[-1], tools, answer, whole)
    own = tuple(_strings(messages[-1]))
    return Span(turn, prompt, answer, end, own, _count_lost(messages[-1], answer))


def _check_tools(message: dict[str, Any], tools: list[Any] | None, answer: str, whole: str) -> None:
    """Refuse where a template has no place for tools: the answer to train on would be empty."""
    calls = message.get("tool_calls")
    calls = [
        *(calls if isinstance(calls, list) else []),
        {"function": message.get("function_call")},
    ]
    if not all(name in answer for name in _names(calls)):
        raise RenderError(fault("template-format", "", "The chat template leaves out a tool call: "
                                "write it as `tool_calls` with `function`, and take a template that "
                                "knows tools."))  # fmt: skip
    if not all(name in whole for name in _names(tools or [])):
        raise RenderError(fault("template-format", "tools", "The chat template leaves out the tools:"
                                " take a template that knows tools, or take them out."))  # fmt: skip


def _names(tools: list[Any]) -> list[str]:
    functions = [tool.get("function") for tool in tools if isinstance(tool, dict)]
    names = [function.get("name") for function in functions if isinstance(function, dict)]
    return [name for name in names if isinstance(name, str)]


def _count_lost(message: dict[str, Any], answer: str) -> int:
    texts = [message.get(key) for key in _TEXTS]
    parts = [_THINK.split(text) for text in texts if isinstance(text, str)]
    return sum(any(part.strip() not in answer for part in found) for found in parts)


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _strings(item)
