"""Strict JSON (RFC 8259) as a flat list of tokens with their places; nothing is built or rounded."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field

MAX_DEPTH = 500  # containers inside containers; Python's own parser gives up near 1,000
MAX_NUMBER = 4000  # characters; Python refuses to convert integers of more than 4,300 digits
TOO_DEEP = f"at most {MAX_DEPTH} levels of nesting"

SPACE = r"[ \t\n\r]*+"
# An atomic group and no possessive repeat: before 3.11.5 Python's possessive repeats of a group lose
# their place when the last try at it fails half-way (gh-106052), as at the end of a cut escape.
BODY = r'(?>[^"\\\x00-\x1f]*+(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\x00-\x1f]*+)*)'
NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*+)(?:\.[0-9]++)?(?:[eE][+-]?[0-9]++)?")

_VALUE = re.compile(
    rf'{SPACE}(?:(?:"({BODY})"|({NUMBER.pattern})|true|false|null){SPACE}([,}}\]]?)'
    rf"|([{{\[]){SPACE}([}}\]]?))"
)
_KEY = re.compile(rf'{SPACE}"({BODY})"{SPACE}:')
_NEXT = re.compile(rf"{SPACE}([,}}\]])")
_END = re.compile(rf"{SPACE}\Z")


class NotJson(Exception):
    """The text is not strict JSON. Says where and what was expected, never what stood there."""

    def __init__(self, line: int, column: int, expected: str) -> None:
        self.line, self.column, self.expected = line, column, expected
        super().__init__(line, column, expected)

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: expected {self.expected}"


class Stop(Exception):
    """Lexing ended at `offset`. Cheap: where texts are searched for JSON, most tries end so."""

    def __init__(self, offset: int, expected: str) -> None:
        self.offset, self.expected = offset, expected
        super().__init__(offset, expected)


@dataclass(frozen=True, slots=True)
class KeyStep:
    """A member of an object: its name, the how-manieth key (1-based), the how-manieth of its name.

    The name may be an identifier itself, so it stays out of the repr.
    """

    name: str = field(repr=False)
    ordinal: int
    repeat: int


@dataclass(frozen=True, slots=True)
class IndexStep:
    """An element of an array, counted from 0."""

    index: int


Step = KeyStep | IndexStep
Steps = tuple[Step, ...]
# kind, decoded text, start and end of its body (between the quotes) in the lexed text, steps, label
Token = tuple[str, str, int, int, Steps, str]


class _Frame:
    """An open container: its closing bracket, the steps to it, and how far it has been read."""

    __slots__ = ("base", "closer", "count", "label", "names")

    def __init__(self, opener: str, base: Steps, label: str) -> None:
        self.closer = "}" if opener == "{" else "]"
        self.base = base
        self.label = label
        self.count = 0
        self.names: dict[str, int] = {}


def unescaped(body: str) -> str:
    """Decode the body of a valid string literal."""
    text: str = json.loads(f'"{body}"')
    return text


def lex(text: str, at: int = 0) -> tuple[list[Token], int]:
    """Return the tokens (strings, numbers, keys) of the value that starts at `at`, and its end.

    Document order. What follows the value is not looked at. Raises Stop.
    """
    tokens: list[Token] = []
    stack: list[_Frame] = []
    steps: Steps = ()
    label = ""
    while True:
        found = _VALUE.match(text, at)
        if found is None:
            raise Stop(at, "a value")
        body, number, delimiter, opener, closer = found.groups()
        if opener is None:
            if body is not None:
                value = unescaped(body) if "\\" in body else body
                tokens.append(("string", value, *found.span(1), steps, label))
            elif number is not None:
                tokens.append(_number(found, steps, label))
            if not stack:
                return tokens, found.start(3)
            at = found.end()
        else:
            if len(stack) == MAX_DEPTH:
                raise Stop(at, TOO_DEEP)
            stack.append(_Frame(opener, steps, label))
            at = found.end()
            delimiter = closer or ","
        if delimiter != ",":
            delimiter, at = _closed(text, at, delimiter, stack)
            if not stack:
                return tokens, at
        steps, label, at = _entered(text, at, stack[-1], tokens)


def _number(found: re.Match[str], steps: Steps, label: str) -> Token:
    number = found.group(2)
    if len(number) > MAX_NUMBER:
        raise Stop(found.start(2), f"a number of at most {MAX_NUMBER} characters")
    return "number", number, *found.span(2), steps, label


def _closed(text: str, at: int, delimiter: str, stack: list[_Frame]) -> tuple[str, int]:
    """Close containers until a comma comes or none is open; the comma and the place after it."""
    while delimiter != ",":
        if not delimiter or delimiter != stack[-1].closer:
            raise Stop(at, f"a comma or {stack[-1].closer}")
        stack.pop()
        if not stack:
            break
        found = _NEXT.match(text, at)
        delimiter, at = (found.group(1), found.end()) if found is not None else ("", at)
    return delimiter, at


def _entered(text: str, at: int, frame: _Frame, tokens: list[Token]) -> tuple[Steps, str, int]:
    """Step to the next member or element: its steps, its label, where its value starts."""
    if frame.closer == "]":
        frame.count += 1
        return (*frame.base, IndexStep(frame.count - 1)), frame.label, at
    found = _KEY.match(text, at)
    if found is None:
        raise Stop(at, "a key in double quotes and a colon")
    body: str = found.group(1)
    name = unescaped(body) if "\\" in body else body
    frame.count += 1
    repeat = frame.names[name] = frame.names.get(name, 0) + 1
    steps = (*frame.base, KeyStep(name, frame.count, repeat))
    tokens.append(("key", name, *found.span(1), steps, ""))
    return steps, name, found.end()


def lex_all(text: str) -> list[Token]:
    """Return the tokens of a text that is one JSON value with nothing but space around it.

    Raises NotJson.
    """
    try:
        tokens, end = lex(text)
    except Stop as stop:
        raise _located(text, stop) from None
    if _END.match(text, end) is None:
        raise _located(text, Stop(end, "the end of the text"))
    return tokens


def _located(text: str, stop: Stop) -> NotJson:
    line = text.count("\n", 0, stop.offset) + 1
    return NotJson(line, stop.offset - text.rfind("\n", 0, stop.offset), stop.expected)


def to_value(text: str) -> object:
    """Parse into plain Python values; of duplicate keys the last one wins. Raises NotJson."""
    lex_all(text)
    return json.loads(text)
