"""Ollama's templates: the part of Go's text/template that they use, read and executed.

Go's own rules are those of pkg.go.dev/text/template; how a server feeds a template (one run over
all messages, or one run for each exchange) follows ollama/ollama, template/template.go.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

_ACTION = re.compile(r"\{\{(-\s)?(.*?)(\s-)?\}\}", re.DOTALL)
_TOKEN = re.compile(
    r'\s*("(?:[^"\\]|\\.)*"|`[^`]*`|:=|,|\(|\)|\d+|\$?(?:\.?[A-Za-z_]\w*)(?:\.\w+)*|\$|\.)',
    re.DOTALL,
)
Message = Mapping[str, str]


class GoTemplateError(Exception):
    """A template outside the part of the language that is read here."""


@dataclass(frozen=True, slots=True)
class _Node:
    kind: str  # text | emit | if | range
    text: str = ""
    tokens: tuple[str, ...] = ()
    body: list[_Node] = field(default_factory=list)
    other: list[_Node] = field(default_factory=list)


class _Cut(Exception):
    """The place of the answer is reached: what a server sends to the model ends here."""


def literal(text: str) -> str:
    """Write a text so that a Go template gives it back unchanged."""
    return re.sub(r"\{\{|\{\Z", lambda found: '{{ "' + found[0] + '" }}', text)


def ollama_render(template: str, messages: Sequence[Message]) -> str:
    """The prompt that a server makes of a conversation, without the tokenizer's beginning token.

    Messages are `{"role", "content"}`. Raises GoTemplateError for what is not understood.
    """
    nodes = _parse(template)
    merged = _collate(messages)
    if _mentions(nodes, "Messages"):
        system = "\n\n".join(m["content"] for m in messages if m["role"] == "system")
        rows = [{"Role": m["role"], "Content": m["content"]} for m in merged]
        return _execute(nodes, {"System": system, "Messages": rows, "Response": ""})
    return _by_exchange(nodes, merged)


def _collate(messages: Sequence[Message]) -> list[dict[str, str]]:
    """Neighbours of one role become one message, as the server does it."""
    merged: list[dict[str, str]] = []
    for message in messages:
        if merged and merged[-1]["role"] == message["role"]:
            merged[-1]["content"] += "\n\n" + message["content"]
        else:
            merged.append(dict(message))
    return merged


def _by_exchange(nodes: list[_Node], messages: list[dict[str, str]]) -> str:
    """Templates without `.Messages` run once for each exchange; the last run stops at the answer."""
    if not any(node.kind == "emit" and node.tokens == (".Response",) for node in nodes):
        if _mentions(nodes, "Response"):
            raise GoTemplateError("`.Response` stands inside a block.")
        nodes = [*nodes, _Node("emit", tokens=(".Response",))]
    names = {"system": "System", "user": "Prompt", "assistant": "Response"}
    order = list(names)
    out, values = "", dict.fromkeys(names.values(), "")
    for message in messages:
        later = order[order.index(message["role"]) + 1 :] if message["role"] != "assistant" else []
        if any(values[names[role]] for role in later):
            out += _execute(nodes, values)
            values = dict.fromkeys(names.values(), "")
        values[names[message["role"]]] = message["content"]
    return out + _execute(nodes, values, cut=True)


def _mentions(nodes: list[_Node], name: str) -> bool:
    return any(
        any(name in token.split(".")[1:] for token in node.tokens)
        or _mentions(node.body, name)
        or _mentions(node.other, name)
        for node in nodes
    )


def _parse(template: str) -> list[_Node]:
    pieces = _pieces(template)
    nodes, stopped = _block(pieces)
    if stopped is not None:
        raise GoTemplateError("`end` or `else` without its beginning.")
    return nodes


def _pieces(template: str) -> Iterator[tuple[bool, str]]:
    """Texts (False) and actions (True); `{{- ` and ` -}}` trim the text beside them."""
    place, trim = 0, False
    for match in _ACTION.finditer(template):
        text = template[place : match.start()]
        text = text.lstrip(" \t\r\n") if trim else text
        yield False, text.rstrip(" \t\r\n") if match[1] else text
        yield True, match[2].strip()
        place, trim = match.end(), bool(match[3])
    rest = template[place:]
    yield False, rest.lstrip(" \t\r\n") if trim else rest


def _block(pieces: Iterator[tuple[bool, str]]) -> tuple[list[_Node], str | None]:
    """Nodes up to an `else` or `end`, which is given as well; None at the end of the text."""
    nodes: list[_Node] = []
    for action, text in pieces:
        word = text.split(maxsplit=1)[0] if action and text else ""
        if not action:
            nodes.append(_Node("text", text))
        elif word in ("end", "else"):
            return nodes, text
        elif word in ("if", "range"):
            nodes.append(_branch(word, text, pieces))
        elif not text.startswith("/*"):
            nodes.append(_Node("emit", tokens=_tokens(text)))
    return nodes, None


def _branch(word: str, text: str, pieces: Iterator[tuple[bool, str]]) -> _Node:
    body, stop = _block(pieces)
    other: list[_Node] = []
    if stop is not None and stop.startswith("else"):
        rest = stop.removeprefix("else").strip()
        if rest.startswith("if "):
            other, stop = [_branch("if", rest, pieces)], "end"
        else:
            other, stop = _block(pieces)
    if stop != "end":
        raise GoTemplateError(f"`{word}` has no `end`.")
    return _Node(word, tokens=_tokens(text.removeprefix(word)), body=body, other=other)


def _tokens(text: str) -> tuple[str, ...]:
    found, place, text = [], 0, text.strip()
    while place < len(text):
        match = _TOKEN.match(text, place)
        if not match:
            raise GoTemplateError("an action that is not understood.")
        found.append(match[1])
        place = match.end()
    return tuple(found)


def _execute(nodes: list[_Node], data: Any, *, cut: bool = False) -> str:
    out: list[str] = []
    with suppress(_Cut):
        _run(nodes, data, {"$": data}, out, cut=cut)
    return "".join(out)


def _run(nodes: list[_Node], dot: Any, names: dict[str, Any], out: list[str], *, cut: bool) -> None:
    for node in nodes:
        if node.kind == "text":
            out.append(node.text)
        elif node.kind == "emit":
            if cut and node.tokens == (".Response",):
                raise _Cut
            out.append(str(_value(node.tokens, dot, names)))
        elif node.kind == "if":
            chosen = node.body if _value(node.tokens, dot, names) else node.other
            _run(chosen, dot, names, out, cut=cut)
        else:
            _loop(node, dot, names, out)


def _loop(node: _Node, dot: Any, names: dict[str, Any], out: list[str]) -> None:
    tokens = node.tokens
    bound: tuple[str, ...] = ()
    if ":=" in tokens:
        place = tokens.index(":=")
        bound, tokens = tuple(t for t in tokens[:place] if t != ","), tokens[place + 1 :]
    for index, item in enumerate(_value(tokens, dot, names)):
        values = (index, item)[-len(bound) :] if bound else ()
        _run(node.body, item, {**names, **dict(zip(bound, values, strict=True))}, out, cut=False)


_FUNCTIONS: dict[str, Callable[..., Any]] = {
    "eq": lambda one, *others: any(one == other for other in others),
    "ne": lambda one, other: one != other,
    "and": lambda *values: next((v for v in values if not v), values[-1]),
    "or": lambda *values: next((v for v in values if v), values[-1]),
    "not": lambda value: not value,
    "len": len,
    "slice": lambda value, start, end=None: value[start:end],
}  # fmt: skip


def _value(tokens: tuple[str, ...], dot: Any, names: Mapping[str, Any]) -> Any:
    values, rest = _arguments(list(tokens), dot, names)
    if rest or not values:
        raise GoTemplateError("an expression that is not understood.")
    if callable(values[0]):
        return values[0](*values[1:])
    if len(values) != 1:
        raise GoTemplateError("an expression that is not understood.")
    return values[0]


def _arguments(
    tokens: list[str], dot: Any, names: Mapping[str, Any]
) -> tuple[list[Any], list[str]]:
    values: list[Any] = []
    while tokens and tokens[0] != ")":
        token = tokens.pop(0)
        if token == "(":  # noqa: S105 -- a bracket
            inner, tokens = _arguments(tokens, dot, names)
            if not tokens:
                raise GoTemplateError("a bracket is not closed.")
            tokens = tokens[1:]
            values.append(inner[0](*inner[1:]) if callable(inner[0]) else inner[0])
        else:
            values.append(_atom(token, dot, names))
    return values, tokens


def _atom(token: str, dot: Any, names: Mapping[str, Any]) -> Any:
    if token[0] == '"':
        return json.loads(token)
    if token[0] == "`":
        return token[1:-1]
    if token.isdigit():
        return int(token)
    if token in _FUNCTIONS:
        return _FUNCTIONS[token]
    head, *path = token.split(".") if token != "." else [""]  # noqa: S105 -- the dot
    if head and head not in names:
        raise GoTemplateError("a function or variable that is not known here.")
    value = names[head] if head else dot
    for name in path:
        value = value.get(name, "") if isinstance(value, Mapping) else ""
    return value
