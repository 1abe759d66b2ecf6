"""A detection copy of a text, and the map from it back to the original.

Disguises that hide an identifier from patterns are undone in the copy: compatibility forms
(full width, ligatures), Unicode dashes, spaces, quotes and digits, zero-width and bidi
characters, soft hyphens, HTML entities, and `%40` between word characters, escaped again as well.
"""

from __future__ import annotations

import html
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

_SPECIAL = re.compile(
    r"[^\x00-\x7f][\u0300-\u036f]*"
    r"|[A-Za-z][\u0300-\u036f]+"
    r"|&(?:amp;)?(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,31});"
    r"|(?<=\w)%(?:25){0,3}40(?=\w)"
)
_QUOTES = str.maketrans(
    "\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc\u201c\u201d\u201e\u201f\u2033",
    "'''''''" + 5 * chr(34),
)
_DASHES = frozenset("\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\ufe58\ufe63\uff0d\u00ad")
_INVISIBLE = frozenset({"Cf"})


@dataclass(frozen=True, slots=True)
class Folded:
    """`text`: the copy. Folded character i came from original code points starts[i]..ends[i].

    Both maps are empty when the copy is the original.
    """

    text: str
    starts: tuple[int, ...] = ()
    ends: tuple[int, ...] = ()

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The original span behind a span of the copy (both end exclusive)."""
        if not self.starts:
            return start, end
        if start >= end:
            at = self.starts[start] if start < len(self.starts) else self.ends[-1]
            return at, at
        return self.starts[start], self.ends[end - 1]


def fold(text: str) -> Folded:
    """The detection copy of `text`; the text itself where nothing is disguised."""
    if text.isascii() and "&" not in text and "%" not in text:
        return Folded(text)
    pieces: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    done = 0
    for match in _SPECIAL.finditer(text):
        source = match.group()
        new = _folded(source)
        if new == source:
            continue
        begin, end = match.span()
        pieces += (text[done:begin], new)
        starts += range(done, begin)
        ends += range(done + 1, begin + 1)
        starts += [begin] * len(new)
        ends += [end] * len(new)
        done = end
    if not pieces:
        return Folded(text)
    pieces.append(text[done:])
    starts += range(done, len(text))
    ends += range(done + 1, len(text) + 1)
    return Folded("".join(pieces), tuple(starts), tuple(ends))


@lru_cache(maxsize=8192)
def _folded(source: str) -> str:
    """The plain form of one character with its marks, one entity or one `%40`."""
    if source[0] == "%":
        return "@"
    if source[0] == "&":
        plain = html.unescape(html.unescape(source))
        return source if plain == source or len(plain) > 2 else "".join(map(_character, plain))
    return "".join(map(_character, unicodedata.normalize("NFKC", source)))


def _character(char: str) -> str:
    if char.isascii():
        return char
    if char in _DASHES:
        return "" if char == "\u00ad" else "-"
    category = unicodedata.category(char)
    if category in _INVISIBLE:
        return ""
    if category == "Zs":
        return " "
    if category == "Nd":
        return str(unicodedata.digit(char))
    return char.translate(_QUOTES)
