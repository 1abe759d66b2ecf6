"""One component of a name: its unit, how it is written, and how a word is read as components."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from scrubbers.surrogates import lists
from scrubbers.surrogates.slavic import case_endings, feminine, in_case, masculine
from scrubbers.surrogates.text import (
    APOSTROPHES,
    cased,
    digit_value,
    fold,
    like,
    refill,
    squeeze,
    to_ascii,
)
from scrubbers.surrogates.unit import Piece, Slot, Unit
from scrubbers.surrogates.words import CAMEL_HEADS, CODE_WORDS, DIGRAPHS, PARTICLES

APOSTROPHE = f"[{APOSTROPHES}]"
MARK = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0e31-\u0e3a\u0e47-\u0e4e"
# A zero-width character is part of a word, but not between Eskil and Haugland.
INVISIBLE = "[\u00ad\u200b-\u200d](?!(?<=[a-zß-ÿ].)[A-ZÀ-Þ])"
LETTER = f"(?:[^\\W\\d_]|[{MARK}]|{INVISIBLE})"
RUN = f"[^\\W\\d_ʼºª]{LETTER}*"  # begins with a letter that has a normal form
CAMEL = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
COMPOUND, HANGUL = 4, "\uac00"
HAN = re.compile(r"^[\u4e00-\u9fff]{2,6}$|^[\uac00-\ud7a3]{2,5}$")
# Norms up to these lengths are "s", "m" and "l", longer ones "x".
MOST_CHARACTERS = 6  # longer names in characters or syllables are one size
SIZES = ((4, "s"), (6, "m"), (8, "l"))


# --- units ----------------------------------------------------------------------------------


def name_unit(folded: str) -> Unit:
    """The unit of one folded component; one letter is an initial."""
    return unit_of(folded if len(folded) == 1 else lists.nominative(folded))


def unit_of(norm: str) -> Unit:
    """The unit of a norm."""
    if len(norm) == 1 and lists.is_alphabetic(norm):
        script = lists.script(norm)
        # "Noronha e Castro": stays one or stays none
        link = script == "latin" and norm in PARTICLES
        return Unit(f"initial:{'link' if link else script}", norm)
    kind = lists.classify(norm)
    return Unit(f"name:{kind.kind}:{kind.language}:{kind.gender}:{size_of(norm)}", norm)


def size_of(norm: str) -> str:
    """About how long a name is: a surrogate of the same size costs as many tokens."""
    if lists.script(norm[0]) in lists.CHARACTERS:
        whole = len(norm) == COMPOUND and norm < HANGUL  # none of four would be read as one
        return str(COMPOUND - 1 if whole else min(len(norm), MOST_CHARACTERS))
    return next((name for longest, name in SIZES if len(norm) <= longest), "x")


def number_unit(digits: str) -> Unit:
    """The unit of a short number inside a name or address: its length, and whether 0 leads."""
    lead = "0" if digits[0] == "0" else "N"
    return Unit(f"digits:{lead}:{len(digits)}", digits)


def number_slot(text: str) -> Piece:
    """Digits of any script as one number; a lone zero stays, no other number may become it."""
    plain = "".join(str(digit_value(c)) for c in text)
    if plain == "0":
        return text
    return Slot((number_unit(plain),), lambda norms: refill(text, norms[0]))


# --- written forms --------------------------------------------------------------------------


def show(word: str, unit: Unit, norm: str) -> str:
    """A surrogate's written form in the case, alphabet and gender of the word that it replaces."""
    if unit.space.startswith("initial"):
        return cased(word, norm) if len(word) > 1 else norm.upper() if word.isupper() else norm
    _, _, language, gender, *_ = unit.space.split(":")
    shown = lists.display(norm, language)
    if gender == "a" and is_feminine(word):
        shown = feminine(shown)
    return like(word, declined(word, unit, norm, shown))


