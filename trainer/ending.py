"""Where an answer ends: the template's own tail, the end-of-turn token, every stop token."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from trainer.templates import RenderError, chat
from trainer.tokenizer import TokenizerError, encodings
from validators.faults import fault

if TYPE_CHECKING:
    from trainer.templates import Template
    from trainer.tokenizer import Tokenizer

_ANSWER = "0answer0"
_NAME = "0name0"
_QUESTION = {"role": "user", "content": "0question0"}
_TOOL = {"type": "function", "function": {
    "name": _NAME, "description": "d", "parameters": {"type": "object", "properties": {}}}}  # fmt: skip
_CALL = {"role": "assistant", "content": "", "tool_calls": [
    # Nine letters: some templates refuse ids of another length.
    {"id": "callcalla", "type": "function", "function": {"name": _NAME, "arguments": {}}}]}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Ending:
    """What stands behind an answer's text.

    `tail` is all that the template writes behind the last answer, `token` the token in it that
    ends the turn, `id` its id, `marks` the texts of all control tokens. `cuts`: texts behind the
    token are encoded as if nothing stood before it.
    """

    tail: str
    token: str
    id: int
    marks: tuple[str, ...]
    cuts: bool

    def cut(self, text: str) -> tuple[str, str]:
        """Cut a rendered last turn: (what the model writes before its end token, that token).

        Some templates end a tool call otherwise than an answer; then the first of the control
        tokens at the very end counts. Raises RenderError where there is none.
        """
        if self.tail and text.endswith(self.tail):
            return text[: -len(self.tail)] + self.tail.split(self.token)[0], self.token
        found, rest = None, text.rstrip()
        while mark := next((mark for mark in self.marks if rest.endswith(mark)), None):
            found = rest.removesuffix(mark), mark
            rest = found[0].rstrip()
        if found is None:
            raise RenderError(fault("template-refuses", "", "The chat template writes no end token "
                                    "behind this answer, so the model would learn not to stop: "
                                    "give contract.template a template that does."))  # fmt: skip
        return found


def find_ending(tokenizer: Tokenizer, template: Template) -> Ending:
    """Find how answers end, by rendering one. Plain prompts end in the tokenizer's end token.

    Raises TokenizerError where no single token ends a turn: a model trained so never stops.
    """
    marks = _marks(tokenizer)
    if template.kind != "chat":
        token = str(tokenizer.eos_token)
        return Ending(token, token, _single(token, tokenizer), marks, _cuts(token, tokenizer))
    text = _probe([_QUESTION, {"role": "assistant", "content": _ANSWER}], None, tokenizer, template)
    if text is None or _ANSWER not in text:
        raise TokenizerError(
            "The chat template does not render one question with one answer: take the template of "
            "the instruction-tuned model, or set contract.template to a chat template file."
        )
    tail = text[text.rindex(_ANSWER) + len(_ANSWER) :]
    added = tuple(token.content for token in _added(tokenizer).values())
    token = _first(tail, marks) or _first(tail, added)
    if not token:
        raise TokenizerError(
            "The chat template writes no control token of this tokenizer behind an answer, so a "
            "model trained with it would never stop. Template and tokenizer must be of one model: "
            "set tokens.tokenizer or contract.template accordingly."
        )
    return Ending(tail, token, _single(token, tokenizer), marks, _cuts(token, tokenizer))


def end_of_turn(tokenizer: Tokenizer, template: Template) -> str:
    """Tell the token that ends an answer. Raises TokenizerError as `find_ending` does."""
    return find_ending(tokenizer, template).token


def stop_tokens(tokenizer: Tokenizer, template: Template) -> tuple[str, ...]:
    """List the tokens at which a server must stop, the end of turn first.

    Behind it the tokenizer's end token, and the end of tool calls, where these are others.
    Raises TokenizerError as `find_ending` does.
    """
    ending = find_ending(tokenizer, template)
    tokens = [ending.token, str(tokenizer.eos_token or ending.token)]
    if template.kind == "chat":
        text = _probe([_QUESTION, _CALL], [_TOOL], tokenizer, template)
        shown = _probe([_QUESTION], [_TOOL], tokenizer, template)
        if text and shown and text.count(_NAME) > shown.count(_NAME):
            tokens.append(_call_end(text, ending))
    return tuple(dict.fromkeys(tokens))


def _call_end(text: str, ending: Ending) -> str:
    try:
        return ending.cut(text)[1]
    except RenderError:
        return ending.token


def _probe(
    messages: list[dict[str, Any]],
    tools: list[Any] | None,
    tokenizer: Tokenizer,
    template: Template,
) -> str | None:
    try:
        return chat(messages, tools, tokenizer, template)
    except RenderError:
        return None


def _added(tokenizer: Tokenizer) -> dict[int, Any]:
    found: dict[int, Any] = tokenizer.backend_tokenizer.get_added_tokens_decoder()
    return found


def _cuts(token: str, tokenizer: Tokenizer) -> bool:
    """Tell whether a token is found whatever follows it, and changes nothing behind it."""
    added = list(_added(tokenizer).values())
    own = [one for one in added if one.content == token]
    longer = any(one.content.startswith(token) and one.content != token for one in added)
    loose = any(one.rstrip or one.normalized or one.single_word for one in own)
    return bool(own) and not longer and not loose


def _marks(tokenizer: Tokenizer) -> tuple[str, ...]:
    """List the control tokens: those marked special, and the end token whatever its mark."""
    found = [token.content for token in _added(tokenizer).values() if token.special]
    return tuple(dict.fromkeys([*found, *([str(tokenizer.eos_token)] * bool(tokenizer.eos_token))]))


def _first(text: str, tokens: tuple[str, ...]) -> str:
    """Get the token that comes first in a text, the longest of those at one place; "" for none."""
    longest_first = sorted(filter(None, tokens), key=len, reverse=True)
    found = re.search("|".join(map(re.escape, longest_first)), text) if longest_first else None
    return found[0] if found else ""


def _single(token: str, tokenizer: Tokenizer) -> int:
    ids = next(encodings([token], tokenizer)).ids
    if len(ids) != 1:
        raise TokenizerError(
            "The tokenizer writes its own end token in several pieces, so no server could stop at "
            "it: check `eos_token` and the added tokens of the tokenizer files."
        )
    return int(ids[0])
