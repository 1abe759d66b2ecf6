"""Broken records made strict JSON again, where that needs no guess about their text.

Three readings are tried, from the exact to the careful: JSON with a few liberties that leave no
doubt, Python's own literals, JSON with unescaped quotes inside strings. No reading drops text; a
record that none of them fits stays unreadable.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise

from pipeline.literals import WORDS, Unfit, from_python, quoted
from scrubbers.jsonlex import NUMBER, NotJson, lex_all

MAX_REPAIR = 1024 * 1024  # code points; Python's parser needs a hundred bytes for each
_MAX_DEPTH = 100

_WORD = re.compile(r"-?[A-Za-z]+(?![\w$])")
_NAME = re.compile(r"[A-Za-z_$][\w$]*(?=\s*:)", re.ASCII)
_GAP = re.compile(r"(?:\s|(//[^\n]*+|\#[^\n]*+|/\*.*?\*/))*+", re.DOTALL)
_MEMBER = re.compile(r"""\s*(?:"[^"\n]{0,200}"|'[^'\n]{0,200}'|[A-Za-z_$][\w$]*)\s*:|\s*[}\]]""")
_ELEMENT = re.compile(r"""\s*(?:["'{\[\]}0-9-]|true|false|null|None|True|False|NaN|nan)|\s*\Z""")
_SIGN = re.compile(r"\s*(\S)")
_LETTERS = re.compile(r"\w'\w")
_JSON_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(.))", re.DOTALL)
_CONTROL = re.compile(r"[\x00-\x1f]")


# An escape that is Python's alone, though the rest may look like JSON in double quotes.
_PYTHON_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\U[0-9a-fA-F]{8}")


def repair(text: str) -> tuple[str, tuple[str, ...]] | None:
    """Strict JSON for a broken record and codes of what was mended; None where none is certain."""
    if len(text) > MAX_REPAIR:
        return None
    readings = (_liberal, from_python, _careful)
    if _PYTHON_ESCAPE.search(text):
        readings = (from_python, _liberal, _careful)
    for reading in readings:
        try:
            fixed, notes = reading(text.strip())
            lex_all(fixed)
        except (Unfit, NotJson):
            continue
        return fixed, tuple(sorted(notes))
    return None


def _liberal(text: str) -> tuple[str, set[str]]:
    reader = _Reader(text, careful=False)
    return reader.record(), reader.notes


def _careful(text: str) -> tuple[str, set[str]]:
    reader = _Reader(text, careful=True)
    return reader.record(), reader.notes


@dataclass(slots=True)
class _Reader:
    """Reads liberal JSON and says it again in the spacing of `json.dumps`.

    `careful` reads single quotes and unescaped quotes too, where what follows a quote decides
    whether it closes the string.
    """

    text: str
    careful: bool
    at: int = 0
    closers: list[str] = field(default_factory=list)
    notes: set[str] = field(default_factory=set)

    def record(self) -> str:
        shown = self._value()
        self._gap()
        if self._take(","):
            self.notes.add("trailing-comma")
            self._gap()
        if self.at < len(self.text):
            raise Unfit
        return shown

    def _value(self) -> str:
        self._gap()
        char = self.text[self.at : self.at + 1]
        if char in ("{", "["):
            return self._container(char)
        if char == '"' or (char == "'" and self.careful):
            return quoted(self._string(char))
        number = NUMBER.match(self.text, self.at)
        if number and not self.text[number.end() : number.end() + 1].isalnum():
            self.at = number.end()
            return number.group()
        word = _WORD.match(self.text, self.at)
        if word is None or word.group() not in WORDS:
            raise Unfit
        self.at = word.end()
        shown, note = WORDS[word.group()]
        self.notes |= {note} if note else set()
        return shown

    def _container(self, opener: str) -> str:
        closer = "}" if opener == "{" else "]"
        if len(self.closers) == _MAX_DEPTH:
            raise Unfit
        self.closers.append(closer)
        self.at += 1
        parts: list[str] = []
        while not self._closed(closer, started=bool(parts)):
            key = f"{self._key()}: " if opener == "{" else ""
            parts.append(key + self._value())
        self.closers.pop()
        return opener + ", ".join(parts) + closer

    def _closed(self, closer: str, *, started: bool) -> bool:
        """Take what stands between two parts; True at the end of the container."""
        self._gap()
        if self._take(closer):
            return True
        if not started:
            return False
        if not self._take(","):
            raise Unfit
        self._gap()
        if self._take(closer):
            self.notes.add("trailing-comma")
            return True
        return False

    def _key(self) -> str:
        char = self.text[self.at : self.at + 1]
        name = _NAME.match(self.text, self.at)
        if char == '"' or (char == "'" and self.careful):
            key = self._string(char, key=True)
        elif name is not None:
            key = name.group()
            self.at = name.end()
            self.notes.add("unquoted-keys")
        else:
            raise Unfit
        self._gap()
        if not self._take(":"):
            raise Unfit
        return quoted(key)

    def _string(self, quote: str, *, key: bool = False) -> str:
        """Take a string. Quotes inside it must come in pairs, or its end would be a guess."""
        start = at = self.at + 1
        inside: list[int] = []
        while True:
            at = self._next_quote(quote, at)
            if not self.careful or self._closes(at + 1, key=key):
                break
            if quote == '"' or _LETTERS.match(self.text, at - 1) is None:
                inside.append(at)
            at += 1
        if len(inside) % 2 or any(not self.text[a + 1 : b].strip() for a, b in pairwise(inside)):
            raise Unfit
        self.at = at + 1
        self.notes |= {"single-quotes"} if quote == "'" else set()
        self.notes |= {"unescaped-quotes"} if inside else set()
        return self._decoded(self.text[start:at])

    def _next_quote(self, quote: str, at: int) -> int:
        while True:
            end = self.text.find(quote, at)
            if end < 0:
                raise Unfit
            slash = self.text.find("\\", at, end)
            if slash < 0:
                return end
            at = slash + 2

    def _closes(self, at: int, *, key: bool) -> bool:
        """Whether what stands at `at` can only be structure."""
        if key:
            return self._after(at)[0] == ":"
        open_now = list(self.closers)
        while open_now:
            char, at = self._after(at)
            if char == ",":
                following = _MEMBER if open_now[-1] == "}" else _ELEMENT
                return following.match(self.text, at) is not None
            if char != open_now.pop():
                return False
        return self.text[at:].strip() in ("", ",")

    def _after(self, at: int) -> tuple[str, int]:
        found = _SIGN.match(self.text, at)
        return (found.group(1), found.end()) if found else ("", at)

    def _decoded(self, body: str) -> str:
        if _CONTROL.search(body):
            self.notes.add("raw-newline" if "\n" in body else "control-characters")
        return _ESCAPE.sub(self._unescaped, body) if "\\" in body else body

    def _unescaped(self, found: re.Match[str]) -> str:
        code, short, char = found.groups()
        if code:
            return chr(int(code, 16))
        if short or char not in 'bfnrt"\\/':
            self.notes.add("bad-escapes")
        if short:
            return chr(int(short, 16))
        if char in "\"'\\/":
            return char
        return _JSON_ESCAPES.get(char, found.group())

    def _gap(self) -> None:
        found = _GAP.match(self.text, self.at)
        if found is not None:
            self.at = found.end()
            self.notes |= {"comments"} if found.group(1) else set()

    def _take(self, char: str) -> bool:
        taken = self.text.startswith(char, self.at)
        self.at += taken
        return taken
