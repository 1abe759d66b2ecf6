"""Plain-text prompts for rows with an instruction: presets, and texts with placeholders."""

from __future__ import annotations

import re
from dataclasses import dataclass

_PLACEHOLDER = re.compile(r"\{(instruction|input|output|)\}")
_ORDER = ("instruction", "input", "output")


class PromptError(Exception):
    """A prompt text that cannot be filled. The message says which placeholder is at fault."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Text with `{instruction}`, `{input}`, `{output}`, or three `{}` in that order.

    `bare` is the text for rows without input; None: the same text with an empty input.
    """

    text: str
    bare: str | None = None


_HEAD = "### Instruction:\n{instruction}\n\n"
_INPUT = "### Input:\n{input}\n\n"

PRESETS: dict[str, Prompt] = {
    # The section titles of the Alpaca rows, without their opening sentence: whoever serves with
    # that sentence gives the whole text as a template of his own.
    "alpaca": Prompt(
        _HEAD + _INPUT + "### Response:\n{output}", bare=_HEAD + "### Response:\n{output}"
    ),
    # The form of French guides: the input section stays when it is empty.
    "alpaca-fr": Prompt(_HEAD + _INPUT + "### Réponse:\n{output}"),
}


def parse_prompt(text: str) -> Prompt:
    """Read a template text. Raises PromptError unless instruction and output stand in it once."""
    names = [match[1] for match in _PLACEHOLDER.finditer(text)]
    if "" in names and set(names) != {""}:
        raise PromptError("contract.template mixes `{}` and named placeholders: use one kind.")
    if "" in names:
        if len(names) != len(_ORDER):
            raise PromptError("contract.template needs three `{}`: instruction, input, output.")
        for name in _ORDER:
            text = text.replace("{}", f"{{{name}}}", 1)
        names = list(_ORDER)
    for name in ("instruction", "output"):
        if names.count(name) != 1:
            raise PromptError(f"contract.template needs `{{{name}}}` exactly once.")
    if names[-1] != "output":
        raise PromptError("contract.template must end with the answer: move `{output}` to the end.")
    return Prompt(text)


def fill(prompt: Prompt, fields: dict[str, str]) -> tuple[str, int]:
    """Fill a prompt: (text, where the answer starts in it). Braces in the fields stay."""
    text = prompt.text if fields["input"] or prompt.bare is None else prompt.bare
    head, tail = text.split("{output}")
    filled = _PLACEHOLDER.sub(lambda match: fields[match[1]], head)
    return filled + fields["output"] + tail, len(filled)