def declined(word: str, unit: Unit, norm: str, shown: str) -> str:
    """A Russian or Ukrainian surrogate in the case of the word, if it can be read back from it."""
    folded = fold(word)
    if folded.isascii() or lists.name_norm(folded) == unit.norm:
        return shown
    found = case_endings(folded, unit.norm)
    options = in_case(shown, *found) if found else ()
    return next((text for text in options if lists.nominative(fold(text)) == norm), shown)


def is_feminine(word: str) -> bool:
    """Whether an adjectival surname stands in the feminine: Kowalska."""
    short = squeeze(fold(word))
    return masculine(short) != short


def word_slot(word: str) -> Slot:
    """A word that is one component."""
    unit = name_unit(fold(word))
    return Slot((unit,), lambda norms: show(word, unit, norms[0]))


def pair_slot(word: str) -> Slot:
    """Two letters that are an initial: Th., Ch."""
    unit = Unit("initial:pair", fold(word))
    return Slot((unit,), lambda norms: show(word, unit, norms[0]))


def is_pair(word: str, after: str) -> bool:
    """Whether a word is an initial of two letters."""
    return after.startswith(".") and word[:1].isupper() and fold(word) in DIGRAPHS


def genitive(word: str) -> Slot:
    """German and Dutch -s: kept where the surrogate can be read back with it."""
    stem, ending = word[:-1], word[-1]
    unit = name_unit(fold(stem))

    def render(norms: Sequence[str]) -> str:
        shown = show(stem, unit, norms[0])
        whole = fold(shown + ending)
        readable = not lists.is_known(whole) and lists.is_known(norms[0]) and len(norms[0]) > 3
        return shown + ending if readable and shown[-1] not in "sxzßSXZ" else shown

    return Slot((unit,), render)


def joined(parts: Sequence[str], fallback: str, split: Callable[[str], list[str]]) -> Slot:
    """Components written together; where the surrogates cannot be told apart, a separator helps.

    Words of code among them (get, Invoice) stay.
    """
    kept = [fold(part) in CODE_WORDS for part in parts]
    if all(kept):
        kept = [False] * len(parts)
    units = tuple(name_unit(fold(part)) for part, k in zip(parts, kept, strict=True) if not k)

    def render(norms: Sequence[str]) -> str:
        rest = iter(zip(units, norms, strict=True))
        shown = [
            part if k else show(part, *next(rest)) for part, k in zip(parts, kept, strict=True)
        ]
        wanted = iter(norms)
        meant = [fold(p) if k else next(wanted) for p, k in zip(parts, kept, strict=True)]
        words = ("".join(shown), to_ascii("".join(shown)))  # capitals tell parts without accents
        return next((word for word in words if read_as(split(word)) == meant), fallback.join(shown))

    return Slot(units, render)


def read_as(parts: Sequence[str]) -> list[str]:
    """The words of code and the norms of the names among the parts of a word."""
    return [word if (word := fold(part)) in CODE_WORDS else lists.name_norm(part) for part in parts]


# --- words of several components ------------------------------------------------------------


def split_name(word: str) -> list[str]:
    """How a word of a name is read: its components."""
    return split_han(word) or split_camel_name(word)


def split_han(word: str) -> list[str]:
    """Chinese, Japanese and Korean names: the surname that the lists know, then the rest."""
    if not HAN.match(word) or lists.is_known(word):
        return []
    if len(word) == COMPOUND and word < HANGUL and not lists.is_surname(word[:3]):
        return [word[:2], word[2:]]  # as nearly all names of four characters
    for size in (2, 3, 1):
        head, rest = word[:size], word[size:]
        if rest and lists.is_surname(head):
            return [head, rest]
    return []


def split_camel_name(word: str) -> list[str]:
    """AnaReyes is two components, McDonald, DeShawn and LaToya one."""
    parts = CAMEL.split(word)
    if len(parts) != 2 or parts[0].lower() in CAMEL_HEADS or min(map(len, parts)) < 3:
        return [word]
    return parts if all(lists.is_known(fold(part)) for part in parts) else [word]
