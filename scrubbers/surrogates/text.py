"""What the forms of a value share: folding to a normal form, and writing in the old form."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

APOSTROPHES = "'’‘ʼ`´′＇"
# Letters that no decomposition takes apart (Unicode Character Database has no mapping for them).
PLAIN = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ß": "ss"}
    | {"Ł": "L", "Ø": "O", "Đ": "D", "Ð": "D", "Þ": "Th", "Æ": "Ae", "Œ": "Oe", "ẞ": "SS"}
    | dict.fromkeys(APOSTROPHES + "\u00ad\u200b\u200c\u200d\u2060\ufeff", "")
)
UMLAUTS = re.compile("a[ae]+|oe+|ue+")
UNSEEN = str.maketrans(dict.fromkeys(APOSTROPHES + "\u00ad\u200b\u200c\u200d\u2060\ufeff", ""))


def strip_marks(text: str) -> str:
    """Accents off; marks that make another letter (Japanese, Indic, Thai) stay."""
    apart = unicodedata.normalize("NFKD", text)
    kept = [c for c in apart if not is_accent(c)]
    return unicodedata.normalize("NFC", "".join(kept))


def is_accent(char: str) -> bool:
    """Accents have combining class 200 and above, Arabic vowel points 27 to 35."""
    kind = unicodedata.combining(char)
    return kind >= 200 or 27 <= kind <= 35


@lru_cache(maxsize=1 << 16)
def fold(text: str) -> str:
    """NFKC, case folded, without accents and apostrophes: the normal form of a name or word."""
    if text.isascii():
        return text.lower().translate(PLAIN)
    once = strip_marks(unicodedata.normalize("NFKC", text).casefold().translate(PLAIN))
    return strip_marks(once.casefold().translate(PLAIN))


def squeeze(norm: str) -> str:
    """Krueger as Krüger, Aage as Åge: ae, oe, ue and aa are one letter in the norm of a name.

    Of every name alike (Michael too), because nothing in a name tells where an e is an umlaut's.
    """
    if not norm.isascii():
        return norm
    short = UMLAUTS.sub(lambda found: found[0][0], norm)
    return short if len(short) > 1 else norm


def fold_name(text: str) -> str:
    """The normal form of one component of a name."""
    return squeeze(fold(text))


def to_ascii(text: str) -> str:
    """The text with its accents off, case kept; other scripts stay as they are."""
    return strip_marks(text.translate(PLAIN))


def like(original: str, display: str) -> str:
    """`display` with the letter case of `original`, and in ASCII if that was."""
    return cased(original, to_ascii(display) if original.translate(UNSEEN).isascii() else display)


def cased(original: str, shown: str) -> str:
    """`shown` in the letter case of `original`."""
    if len(original) > 1 and original.isupper():
        return shown.upper().replace("ẞ", "SS")
    if original.islower():
        return shown.lower()
    return shown[:1].upper() + shown[1:] if original[:1].isupper() else shown


def digit_value(char: str) -> int | None:
    """0..9 for a decimal digit of any script, else None."""
    if char.isascii():
        return ord(char) - 48 if "0" <= char <= "9" else None
    return unicodedata.decimal(char, None)


def digit_like(original: str, digit: str) -> str:
    """An ASCII digit in the script of the digit that stood there."""
    if original.isascii():
        return digit
    return chr(ord(original) - unicodedata.decimal(original) + int(digit))


def digits_of(text: str) -> str:
    """The decimal digits of a text, in ASCII."""
    values = (digit_value(char) for char in text)
    return "".join(str(value) for value in values if value is not None)


def refill(text: str, digits: str) -> str:
    """`text` with its digits replaced in order; everything else stays. Lengths must agree."""
    rest = iter(digits)
    return "".join(c if digit_value(c) is None else digit_like(c, next(rest)) for c in text)
