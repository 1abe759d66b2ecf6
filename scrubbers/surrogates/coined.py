"""Made-up words for streets and towns: letters that follow each other in a language's names."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from math import log

from scrubbers.surrogates import lists, naming
from scrubbers.surrogates.areatable import LANGUAGES, names_of
from scrubbers.surrogates.namebooks import book
from scrubbers.surrogates.people import WORD
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import fold, fold_name

SHORTEST, LONGEST = 4, 12
CLOSE = 1  # characters by which a word may be longer or shorter than what it replaces
TRIES = 24  # words looked at for one of nearly the same length
LONG_CONTEXT = 6  # so many draws follow three letters, the rest two: there are more such words
SPARE = 4  # characters more than wanted, after which a word is given up
PLACED = tuple(dict.fromkeys(LANGUAGES.values()))
SPOKEN = (*PLACED, "no", "da", "fi", "ro", "cs", "hu", "tr")
ELSEWHERE = -3.0  # what a language without towns in the table must make up for
WIDER = 12  # so many draws keep the length, the rest may be longer


def coin(
    language: str, length: int, stream: Stream, counter: int, free: Callable[[str], bool]
) -> str:
    """The norm of a word that no list holds, of about `length` characters where that can be.

    `free`: whether a norm may stand.
    """
    if language in lists.CHARACTERS:
        return characters(language, length, stream, free)
    length = max(length, SHORTEST)  # a word that may end before is none
    order = 3 if counter < LONG_CONTEXT else 2
    wanted = length + stream.below(4) if counter >= WIDER else length
    best = ""
    for _ in range(TRIES):
        norm = one(language, order, wanted, stream, free)
        if not best or abs(len(norm) - wanted) < abs(len(best) - wanted):
            best = norm
        if abs(len(best) - wanted) <= CLOSE:
            break
    return best


def characters(language: str, length: int, stream: Stream, free: Callable[[str], bool]) -> str:
    """A word of East Asia, of two characters or more: one alone would be an abbreviation."""
    for _ in range(400):
        norm = "".join(naming.made_up(language, stream, "2") for _ in range((length + 1) // 2))
        norm = norm[: max(length, 2)]
        if len(norm) > 1 and free(norm):
            return norm
    raise LookupError(f"no made-up word for {language}: its lists are empty")


def one(language: str, order: int, length: int, stream: Stream, free: Callable[[str], bool]) -> str:
    """A word of any length that may stand."""
    for tries in range(400):
        norm = wander(language, order if tries < 200 else 1, length, stream)
        if norm and fold_name(norm) == norm and naming.usable(norm) and free(norm):
            return norm
    raise LookupError(f"no made-up word for {language}: its lists are empty")


def wander(language: str, order: int, length: int, stream: Stream) -> str:
    """Letters that follow each other, each after the `order` before it; "" for what is no word.

    A word ends when it is as long as wanted, and before only where nothing else can follow.
    """
    follow = successors(language, order)
    norm, last = "", "^" * order
    while len(norm) < length + SPARE:
        after = follow[last]
        if len(norm) < length - CLOSE:
            after = after.replace("$", "") or "$"
        letter = "$" if len(norm) >= length and "$" in after else stream.pick(after)
        if letter == "$":
            return norm if len(norm) >= SHORTEST and norm not in sources(language) else ""
        norm, last = norm + letter, (last + letter)[1:]
    return ""


@cache
def successors(language: str, order: int) -> dict[str, str]:
    """Letters -> those that follow them in surnames and towns of a language, "$" for the end."""
    found: dict[str, list[str]] = {}
    for norm in sorted(sources(language)):
        padded = f"{'^' * order}{norm}$"
        for i in range(len(padded) - order):
            found.setdefault(padded[i : i + order], []).append(padded[i + order])
    return {letters: "".join(after) for letters, after in found.items()}


@cache
def sources(language: str) -> frozenset[str]:
    """The surnames and the words of the towns of a language, as norms."""
    names = {norm for part in book(language).surname.values() for norm in part}
    towns = {fold_name(word) for town in names_of(language) for word in re.split(r"[\W_]+", town)}
    return frozenset(n for n in names | towns
                     if WORD.fullmatch(n) and len(n) >= SHORTEST and fold(n) == n)  # fmt: skip


# --- whose a word is ------------------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def language_of(norm: str) -> str:
    """The language of a word in a street or town, from its letters alone.

    Languages whose towns the table has come first, unless the letters are far more at home
    elsewhere: other lists are short, or hold names and no places.
    """
    if lists.script(norm[0]) != "latin":
        return lists.guess_any(norm)
    known = [language for language in PLACED if norm in sources(language)]
    scores = {language: likelihood(norm, language) for language in known or SPOKEN}
    return max(scores, key=lambda language: (scores[language], -SPOKEN.index(language)))


def likelihood(norm: str, language: str) -> float:
    """Log likelihood of the letters, each after the two before it; smoothed by a quarter count."""
    follow = successors(language, 2)
    padded = f"^^{norm}$"
    total = 0.0 if language in PLACED else ELSEWHERE
    for i in range(len(padded) - 2):
        after = follow.get(padded[i : i + 2], "")
        total += log((after.count(padded[i + 2]) + 0.25) / (len(after) + 7.5))
    return total
