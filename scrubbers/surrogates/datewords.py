"""Days and years in words: read as numbers, and written in words of the same language again."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from scrubbers.surrogates.dateread import Reading, full_year, readings
from scrubbers.surrogates.nodays import impossible
from scrubbers.surrogates.numberwords import numbers, say, together
from scrubbers.surrogates.text import cased
from scrubbers.surrogates.unit import Unwritable

SPOKEN = ("en", "es", "fr", "de", "it", "pt", "nl")
ENGLISH = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
)
GERMAN = "erste zweite dritte vierte fünfte sechste siebte achte neunte"
FIRST = {"fr": "premier", "es": "primero", "it": "primo", "pt": "primeiro"}
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
LONGEST = 7  # words of one number
START = 3  # letters by which most words are known to begin none


@cache
def ordinals(lang: str) -> dict[int, str]:
    """Day -> its ordinal in words, as far as dates of the language use it."""
    if lang == "en":
        low = ENGLISH.split()
        return {
            **dict(enumerate(low, 1)),
            **{20 + n: f"twenty-{low[n - 1]}" for n in range(1, 10)},
            30: "thirtieth", 31: "thirty-first",
        }  # fmt: skip
    if lang == "de":
        low = GERMAN.split()
        teens = {n: say("de", n) + ("te" if n < 20 else "ste") for n in range(10, 32)}
        return {**dict(enumerate(low, 1)), **teens}
    return {1: FIRST[lang]} if lang in FIRST else {}


@cache
def spoken_numbers(lang: str) -> dict[str, str]:
    """Words written together -> digits: 0 to 99, ordinals to 31, years from 1900 to 2099."""
    years = {together(year_words(lang, y)): str(y) for y in range(1900, 2100)}
    if lang == "en":
        for n in range(2001, 2100):
            tail = say("en", n - 2000)
            years |= {together(f"two thousand {w}{tail}"): str(n) for w in ("", "and ")}
    if lang == "fr":
        years |= {together(f"dix-neuf cent {say('fr', n)}"): str(1900 + n) for n in range(1, 100)}
    low = {word: digits for word, digits in numbers(lang).items() if len(digits) < 3}
    days = {together(word): str(day) for day, word in ordinals(lang).items()}
    if lang == "de":
        days |= {word + end: day for word, day in list(days.items()) for end in "rn"}
        days["siebente"] = days["siebenten"] = days["siebenter"] = "7"
    return {**years, **low, **days}


def year_words(lang: str, year: int) -> str:
    """A year from 1900 to 2099 in words."""
    rest, low = year % 1000, year % 100
    match lang:
        case "en" if year < 2000 or low > 9:
            tail = say(lang, low) if low > 9 else f"oh {say(lang, low)}" if low else "hundred"
            return f"{say(lang, year // 100)} {tail}"
        case "de" | "nl" if year < 2000:
            hundred = "hundert" if lang == "de" else "honderd"
            return say(lang, 19) + hundred + (say(lang, low) if low else "")
    thousand = {
        "en": "thousand", "es": "mil", "fr": "mille", "de": "tausend", "it": "mille", "pt": "mil",
        "nl": "duizend",
    }[lang]  # fmt: skip
    head = thousand
    if year >= 2000:
        thousand = "mila" if lang == "it" else thousand
        glue = "" if lang in ("de", "it", "nl") else " "
        head = ("dois" if lang == "pt" else say(lang, 2)) + glue + thousand
    if not rest:
        return head
    glue = "" if lang in ("de", "it", "nl") else " e " if lang == "pt" and low == rest else " "
    return head + glue + say(lang, rest)


def spoken(text: str, told: str = "", language: str = "") -> tuple[Reading, ...]:
    """The dates of a text whose numbers stand in words, in one language; () if there are none.

    In `language`, or any where its numbers are not known.
    """
    for lang in (language,) if language in SPOKEN else SPOKEN:
        shadow, origin = in_digits(text, lang)
        if shadow != text:
            found = readings(shadow, told, lang)
            if found:
                return tuple(_placed(one, origin, lang) for one in found)
    return ()


@lru_cache(maxsize=1 << 10)
def impossible_in_words(text: str, language: str = "") -> tuple[tuple[int, int], ...]:
    """Where a day that its month does not have stands in words: thirty-first of April."""
    found = []
    for lang in (language,) if language in SPOKEN else SPOKEN:
        shadow, origin = in_digits(text, lang)
        for start, end in impossible(shadow, lang) if shadow != text else ():
            if origin[end] - origin[start] != end - start:
                found.append((origin[start], origin[end]))
    return tuple(found)


@lru_cache(maxsize=1 << 8)
def in_digits(text: str, lang: str) -> tuple[str, tuple[int, ...]]:
    """The text with numbers in words as digits, and where each of its characters stood."""
    table, starts = spoken_numbers(lang), _starts(lang)
    words = [m.span() for m in _WORD.finditer(text)]
    plain = [_plain(text[start:end]) for start, end in words]
    out, origin, done, at = [], [], 0, 0
    while at < len(words):
        last, digits = _longest(plain, at, table) if plain[at][:START] in starts else (at, "")
        if digits:
            start = words[at][0]
            out += [text[done:start], digits]
            origin += [*range(done, start), *[start] * len(digits)]
            done, at = words[last][1], last
        at += 1
    out.append(text[done:])
    return "".join(out), (*origin, *range(done, len(text) + 1))


@cache
def _starts(lang: str) -> frozenset[str]:
    """With what a number in words can begin: nearly no word of a text need be looked up."""
    return frozenset(key[:n] for key in spoken_numbers(lang) for n in range(START + 1))


@lru_cache(maxsize=1 << 14)
def _plain(word: str) -> str:
    return together(word)


def _longest(plain: Sequence[str], at: int, table: Mapping[str, str]) -> tuple[int, str]:
    """The last of the words that make one number, and its digits; "" where they make none."""
    for last in range(min(at + LONGEST, len(plain)) - 1, at - 1, -1):
        digits = table.get("".join(plain[at : last + 1]))
        if digits:
            return last, digits
    return at, ""


def _placed(reading: Reading, origin: Sequence[int], lang: str) -> Reading:
    parts = tuple((origin[s], origin[e], kind, value) for s, e, kind, value in reading.parts)
    start, end = reading.span
    return replace(reading, parts=parts, span=(origin[start], origin[end]), spoken=lang)


def write_words(old: str, kind: str, value: int, lang: str) -> str:
    """A day, month or year in words, in the form of the old ones."""
    if kind == "y":
        short = len(spoken_numbers(lang)[together(old)]) < 3
        fits = value % 100 > 12 and full_year(f"{value % 100:02d}") == value
        if not short and not 1900 <= value < 2100:
            raise Unwritable("a year in words outside 1900 to 2099: quarantine the record")
        return cased(old, say(lang, value % 100) if short and fits else year_words(lang, value))
    named = {together(word) for word in ordinals(lang).values()}
    stem = re.sub("[rn]$", "", together(old)) if lang == "de" else together(old)
    is_ordinal = stem in named or stem == "siebente"
    if lang in FIRST and (is_ordinal or lang == "fr"):
        return cased(old, FIRST[lang] if value == 1 else say(lang, value))
    if not is_ordinal:
        return cased(old, say(lang, value))
    word = ordinals(lang)[value]
    ending = old[-1] if lang == "de" and old[-1].lower() in "rn" else ""
    return cased(old, word + ending)
