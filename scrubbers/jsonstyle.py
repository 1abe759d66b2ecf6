"""How a string literal is escaped, and new text escaped the same way."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from scrubbers.jsonlex import unescaped

# One escape that stands for one code point: a surrogate pair is one.
ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|[^u])"
)
_WIDE = re.compile(r"\\u(?!00[0-7]|[dD][89a-fA-F])|\\u[dD][89abAB]..\\u[dD][c-fC-F]")
_MUST = re.compile(r'["\\\x00-\x1f\ud800-\udfff]')
_SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


@dataclass(frozen=True, slots=True)
class Style:
    r"""How one literal writes its characters.

    `ascii`: non-ASCII as \uXXXX; `upper`: hex digits in capitals; `habits`: character -> the escape
    that this literal uses for it without ever writing it plainly.
    """

    ascii: bool
    upper: bool
    habits: dict[str, str]


@lru_cache(maxsize=64)  # a record's edits fall into few literals
def style_of(body: str, around: str) -> Style:
    """Tell the style of a literal with this body; `around` decides what the body does not show."""
    escapes = [found.group() for found in ESCAPE.finditer(body)] if "\\" in body else []
    plain = set(ESCAPE.sub("", body)) if escapes else set()
    habits = {unescaped(escape): escape for escape in reversed(escapes)}
    return Style(
        ascii=_escapes_wide(body) or (body.isascii() and _escapes_wide(around)),
        upper=_upper("".join(escapes) or around),
        habits={char: escape for char, escape in habits.items() if char not in plain},
    )


def _escapes_wide(text: str) -> bool:
    return text.isascii() and "\\u" in text and _WIDE.search(text.replace("\\\\", "")) is not None


def _upper(text: str) -> bool:
    digits = "".join(re.findall(r"\\u([0-9a-fA-F]{4})", text.replace("\\\\", "")))
    return digits != digits.lower() and digits == digits.upper()


def escaped(text: str, style: Style) -> str:
    """Escape `text` for the body of a literal in that style."""
    if text.isascii() and not style.habits and _MUST.search(text) is None:
        return text
    return "".join(_escaped_char(char, style) for char in text)


def _escaped_char(char: str, style: Style) -> str:
    habit = style.habits.get(char)
    if habit is not None:
        return habit
    if char in _SHORT:
        return _SHORT[char]
    if char > "\x7f" and not style.ascii and not "\ud800" <= char <= "\udfff":
        return char
    if " " <= char <= "\x7f":
        return char
    units = char.encode("utf-16-be", "surrogatepass").hex()
    units = units.upper() if style.upper else units
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
