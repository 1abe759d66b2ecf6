"""The secret key's own spellings, and whether a text or the bytes of a file hold one of them."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_URL = str.maketrans("-_", "+/")
_SPACE = re.compile(r"[\s\0\"',;\\]+")
_BETWEEN = re.compile(r"(?:0x|[\W_])+")  # 9f:4b, 0x9f, 0x4b, \x9f\x4b once the x is gone
_HEX_ESCAPE = re.compile(r"\\+x(?=[0-9a-f]{2})")
SHORTEST = 32  # characters of the shortest spelling: the bytes themselves


@dataclass(frozen=True, slots=True)
class Spellings:
    """What to look for; made once, small, and sent to each worker."""

    hexes: tuple[str, ...] = field(default=(), repr=False)
    base64s: tuple[str, ...] = field(default=(), repr=False)
    raw: tuple[str, ...] = field(default=(), repr=False)

    def in_text(self, text: str) -> bool:
        """Whether a string holds a key; the work is a few passes over its length."""
        if len(text) < SHORTEST:
            return False
        if any(one in text for one in self.raw):
            return True
        plain = _SPACE.sub("", text).translate(_URL)
        if any(one in plain for one in self.base64s):
            return True
        close = _BETWEEN.sub("", _HEX_ESCAPE.sub("", text.lower()))
        return any(one in close for one in self.hexes)

    def in_bytes(self, data: bytes) -> bool:
        """Whether a file holds a key in a spelling of the text that `PRIVATUNE_KEY` takes."""
        text = data.replace(b"\0", b"").decode("latin-1")  # UTF-16, as some shells write it, too
        lower, plain = text.lower(), text.translate(_URL)
        return any(one in lower for one in self.hexes) or any(one in plain for one in self.base64s)


def spellings(secrets: Iterable[bytes]) -> Spellings:
    """Hexadecimal and base64 of each key, and both of its hexadecimal text in ASCII and UTF-16."""
    known = tuple(secrets)
    hexes = [one.hex() for one in known]
    written = [
        text.encode(code)
        for one in hexes
        for text in (one, one.upper())
        for code in ("ascii", "utf-16-le", "utf-16-be")
    ]
    written += [base64.b64encode(one)[:42] for one in known]
    return Spellings(
        tuple(dict.fromkeys([*hexes, *(one.hex() for one in written)])),
        tuple(within for one in (*known, *written) for within in _aligned(one)),
        tuple(one.decode("latin-1") for one in known),
    )


def _aligned(data: bytes) -> list[str]:
    """Base64 of bytes that stand anywhere in longer ones, without what their neighbours decide."""
    found = []
    for before in range(3):
        text = base64.b64encode(bytes(before) + data).decode().rstrip("=")
        # The first character that these bytes decide alone, and the last.
        first = -(-before * 8 // 6)
        found.append(text[first : (before + len(data)) * 8 // 6])
    return found
