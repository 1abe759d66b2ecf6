"""How text gets worse on its way: each change keeps the labels of the pieces exactly."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable

from tagger.pieces import Pieces, mapped

Change = Callable[[random.Random, Pieces], Pieces]
LOOKALIKES = {"O": "0", "0": "O", "l": "1", "1": "l", "I": "l", "S": "5", "5": "S", "B": "8", "8": "B", "o": "0", "i": "l", "e": "c", "c": "e", "h": "b", "Z": "2", "g": "9"}  # fmt: skip
PAIRS = (("rn", "m"), ("m", "rn"), ("ll", "II"), ("cl", "d"), ("vv", "w"), ("ti", "tl"))
KEYS = {"a": "sq", "b": "vn", "c": "xv", "d": "sf", "e": "wr", "f": "dg", "g": "fh", "h": "gj", "i": "uo", "j": "hk", "k": "jl", "l": "k", "m": "n", "n": "bm", "o": "ip", "p": "o", "r": "et", "s": "ad", "t": "ry", "u": "yi", "v": "cb", "w": "qe", "x": "zc", "y": "tu", "z": "x"}  # fmt: skip
ZERO_WIDTH = ("\u200b", "\u200d", "\ufeff", "\u2060", "\u00ad")
EXACT = frozenset("EMAIL URL PASSWORD SECRET IP".split())  # typos here would make other values
ENTITIES = {"é": "&eacute;", "ü": "&uuml;", "ö": "&ouml;", "ä": "&auml;", "ñ": "&ntilde;", "ç": "&ccedil;", "á": "&aacute;", "&": "&amp;", "<": "&lt;", "à": "&agrave;", "'": "&#39;", "ø": "&oslash;"}  # fmt: skip


def lower(rng: random.Random, pieces: Pieces) -> Pieces:
    """All in small letters, but keys and the like."""
    del rng
    return [
        (text if label in ("SECRET", "PASSWORD") else small(text), label) for text, label in pieces
    ]


def small(text: str) -> str:
    """Small letters of the same number of characters."""
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def upper(rng: random.Random, pieces: Pieces) -> Pieces:
    """All in capitals."""
    del rng
    return [
        (text if label in ("SECRET", "PASSWORD") else text.upper(), label) for text, label in pieces
    ]


def capital_names(rng: random.Random, pieces: Pieces) -> Pieces:
    """Names in capitals, or in small letters, the rest as it is."""
    change = str.upper if rng.random() < 0.4 else small
    return [
        (change(text) if label in ("PERSON", "LOCATION", "ADDRESS") else text, label)
        for text, label in pieces
    ]


def unaccented(rng: random.Random, pieces: Pieces) -> Pieces:
    """Accents left out, as on foreign keyboards; at times umlauts as two letters."""
    table = {"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "æ": "ae", "ı": "i"}
    if rng.random() < 0.5:
        table |= {"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"}

    def change(text: str) -> str:
        spelled = "".join(table.get(char, char) for char in text)
        return "".join(
            c for c in unicodedata.normalize("NFD", spelled) if not unicodedata.combining(c)
        )

    return mapped(pieces, change)


def decomposed(rng: random.Random, pieces: Pieces) -> Pieces:
    """Accents as marks of their own."""
    del rng
    return mapped(pieces, lambda text: unicodedata.normalize("NFD", text))


def unpunctuated(rng: random.Random, pieces: Pieces) -> Pieces:
    """Points and commas of the words around left out."""
    signs = ".,;:!?¿¡" if rng.random() < 0.6 else ".!?¿¡"
    table = str.maketrans("", "", signs)
    return [(text.translate(table) if label is None else text, label) for text, label in pieces]


def each_char(
    rng: random.Random, pieces: Pieces, rate: float, change: Callable[[str], str]
) -> Pieces:
    """Some characters changed."""
    return [
        ("".join(change(char) if rng.random() < rate else char for char in text), label)
        for text, label in pieces
    ]


def ocr(rng: random.Random, pieces: Pieces) -> Pieces:
    """Letters and digits misread, spaces lost and added."""
    rate = rng.choice((0.02, 0.04, 0.08))
    out: Pieces = []
    for text, label in each_char(rng, pieces, rate, lambda char: LOOKALIKES.get(char, char)):
        read = text
        for good, bad in PAIRS:
            if good in read and rng.random() < 0.15:
                read = read.replace(good, bad, 1)
        if label is None and rng.random() < 0.3:
            read = read.replace(" ", "  ", 1) if rng.random() < 0.5 else read.replace(", ", ",", 1)
        out.append((read, label))
    return out


def typos(rng: random.Random, pieces: Pieces) -> Pieces:
    """Neighbouring keys, letters swapped, doubled, left out; values with a format stay."""
    rate = rng.choice((0.01, 0.02, 0.04))
    out: Pieces = []
    for text, label in pieces:
        if label in EXACT or any(char.isdigit() for char in text if label):
            out.append((text, label))
            continue
        out.append((mistyped(rng, text, rate), label))
    return out


def mistyped(rng: random.Random, text: str, rate: float) -> str:
    """One text with typos."""
    chars: list[str] = []
    i = 0
    while i < len(text):
        char = text[i]
        if not char.isalpha() or rng.random() > rate:
            chars.append(char)
        elif (kind := rng.randrange(4)) == 0 and i + 1 < len(text) and text[i + 1].isalpha():
            chars += [text[i + 1], char]
            i += 1
        elif kind == 1:
            chars += [char, char]
        elif kind == 2 and char.lower() in KEYS:
            chars.append(rng.choice(KEYS[char.lower()]))
        elif len(text) < 3:
            chars.append(char)
        i += 1
    return "".join(chars)


def spaced(rng: random.Random, pieces: Pieces) -> Pieces:
    """Spaces doubled, or of other kinds: no-break, thin, full-width."""
    other = rng.choice(("  ", "\u00a0", "\u202f", "\u00a0", "\u2009", "\u3000", "\t"))
    rate = rng.choice((0.1, 0.5, 1.0))
    within = rng.random() < 0.7
    return [
        ("".join(other if char == " " and rng.random() < rate else char for char in text) if within or label is None else text, label)
        for text, label in pieces
    ]  # fmt: skip


def zero_width(rng: random.Random, pieces: Pieces) -> Pieces:
    """Invisible characters in words and values, never at the ends of a value."""
    mark, rate = rng.choice(ZERO_WIDTH), rng.choice((0.03, 0.1))
    return [
        (
            "".join(
                char + mark if i + 1 < len(text) and rng.random() < rate else char
                for i, char in enumerate(text)
            ),
            label,
        )
        for text, label in pieces
    ]


def full_width(rng: random.Random, pieces: Pieces) -> Pieces:
    """Digits in full width, in values or everywhere."""
    table = {ord("0") + n: 0xFF10 + n for n in range(10)}
    everywhere = rng.random() < 0.5
    return [
        (text.translate(table) if everywhere or label else text, label) for text, label in pieces
    ]


def curly(rng: random.Random, pieces: Pieces) -> Pieces:
    """Typographic quotes and dashes."""
    del rng
    return mapped(
        pieces, lambda text: text.replace("'", "’").replace(" - ", " – ").replace('"', "”")
    )


def crlf(rng: random.Random, pieces: Pieces) -> Pieces:
    """Line ends of Windows, or lines run together."""
    end = rng.choice(("\r\n", "\r\n", " ", "\\n", "<br>", " / "))
    return [
        (text.replace("\n", end if label is None or end in ("\r\n", " ") else " "), label)
        for text, label in pieces
    ]


def escaped(rng: random.Random, pieces: Pieces) -> Pieces:
    """Letters beyond ASCII as escapes of JSON, or as entities of HTML."""
    if rng.random() < 0.65:
        return mapped(
            pieces,
            lambda text: "".join(
                char if ord(char) < 128 or ord(char) > 0xFFFF else f"\\u{ord(char):04x}"
                for char in text
            ),
        )
    return mapped(pieces, lambda text: "".join(ENTITIES.get(char, char) for char in text))


def mojibake(rng: random.Random, pieces: Pieces) -> Pieces:
    """UTF-8 read as Latin-1."""
    del rng

    def change(text: str) -> str:
        try:
            return text.encode("utf-8").decode("cp1252")
        except UnicodeDecodeError:
            return text

    return mapped(pieces, change)


def stretched(rng: random.Random, pieces: Pieces) -> Pieces:
    """Marks of chats: dots, emoji, no space after a comma."""
    tails = ("...", "!!", " :)", " 🙏", " 😅", "??", " lol", "", " thx", " 👍")
    out = [
        (
            text.replace(", ", rng.choice((",", ", ", " ,", "... "))) if label is None else text,
            label,
        )
        for text, label in pieces
    ]
    return [*out, (rng.choice(tails), None)]


CASUAL: tuple[tuple[Change, float], ...] = (
    (lower, 0.2), (upper, 0.03), (capital_names, 0.08), (unaccented, 0.12), (unpunctuated, 0.12), (typos, 0.16), (spaced, 0.04), (zero_width, 0.012), (full_width, 0.01),
    (curly, 0.1), (crlf, 0.05), (escaped, 0.02), (stretched, 0.08), (decomposed, 0.012), (mojibake, 0.01),
)  # fmt: skip
FORMAL: tuple[tuple[Change, float], ...] = (
    (lower, 0.05), (upper, 0.05), (capital_names, 0.08), (unaccented, 0.06), (unpunctuated, 0.02), (typos, 0.05), (spaced, 0.05), (zero_width, 0.012), (full_width, 0.012),
    (curly, 0.12), (crlf, 0.08), (escaped, 0.03), (ocr, 0.07), (decomposed, 0.012), (mojibake, 0.012),
)  # fmt: skip
VALUES: tuple[tuple[Change, float], ...] = (  # values of JSON and code, before they are written
    (lower, 0.05), (capital_names, 0.08), (unaccented, 0.08), (typos, 0.05), (ocr, 0.02), (zero_width, 0.01), (full_width, 0.01), (decomposed, 0.01),
)  # fmt: skip
FORMAT: tuple[tuple[Change, float], ...] = ((capital_names, 0.05), (unaccented, 0.06))


def noisy(rng: random.Random, pieces: Pieces, changes: tuple[tuple[Change, float], ...]) -> Pieces:
    """The pieces after each change that chance picks."""
    for change, share in changes:
        if rng.random() < share:
            pieces = change(rng, pieces)
    return [piece for piece in pieces if piece[0]]
