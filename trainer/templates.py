"""From a record to its training text: chat templates and plain prompts, token counts by role."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainer.kept import left_out
from trainer.prompts import PRESETS, Prompt, PromptError, fill, parse_prompt
from trainer.tokenizer import Tokenizer, TokenizerError, count_tokens, encodings, load_tokenizer
from validators.checks import common_prefix
from validators.faults import Fault, fault
from validators.record import CannotConvert, to_messages
from validators.shapes import ALPACA_INPUT, ALPACA_OUTPUT, COMPLETION, first_key

if TYPE_CHECKING:
    from pathlib import Path

    from trainer.counter import TokenCounter

__all__ = [
    "PromptError", "RenderError", "Template", "TokenizerError", "chat", "check_kept", "closed",
    "conversation", "count_tokens", "counter", "load_tokenizer", "make_template", "render",
    "role_tokens", "split", "supports_system",
]  # fmt: skip


class RenderError(Exception):
    """A record that the template cannot render; `fault` says what, where and the next step."""

    def __init__(self, found: Fault) -> None:
        super().__init__(found.message)
        self.fault = found


@dataclass(frozen=True, slots=True)
class Template:
    """How records become text: a chat template (`jinja`, None: the tokenizer's own), or a prompt.

    `plain` joins prompt and completion, or takes the text as it is. `developer`: the chat template
    writes turns of this role; where it does not they are written as system turns.
    """

    kind: str  # chat | prompt | plain
    jinja: str | None = None
    prompt: Prompt | None = None
    system: bool = True
    developer: bool = False

    @property
    def special(self) -> bool:
        """Whether the tokenizer's own beginning token comes on top of the text."""
        return self.kind != "chat"


def make_template(name: str, tokenizer: Tokenizer) -> Template:
    """Read `contract.template`: `chat`, `alpaca`, `alpaca-fr`, `plain`, or a template text.

    Raises TokenizerError when the tokenizer lacks what it takes, PromptError for a text that is
    neither a chat template nor has the placeholders.
    """
    jinja = name if "{%" in name or "{{" in name else None
    if name == "chat" or jinja:
        if not jinja and not tokenizer.chat_template:
            raise TokenizerError(
                "The tokenizer has no chat template: take the instruction-tuned model's tokenizer, "
                "or set contract.template to `alpaca` or to a chat template file."
            )
        return Template(
            "chat", jinja, system=supports_system(tokenizer, jinja),
            developer=_supports_developer(tokenizer, jinja),
        )  # fmt: skip
    if not tokenizer.eos_token:
        raise TokenizerError(
            "The tokenizer names no end token, so a model trained on plain text would never stop: "
            "add `eos_token` to its tokenizer_config.json."
        )
    if name == "plain":
        return Template("plain")
    return Template("prompt", prompt=PRESETS[name] if name in PRESETS else parse_prompt(name))


def render(value: object, form: str, tokenizer: Tokenizer, template: Template) -> str:
    """Render the training text of a record. Raises RenderError; its fault quotes no value."""
    if template.kind == "chat" and form != "text":
        messages, tools = conversation(value, form)
        check_kept(messages, tools, tokenizer, template)
        return chat(messages, tools, tokenizer, template)
    return closed("".join(split(value, form, template)), tokenizer)


def split(value: object, form: str, template: Template) -> tuple[str, str]:
    """Write a record without a chat template: (what production sends, the answer to it).

    Raises RenderError for a format that the template has no place for.
    """
    if template.prompt is not None and form in ("alpaca", "prompt-completion"):
        text, start = fill(template.prompt, _fields(value, form))
        return text[:start], text[start:]
    if form == "text":
        return "", _texts(value, "text")
    if template.kind == "plain" and form == "prompt-completion" and not _dict(value).get("system"):
        return _texts(value, "prompt"), _texts(value, first_key(_dict(value), COMPLETION))
    raise RenderError(fault("template-format", "", f"A record of format {form} cannot be written "
                            "with this template: set contract.template to `chat`."))  # fmt: skip


def closed(text: str, tokenizer: Tokenizer) -> str:
    """Put the tokenizer's end token behind a text that does not end in it already."""
    if not tokenizer.eos_token:
        raise RenderError(fault("template-format", "", "The tokenizer names no end token: add "
                                "`eos_token` to its tokenizer_config.json."))  # fmt: skip
    end = str(tokenizer.eos_token)
    return text if text.endswith(end) else text + end


def check_kept(
    messages: list[dict[str, Any]],
    tools: list[Any] | None,
    tokenizer: Tokenizer,
    template: Template,
) -> None:
    """Raise RenderError for a turn whose text the template leaves out, and as `chat` does."""
    found = left_out(messages, lambda talk: chat(talk, tools, tokenizer, template))
    if found:
        raise RenderError(found)


_MARK = "0system0"


def supports_system(tokenizer: Tokenizer, jinja: str | None = None) -> bool:
    """Try whether the chat template keeps a system turn: some refuse it, some drop it."""
    return _MARK in _first_turn("system", tokenizer, jinja)


def _supports_developer(tokenizer: Tokenizer, jinja: str | None) -> bool:
    """Try whether it knows the role `developer`; some write unknown roles as answers."""
    text = _first_turn("developer", tokenizer, jinja)
    named = "developer" in text or text == _first_turn("system", tokenizer, jinja)
    return _MARK in text and named


def _first_turn(role: str, tokenizer: Tokenizer, jinja: str | None) -> str:
    talk = [
        {"role": role, "content": _MARK},
        {"role": "user", "content": "u"},
        {"role": "assistant", "content": "a"},
    ]
    try:
        return _apply(talk, None, tokenizer, jinja)
    except Exception:  # noqa: BLE001 -- a template may raise anything
        return ""


def role_tokens(
    value: object, form: str, tokenizer: Tokenizer, template: Template
) -> dict[str, int]:
    """Count the tokens of each role's text, and under `template` those of everything else.

    Each turn's text is found by rendering once more with that text changed: what differs is it.
    Raises RenderError as `render` does, and for a template that is no chat template.
    """
    if template.kind != "chat":
        raise RenderError(fault("template-format", "", "Roles are counted in chat templates only: "
                                "set contract.template to `chat`."))  # fmt: skip
    messages, tools = conversation(value, form)
    text = chat(messages, tools, tokenizer, template)
    owner = ["template"] * len(text)
    for i, message in enumerate(messages):
        if not message["content"].strip():
            continue
        changed = {**message, "content": _unlike(message["content"].strip())}
        other = chat([*messages[:i], changed, *messages[i + 1 :]], tools, tokenizer, template)
        start, end = _difference(text, other)
        owner[start:end] = [message["role"]] * (end - start)
    encoding = next(encodings([text], tokenizer))
    return dict(Counter(owner[start] if start < len(owner) else "template"
                        for start, _ in encoding.offsets))  # fmt: skip


def _unlike(text: str) -> str:
    """Make a text that starts and ends otherwise, of the same kind of characters."""
    return ("b" if text[0] == "a" else "a") + ("b" if text[-1] == "a" else "a")


def _difference(text: str, other: str) -> tuple[int, int]:
    """Give the span of `text` between what both share at the start and at the end."""
    start = common_prefix(text, other)
    end = common_prefix(text[start:][::-1], other[start:][::-1])
    return start, len(text) - end


def conversation(value: object, form: str) -> tuple[list[dict[str, Any]], list[Any] | None]:
    """Get messages and tools as templates want them; of a preference pair the chosen side.

    Message i is turn i of the record. Raises RenderError for what has no faithful form as messages.
    """
    if isinstance(value, dict) and value.get("functions"):
        raise RenderError(fault("tool-call", "functions", "`functions` is an old form that no chat "
                                "template reads: write the list as `tools`."))  # fmt: skip
    if form == "preference" and isinstance(value, dict):
        value, form = _chosen(value)
    try:
        made = to_messages(value, form)
    except CannotConvert as error:
        raise RenderError(fault("template-format", error.path, f"The record cannot be rendered: "
                                f"{error.why}."))  from None  # fmt: skip
    return [_for_template(message) for message in made["messages"]], made.get("tools") or None


def _chosen(value: dict[str, Any]) -> tuple[dict[str, Any], str]:
    prompt, chosen = value.get("prompt", []), value.get("chosen")
    if isinstance(prompt, str):
        prompt = [{"role": "user", "content": prompt}]
    if isinstance(chosen, str):
        chosen = [{"role": "assistant", "content": chosen}]
    if isinstance(chosen, dict):
        chosen = [chosen]
    if not isinstance(prompt, list) or not isinstance(chosen, list):
        return {}, "messages"
    talk = {"messages": prompt + chosen, "tools": value.get("tools"), "system": value.get("system")}
    return talk, "messages"


def _for_template(message: dict[str, Any]) -> dict[str, Any]:
    """Turn tool arguments from JSON text into objects: templates would encode them twice."""
    calls = message.get("tool_calls")
    if not isinstance(calls, list):
        return message
    return message | {"tool_calls": [_parsed_call(call) for call in calls]}


def _parsed_call(call: Any) -> Any:
    function = call.get("function") if isinstance(call, dict) else None
    if not isinstance(function, dict) or not isinstance(function.get("arguments"), str):
        return call
    try:
        arguments = json.loads(function["arguments"])
    except (ValueError, RecursionError):
        return call
    return call | {"function": function | {"arguments": arguments}}


def chat(
    messages: list[dict[str, Any]],
    tools: list[Any] | None,
    tokenizer: Tokenizer,
    template: Template,
    *,
    answer_next: bool = False,
) -> str:
    """Render turns; `answer_next`: as production does, ready for the model to answer.

    Raises RenderError for a system turn that the template does not know, and for its refusals.
    """
    if not template.developer:
        messages = [
            {**message, "role": "system"} if message["role"] == "developer" else message
            for message in messages
        ]
    if not template.system and any(message["role"] == "system" for message in messages):
        raise RenderError(fault("template-system", "", "The model's chat template knows no system "
                                "turn: put its text into the first user turn, in production too, "
                                "or take another base model."))  # fmt: skip
    try:
        return _apply(messages, tools, tokenizer, template.jinja, answer_next=answer_next)
    except Exception as error:  # noqa: BLE001 -- a template may raise anything, quoting the turns
        raise RenderError(fault("template-refuses", "", "The chat template refuses this "
                                f"conversation ({type(error).__name__}): see the faults about the "
                                "order of turns and about tool calls."))  from None  # fmt: skip


def _apply(
    messages: list[dict[str, Any]],
    tools: list[Any] | None,
    tokenizer: Tokenizer,
    jinja: str | None,
    *,
    answer_next: bool = False,
) -> str:
    text = tokenizer.apply_chat_template(
        messages,
        tools=tools,
        chat_template=jinja,
        tokenize=False,
        add_generation_prompt=answer_next,
    )
    return str(text)


def _fields(value: Any, form: str) -> dict[str, str]:
    for name in ("history", "system"):
        if value.get(name):
            raise RenderError(fault("template-format", name, f"The prompt has no place for `{name}`"
                                    ": set contract.template to `chat`, or take it out."))  # fmt: skip
    names = {"instruction": "instruction", "input": first_key(value, ALPACA_INPUT),
             "output": first_key(value, ALPACA_OUTPUT)}  # fmt: skip
    if form == "prompt-completion":
        names = {"instruction": "prompt", "input": "", "output": first_key(value, COMPLETION)}
    return {field: _string(value, name, needed=field != "input") for field, name in names.items()}


def _string(value: dict[str, Any], name: str, *, needed: bool) -> str:
    text = value.get(name)
    if isinstance(text, str):
        return text
    if text is None and not needed:
        return ""
    raise RenderError(fault("template-format", name, f"`{name}` is not a string: write it as one."))


def _texts(value: Any, name: str) -> str:
    return _string(_dict(value), name, needed=True)


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def counter(folder: str | Path, template: str = "chat") -> TokenCounter:
    """Make a token counter. Raises TokenizerError or PromptError."""
    from trainer.counter import TokenCounter  # noqa: PLC0415 -- it needs labels, which need this

    return TokenCounter(folder, template)
