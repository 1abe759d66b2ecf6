"""A piece of a text stream that slides on, and the JSON values that start where it stands."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Literal

from scrubbers.jsonlex import BODY, MAX_DEPTH, MAX_NUMBER, SPACE, TOO_DEEP, Stop, lex

if TYPE_CHECKING:
    from collections.abc import Iterator

CHUNK = 256 * 1024  # code points: what is read on at least

# What a value may end in where the text behind it is not there yet.
_PARTIAL = re.compile(
    rf'{SPACE}(?:"{BODY}(?:\\(?:u[0-9a-fA-F]{{0,3}})?|"{SPACE})?|[-+.0-9eE]*|[a-z]{{0,5}})\Z'
)
_MARKS = re.compile(
    r'"[^"\\]*+(?:\\.[^"\\]*+)*+"' r"|'[^'\\]*+(?:\\.[^'\\]*+)*+'" r"|[{}\[\]\"']", re.DOTALL
)
_SKIP = re.compile(r'\\.|["{}\[\]]', re.DOTALL)
_LINE = re.compile(r"[^\n]*+")

Fault = Literal["truncated", "too-deep", "not-json", "too-long"]


class Window:
    """The text from a place on, with the line it stands in; `at` is where the next value starts."""

    def __init__(self, chunks: Iterator[str], limit: int) -> None:
        self._chunks = chunks
        self.limit = limit  # code points that one value may have
        self.text = ""
        self.at = 0
        self.line = 1
        self.ended = False
        self.vain = 0  # code points searched for the end of a broken value without finding it
        self.consumed = 0

    def more(self) -> None:
        """Read on by at least as much as is there, so that growing stays linear."""
        pieces = [self.text[self.at :]]
        wanted = max(len(pieces[0]), CHUNK)
        while wanted > 0 and not self.ended:
            piece = next(self._chunks, None)
            self.ended = piece is None
            pieces.append(piece or "")
            wanted -= len(pieces[-1])
        self.text, self.at = "".join(pieces), 0

    def advance(self, length: int) -> None:
        """Stand `length` code points further on."""
        self.line += self.text.count("\n", self.at, self.at + length)
        self.at += length
        self.consumed += length

    def size(self) -> int:
        """Code points that are there."""
        return len(self.text) - self.at

    def line_length(self) -> int | None:
        """Length up to the line break or the end; None where that is over the limit."""
        while True:
            end = self.text.find("\n", self.at)
            if end >= 0:
                return end - self.at
            if self.ended:
                return self.size()
            if self.size() > self.limit:
                return None
            self.more()

    def skip_line(self) -> None:
        """Go to the next line break, however far it is, without keeping what lies between."""
        while (end := self.text.find("\n", self.at)) < 0 and not self.ended:
            self.advance(self.size())
            self.more()
        self.advance((end if end >= 0 else len(self.text)) - self.at)


def value_length(window: Window) -> int | Fault:
    """Length of the strict value that starts here, or why there is none.

    `truncated`: it would be one if the input went on. `too-long`: so far it is one.
    """
    while True:
        length = strict_length(window.text, window.at)
        if isinstance(length, int) and (window.ended or length < window.size()):
            return length
        if length in ("not-json", "too-deep") or (length == "truncated" and window.ended):
            return length
        if window.size() > window.limit:
            return "too-long"
        window.more()


def strict_length(text: str, at: int = 0) -> int | Fault:
    """Length of the strict JSON value at `at`, or why there is none."""
    try:
        _, end = _DECODER.raw_decode(text, at)
    except (ValueError, RecursionError):
        return _why(text, at)
    brackets = text.count("[", at, end) + text.count("{", at, end)
    if brackets > MAX_DEPTH and _why(text, at) == "too-deep":
        return "too-deep"
    return end - at


def _why(text: str, at: int) -> Fault:
    try:
        lex(text, at)
    except Stop as stop:
        if stop.expected == TOO_DEEP:
            return "too-deep"
        return "truncated" if _PARTIAL.match(text, stop.offset) else "not-json"
    return "not-json"


def _number(text: str) -> None:
    if len(text) > MAX_NUMBER:
        raise ValueError


def _refused(name: str) -> None:
    raise ValueError(name)  # NaN, Infinity, -Infinity


# In C, and strict but for the depth and the numbers that the hooks look at; it builds no numbers.
_DECODER = json.JSONDecoder(parse_int=_number, parse_float=_number, parse_constant=_refused)


def loose_length(window: Window, lookahead: int) -> int | None:
    """Length of the broken value that starts here, by its brackets; None where it does not close.

    `lookahead` bounds the search. All searches in vain together are bounded by what was read.
    """
    if window.vain > 8 * window.consumed + 32 * lookahead:
        line = _LINE.match(window.text, window.at)
        return balanced(window.text, window.at, line.end() if line else window.at)
    while True:
        length = balanced(window.text, window.at, len(window.text))
        if length is not None:
            return length
        if window.ended or window.size() > lookahead:
            window.vain += window.size()
            return None
        window.more()


def balanced(text: str, at: int, end: int) -> int | None:
    """Length up to the bracket that closes the one at `at`. Strings may hold raw line breaks."""
    depth = 0
    for mark in _MARKS.finditer(text, at, end):
        start, stop = mark.span()
        kind = text[start]
        if kind in "{[":
            depth += 1
        elif kind in "}]":
            depth -= 1
        elif stop - start == 1 or _record_inside(text, start, stop):
            return None
        if depth <= 0:
            return stop - at
    return None


def _record_inside(text: str, start: int, stop: int) -> bool:
    """Whether a line that begins within this string is a whole record: then a quote is missing."""
    at = text.find("\n", start, stop)
    while at >= 0:
        line = _LINE.match(text, at + 1)
        if line and text[at + 1 : at + 2] in ("{", "["):
            length = strict_length(text, at + 1)
            if isinstance(length, int) and not text[at + 1 + length : line.end()].strip(" \t\r,"):
                return True
        at = text.find("\n", at + 1, stop)
    return False


def skip_value(window: Window) -> None:
    """Pass a value that is too long to keep, up to the bracket or quote that closes it."""
    if window.text[window.at] not in '{["':
        window.skip_line()
        return
    depth, quoted = 0, False
    while True:
        seen = window.at
        for mark in _SKIP.finditer(window.text, window.at):
            seen = mark.end()
            if mark.group() == '"':
                quoted = not quoted
            elif not quoted and mark.group() in "{[}]":
                depth += 1 if mark.group() in "{[" else -1
            if depth <= 0 and not quoted:
                window.advance(seen - window.at)
                return
        if window.ended:
            window.advance(window.size())
            return
        half = window.text.endswith("\\", seen)  # an escape whose other half is still to come
        window.advance(window.size() - half)
        window.more()
