"""What production sends before each answer of a record, and what the model writes then."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainer.templates import RenderError, chat, check_kept, closed, conversation, split
from validators.faults import fault
from validators.turns import WEIGHTS, weight_fault

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
    `lost` counts texts of the turn that the template left out (reasoning, words beside a call). `empty`:
    the answer says nothing.
    """

    turn: int
    prompt: str
    answer: str
    end: str
    own: tuple[str, ...] | None
    lost: int = 0
    empty: bool = False


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
        if messages[i]["role"] == "assistant" and _weighed(messages[i], i)
    ]
    if not found:
        raise RenderError(fault("answer-missing", "", "The record has no answer to train on: add "
                                "one, give it a weight other than 0, or drop the record."))  # fmt: skip
    check_kept(messages[: found[-1].turn + 1], tools, tokenizer, template)
    return found


def _weighed(message: dict[str, Any], turn: int) -> bool:
    """Tell whether a turn is trained on."""
    wrong = weight_fault(message, f"messages[{turn}]")
    if wrong:
        raise RenderError(wrong)
    return all(message.get(key) is None or bool(message[key]) for key in WEIGHTS)


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
    talk, known = conversation(value, "messages")
    check_kept(talk, known, tokenizer, template)
    return chat(talk, known, tokenizer, template, answer_next=True)


def _plain(value: object, form: str, tokenizer: Tokenizer, template: Template) -> Span:
    prompt, answer = split(value, form, template)
    end = str(tokenizer.eos_token)
    text = closed(answer, tokenizer).removesuffix(end)
    turn, own = (0, None) if form == "text" else (1, (text,))
    return Span(turn, prompt, text, end, own, empty=not text.strip())


def _given(value: object, form: str) -> int:
    """Count the messages that are a prompt with all that is in it."""
    if form not in ("preference", "prompt-completion") or not isinstance(value, dict):
        return 0
    prompt = value.get("prompt", [])
    return bool(value.get("system")) + (len(prompt) if isinstance(prompt, list) else 1)


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
        if messages[turn - 1]["role"] == "assistant":
            raise RenderError(fault("order-repeat", f"messages[{turn}]", "Two answers stand in a "
                                    "row, and the chat template writes nothing that asks for the "
                                    "second: join the two or add the turn between."))  # fmt: skip
        raise RenderError(fault("template-refuses", f"messages[{turn}]", "The chat template writes "
                                "this answer otherwise than it begins one for production, so what "
                                "would be trained is never asked for. Give contract.template a "
                                "template that keeps the beginning (see its "
                                "`add_generation_prompt`)."))  # fmt: skip
    answer, end = ending.cut(whole[len(prompt) :])
    _check_tools(messages[-1], tools, answer, whole)
    own = tuple(_strings(messages[-1]))
    lost, empty = _count_lost(messages[-1], answer), _says_nothing(messages[-1])
    return Span(turn, prompt, answer, end, own, lost, empty)


def _says_nothing(message: dict[str, Any]) -> bool:
    calls = message.get("tool_calls") or message.get("function_call")
    return not message["content"].strip() and not calls


def _check_tools(message: dict[str, Any], tools: list[Any] | None, answer: str, whole: str) -> None:
    """Refuse where a template has no place for tools: the answer to train on would be empty."""
    calls = message.get("tool_calls")
    calls = calls if isinstance(calls, list) else []
    if not all(name in answer for name in _names([{"function": message.get("function_call")}])):
        raise RenderError(fault("template-format", "", "The chat template leaves out a tool call in "
                                "the old form `function_call`: write it as `tool_calls` with "
                                "`function`."))  # fmt: skip
    if len(_names(calls)) < len(calls):
        raise RenderError(fault("template-format", "", "A tool call is not in the form that chat "
                                "templates read: write it as `tool_calls` with `function` and its "
                                "`name`."))  # fmt: skip
    if not all(name in answer for name in _names(calls)):
        raise RenderError(fault("template-format", "", "The chat template leaves out the tool call of "
                                "this record, which is well formed: the template of this base model "
                                "knows no tools. Take a base model or a template that does."))  # fmt: skip
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
