"""Addresses, places and organisations: word by word, generic words and legal forms stay."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache, partial

from scrubbers.surrogates import areas, coined, lists, postcodes
from scrubbers.surrogates.addressread import (
    ONE_DIGIT,
    Token,
    countries,
    generic_words,
    parts,
    tokens,
)
from scrubbers.surrogates.codes import code_pieces
from scrubbers.surrogates.components import number_unit
from scrubbers.surrogates.hosts import draw_word
from scrubbers.surrogates.people import MARK, WORD
from scrubbers.surrogates.placewords import ORGANISATION_WORDS, STREET_ENDS
from scrubbers.surrogates.postcodes import number_piece
from scrubbers.surrogates.readings import Reading, through
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import APOSTROPHES, digits_of, fold, fold_name, like, refill
from scrubbers.surrogates.unit import Piece, Slot, Unit
from scrubbers.surrogates.words import PARTICLES

ORGANISATION_TOKEN = re.compile(f"{WORD.pattern}|[^\\W_ºª]*\\d[^\\W_ºª]*")
MIXED_RUN = re.compile(r"\d+|[^\W\d_]+|.", re.DOTALL)
ORDINAL = re.compile(r"(\d{1,3})(st|nd|rd|th)", re.I)  # 1187TH is a Dutch postcode
KEPT_LETTERS = 3  # of a house number or flat: 12b, B4
LONG_END = re.compile(rf"[^\W\d_]{{{KEPT_LETTERS + 1}}}$")
# Digits read or typed for letters, and letters for digits: B1umenstr, 0ak, 2O81, l2a.
WORDLIKE = re.compile(
    r"(?<![^\W_])(?:0[^\W\d_ºª]{2,}|(?=[^\W_ºª]*[^\W\d_ºª]{3})[^\W\d_ºª]+(?:[01][^\W\d_ºª]+)+)(?![^\W_])"
)
NUMBERLIKE = re.compile(r"(?<![^\W_])(?=[0-9]*[OoIl])[0-9OoIl]*[0-9](?=[A-Za-z]?(?![^\W_]))")
LETTERS, DIGITS = str.maketrans("01", "ol"), str.maketrans("OoIl", "0011")


# --- addresses and places -------------------------------------------------------------------


def address_pieces(text: str, *, keep_area: bool = False) -> list[Piece]:
    """Streets, house numbers, postcodes and towns; words for kinds of street and floors stay.

    `keep_area`: the beginning of a postcode, the towns of the table and regions stay as well, so
    that the rest fits towns that nothing replaces. Where nothing else is, they are replaced.
    """
    text = unmisread(text)
    ways = [(keep_area, generic_words()), (False, generic_words()), (False, frozenset[str]())]
    for keep, kept in ways:
        found = list(read(text, kept, keep_area=keep))
        if any(isinstance(piece, Slot) for piece in found):
            break
    return found


def place_pieces(text: str) -> list[Piece]:
    """A place that stands without a street: read as in an address, so that both agree."""
    return address_pieces(text)


def read(text: str, kept: frozenset[str], *, keep_area: bool) -> Iterator[Piece]:
    """The pieces of a value; `kept`: the words that stay."""
    found = tokens(text, keep_area=keep_area)
    known = parts(text, found, keep_area=keep_area)
    end = index = 0
    while index < len(found):
        part = known.get(index)
        if part and not (isinstance(part.piece, str) and not kept):
            yield from (text[end : part.start], part.piece)
            end, index = found[part.last].end, part.last + 1
            continue
        token = found[index]
        before, after = text[end : token.start], text[token.end : token.end + 1]
        end, index = token.end, index + 1
        if kept and is_short(token.text, after):
            yield from (before, token.text)
        else:
            yield before + "-" * is_part(token, before[-1:], behind=False)
            yield from token_pieces(token, kept, keep_area=keep_area)
            yield "-" * is_part(token, after, behind=True)
    yield text[end:]


def is_part(token: Token, beside: str, *, behind: bool) -> bool:
    """Whether a word with a digit in it would be part of another without it: l'B1um, B1umº."""
    sign = bool(beside) and (beside in APOSTROPHES + "ºª" or bool(re.match(f"[{MARK}]", beside)))
    ends = behind and token.kind == "mixed" and LONG_END.search(token.text)
    return sign and bool(ends or ONE_DIGIT.fullmatch(token.text))


def is_short(word: str, after: str) -> bool:
    """An abbreviation: few letters and a point, in scripts whose words are longer."""
    few = after == "." and len(word) < coined.SHORTEST and word.isalpha()
    return few and lists.script(word[0]) not in lists.CHARACTERS


def token_pieces(token: Token, kept: frozenset[str], *, keep_area: bool) -> Iterator[Piece]:
    """A postcode, a number, a mixed token like 12b, a kept word, or a name."""
    if token.kind == "code":
        yield from token.pieces
    elif token.kind == "number":
        yield number_piece(token.text, keep_area=keep_area)
    elif token.kind == "mixed":
        yield from mixed_pieces(token.text, kept, keep_area=keep_area)
    elif kept and (fold(token.text) in kept or len(fold(token.text)) == 1):
        yield token.text
    else:
        yield from street_word(token.text)


