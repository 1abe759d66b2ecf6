"""Names of other scripts in Latin letters, as passports and chats write them."""

from __future__ import annotations

CYRILLIC = dict(zip(
    "абвгдезийклмнопрстуфхъыьэіїєґёжцчшщюя",
    ["a", "b", "v", "g", "d", "e", "z", "i", "y", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u",
     "f", "kh", "", "y", "", "e", "i", "yi", "ye", "g", "yo", "zh", "ts", "ch", "sh", "shch", "yu",
     "ya"],
    strict=True,
))  # fmt: skip
GREEK = dict(zip(
    "αβγδεζηθικλμνξοπρσςτυφχψω",
    ["a", "v", "g", "d", "e", "z", "i", "th", "i", "k", "l", "m", "n", "x", "o", "p", "r", "s", "s",
     "t", "y", "f", "ch", "ps", "o"],
    strict=True,
)) | dict(zip("άέήίόύώϊϋΐΰ", "aeiioyoiyiy", strict=True))  # fmt: skip
PAIRS = (("ου", "ou"), ("ού", "ou"), ("αυ", "av"), ("ευ", "ef"), ("μπ", "b"), ("ντ", "nt"), ("γγ", "ng"))  # fmt: skip


def romanised(name: str) -> str:
    """The name in Latin letters; as it is when it is Latin; empty when the script is unknown."""
    low = name.lower()
    if low.isascii() or all(ord(char) < 0x370 or 0x1E00 <= ord(char) < 0x1F00 for char in low):
        return name
    for greek, latin in PAIRS:
        low = low.replace(greek, latin)
    letters = []
    for char in low:
        known = char.isascii() or char in CYRILLIC or char in GREEK
        latin = CYRILLIC.get(char, GREEK.get(char, char))
        if not known:
            return ""
        letters.append(latin)
    text = "".join(letters)
    for ending, written in (("yy", "y"), ("iy", "iy")):
        text = text[: -len(ending)] + written if text.endswith(ending) else text
    return "-".join(part[:1].upper() + part[1:] for part in text.split("-"))
