"""Addresses, places and organisations: word by word, generic words and legal forms stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from importlib import import_module

from scrubbers.surrogates import lists, naming, people
from scrubbers.surrogates.codes import code_pieces
from scrubbers.surrogates.hosts import draw_word
from scrubbers.surrogates.placewords import ORGANISATION_WORDS, STREET_ENDS, STREET_WORDS
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import APOSTROPHES, fold, fold_name, like
from scrubbers.surrogates.unit import Piece, Slot, Unit
from scrubbers.surrogates.words import PARTICLES

PLACE = re.compile(f"[^\\W_](?:.*[^\\W_])?[{people.MARK}]*", re.DOTALL)
POSTCODES = re.compile(
    r"\b(?:[A-Z]{1,2}\d[A-Z\d]?\s?\d[A-Z]{2}|\d{4}\s?[A-Z]{2}|[A-Z]\d[A-Z]\s?\d[A-Z]\d)\b"
)
NUMBER = r"\d+(?:[-–.]\d+)*"
ADDRESS_TOKEN = re.compile(f"{people.WORD.pattern}|[^\\W_ºª]*\\d[^\\W_ºª]*")
CITY_LISTS = ("cities", "city_names", "real_city_names")
LIST_TRIES = 4


# --- addresses ------------------------------------------------------------------------------


def address_pieces(text: str) -> list[Piece]:
    """Streets, house numbers and postcodes; words for kinds of street and floors stay."""
    for kept in (generic_words(), frozenset[str]()):
        found: list[Piece] = []
        end = 0
        for match in POSTCODES.finditer(text):
            found += address_words(text[end : match.start()], kept)
            found += code_pieces(match[0], prefixes=False)
            end = match.end()
        found += address_words(text[end:], kept)
        if any(isinstance(piece, Slot) for piece in found):
            break
    return found


def address_words(text: str, kept: frozenset[str]) -> Iterator[Piece]:
    """Every token between two postcodes."""
    end = 0
    for match in ADDRESS_TOKEN.finditer(text):
        yield text[end : match.start()]
        end = match.end()
        short = text[end : end + 1] == "." and len(match[0]) < 4 and match[0].isalpha()
        yield from [match[0]] if short and kept else address_token(match[0], kept)
    yield text[end:]


def address_token(token: str, kept: frozenset[str]) -> Iterator[Piece]:
    """A number, a mixed token like 12b, a kept word, or a name of a street."""
    if token.isdecimal():
        yield people.number_slot(token)
    elif re.search(r"\d", token):
        yield from code_pieces(token, prefixes=False)
    elif kept and (fold(token) in kept or len(fold(token)) == 1):
        yield token
    else:
        yield from street_word(token)


@lru_cache(maxsize=1)
def generic_words() -> frozenset[str]:
    """The kept words in normal form."""
    return frozenset(map(fold, STREET_WORDS | PARTICLES | set(STREET_ENDS)))


def street_word(word: str) -> Iterator[Piece]:
    """The name part of a word; what makes it a street (-straße, -laan) stays."""
    lowered = word.lower()
    ending = next((e for e in STREET_ENDS if lowered.endswith(e) and len(word) > len(e) + 2), "")
    stem, rest = word[: len(word) - len(ending)], word[len(word) - len(ending) :]
    norm = fold_name(stem)
    unit = Unit(f"word:{lists.guess_any(norm)}", norm)
    yield Slot((unit,), lambda norms: like_word(stem, unit, norms[0]))
    yield rest


def like_word(word: str, unit: Unit, norm: str) -> str:
    """A street's or place's surrogate in the case and alphabet of what stood there."""
    return like(word, lists.display(norm, unit.space.split(":")[1]))


def draw_street(language: str, stream: Stream, counter: int) -> str:
    """A surname of the language, as streets have; later made-up ones."""
    options = street_choices(language)
    if options and counter < LIST_TRIES:
        return stream.pick(options)
    for _ in range(100):
        norm = naming.made_up(language, stream)
        if reads_as_word(norm):
            return norm
    return norm


@lru_cache(maxsize=64)
def street_choices(language: str) -> tuple[str, ...]:
    """Surnames that are read back as one word of an address."""
    names = naming.choices("surname", language, "x")
    shown = {norm: fold(lists.display(norm, language)) for norm in names}
    return tuple(norm for norm in names if reads_as_word(norm) and reads_as_word(shown[norm]))


def reads_as_word(norm: str) -> bool:
    """No kept word, no abbreviation and without a street's ending."""
    return (
        len(norm) > 3
        and norm not in generic_words()
        and not norm.endswith(tuple(map(fold, STREET_ENDS)))
    )