def mixed_pieces(token: str, kept: frozenset[str], *, keep_area: bool) -> Iterator[Piece]:
    """12b, B4, 42nd, Apt12: the numbers; few letters stay, more are words."""
    ordinal = ORDINAL.fullmatch(token)
    if ordinal and ordinal[1].strip("0"):
        yield ordinal_slot(ordinal[1], ordinal[2])
        return
    found: list[Piece] = []
    named = False
    for run in MIXED_RUN.findall(token):
        if run.isdecimal():
            found.append(number_piece(run, keep_area=keep_area))
        elif not fold(run) or (kept and (len(run) <= KEPT_LETTERS or fold(run) in kept)):
            found.append(run)
        else:
            found += street_word(run)
            named = True
    write = partial(apart, short_stay=bool(kept))
    yield from through(Reading(token, write), lambda _: found, token) if named else found


def apart(token: str, *, short_stay: bool) -> str:
    """Numbers and words written together, apart where they would not be read as these."""
    runs = MIXED_RUN.findall(token)
    short = any(len(run) <= KEPT_LETTERS and not run.isdecimal() for run in runs)
    misread = unmisread_part(token) != token or ONE_DIGIT.fullmatch(token)
    return "-".join(runs) if misread or (short and not short_stay) else token


def ordinal_slot(digits: str, ending: str) -> Slot:
    """The number of "42nd Street" with the ending that it asks for."""
    unit = number_unit(digits_of(digits))

    def render(norms: Sequence[str]) -> str:
        last = norms[0][-1] if norms[0][-2:-1] != "1" else "0"
        right = {"1": "st", "2": "nd", "3": "rd"}.get(last, "th")
        return refill(digits, norms[0]) + like(ending, right)

    return Slot((unit,), render)


def unmisread(text: str) -> str:
    """Letters that a machine read as digits, and the other way round, put right."""
    if not re.search(r"\d", text):
        return text
    right, end = "", 0
    for start, stop in postcodes.lettered_spans(text, generic_words()):
        right, end = right + unmisread_part(text[end:start]) + text[start:stop], stop
    return right + unmisread_part(text[end:])


def unmisread_part(text: str) -> str:
    """The same between postcodes with letters, which are right as they stand."""
    text = WORDLIKE.sub(lambda found: found[0].translate(LETTERS), text)
    return NUMBERLIKE.sub(lambda found: mended(found[0]), text)


def mended(number: str) -> str:
    """A number with letters for digits, if most are digits."""
    seen = sum(char.isdecimal() for char in number)
    return number.translate(DIGITS) if 2 * seen >= len(number) else number


def street_word(word: str) -> Iterator[Piece]:
    """The name part of a word; what makes it a street (-straße, -laan) stays."""
    lowered = word.lower()
    ending = next((e for e in STREET_ENDS if lowered.endswith(e) and len(word) > len(e) + 2), "")
    stem, rest = word[: len(word) - len(ending)], word[len(word) - len(ending) :]
    norm = fold_name(stem)
    size = min(max(len(norm), 2), coined.LONGEST)
    unit = Unit(f"word:{coined.language_of(norm)}:{size}", norm)
    yield Slot((unit,), lambda norms: like_word(stem, unit, norms[0]))
    yield rest


def like_word(word: str, unit: Unit, norm: str) -> str:
    """A street's or place's surrogate in the case and alphabet of what stood there."""
    return like(word, lists.display(norm, unit.space.split(":")[1]))


def draw_street(details: str, stream: Stream, counter: int) -> str:
    """A made-up word of the language and of about the same length, for a street or a town."""
    language, length = details.split(":")
    return coined.coin(language, int(length), stream, counter, reads_as_word)


def reads_as_word(norm: str) -> bool:
    """No kept word, no abbreviation, no word of a known place and without a street's ending."""
    return (
        norm not in generic_words()
        and norm not in areas.town_words()
        and norm not in country_words()
        and norm not in areas.regions("MX")
        and not norm.endswith(tuple(map(fold, STREET_ENDS)))
    )


@cache
def country_words() -> frozenset[str]:
    """Every word of a country's name."""
    return frozenset(word for name in countries() for word in name.split())


def draw_rest(details: str, stream: Stream) -> str:
    """The rest of a postcode."""
    return postcodes.draw_rest(details, stream, generic_words() | {"st", "nd", "rd", "th"})


def draw_region(details: str, stream: Stream) -> str:
    """Two letters of a region."""
    return stream.pick(areas.region_choices(details, generic_words()))


def region_capacity(details: str) -> int:
    """How many regions may be drawn."""
    return len(areas.region_choices(details, generic_words()))


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
    for match in ORGANISATION_TOKEN.finditer(text):
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