# --- places ---------------------------------------------------------------------------------


def place_pieces(text: str) -> list[Piece]:
    """A place as a whole; what stands around it stays."""
    match = PLACE.search(text)
    if not match:
        return [text]
    core = match[0]
    letters = "".join(char for char in fold(core) if char.isalpha())
    if not letters:
        runs = re.split(r"(\d+)", text)
        return [people.number_slot(run) if run.isdecimal() else run for run in runs]
    language = lists.guess_any(letters)
    unit = Unit(f"city:{language}", " ".join(fold(core).split()))

    def render(norms: Sequence[str]) -> str:
        shown = cities(language).get(norms[0]) or norms[0].title()
        return like(core, shown)

    return [text[: match.start()], Slot((unit,), render), text[match.end() :]]


@lru_cache(maxsize=64)
def cities(language: str) -> dict[str, str]:
    """Normal form -> written form of the towns in Faker's list for a language."""
    found: dict[str, str] = {}
    for name in lists.LOCALES[language]:
        try:
            provider = import_module(f"faker.providers.address.{name}").Provider
        except ImportError:
            continue
        for attribute in CITY_LISTS:
            for city in getattr(provider, attribute, ()):
                shown = str(city)
                if re.fullmatch(r"[^\W\d_]+(?:[ -][^\W\d_]+)?", shown) and len(shown) < 25:
                    found.setdefault(fold(shown), shown)
    return found


def draw_city(language: str, stream: Stream, counter: int) -> str:
    """A town from the list; later a made-up one."""
    options = city_choices(language)
    if options and counter < LIST_TRIES:
        return stream.pick(options)
    return naming.made_up(language, stream)


@lru_cache(maxsize=64)
def city_choices(language: str) -> tuple[str, ...]:
    """The towns, sorted."""
    return tuple(sorted(cities(language)))


# --- organisations --------------------------------------------------------------------------


def organisation_pieces(text: str) -> list[Piece]:
    """The words of a name; legal forms, trades and particles stay."""
    for kept in (organisation_words(), frozenset[str]()):
        found = list(organisation_tokens(text, kept))
        if any(isinstance(piece, Slot) for piece in found):
            return found
    return [text]


@lru_cache(maxsize=1)
def organisation_words() -> frozenset[str]:
    """The kept words in normal form."""
    return frozenset(map(fold, ORGANISATION_WORDS | PARTICLES))


def organisation_tokens(text: str, kept: frozenset[str]) -> Iterator[Piece]:
    """Word by word."""
    end = 0
    for match in ADDRESS_TOKEN.finditer(text):
        yield text[end : match.start()]
        end = match.end()
        token = match[0]
        if re.search(r"\d", token):
            yield from code_pieces(token, prefixes=False)
        elif kept and (fold(token) in kept or len(fold(token)) == 1):
            yield token
        else:
            yield organisation_slot(token)
    yield text[end:]


def organisation_slot(token: str) -> Slot:
    """One word of an organisation's name, its possessive kept."""
    possessive = re.search(f"[{APOSTROPHES}]s$", token)
    core = token[: possessive.start()] if possessive else token
    tail = possessive[0] if possessive else ""
    unit = Unit("org", fold(core))
    return Slot((unit,), lambda norms: like(core, norms[0].title()) + tail)


def draw_organisation(_: str, stream: Stream, counter: int) -> str:
    """A made-up word; none of the kept ones is made of two stems."""
    return draw_word("", stream, counter)
