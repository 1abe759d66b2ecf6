"""Names in mailbox and user names: words and numbers, camel case, and what is written together."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from scrubbers.surrogates import codes, lists
from scrubbers.surrogates.components import (
    CAMEL,
    RUN,
    joined,
    name_unit,
    number_slot,
    show,
    word_slot,
)
from scrubbers.surrogates.likeness import alias_pieces
from scrubbers.surrogates.text import digit_value, fold
from scrubbers.surrogates.unit import Piece, Slot
from scrubbers.surrogates.words import BETWEEN, CAMEL_HEADS, JOINED, ROLES

TOKEN = re.compile(f"{RUN}|\\d+")


def user_pieces(text: str, stands_for: Sequence[str] = ()) -> list[Piece]:
    """A user name; where it has only words that stay, they are the name."""
    for kept in (ROLES | BETWEEN, frozenset[str]()):
        found = list(handle_pieces(text, kept, stands_for))
        if any(isinstance(piece, Slot) for piece in found):
            break
    return found


def mailbox_pieces(text: str, stands_for: Sequence[str] = ()) -> list[Piece]:
    """A mailbox: as a user name, but one of role words alone (info, sales) stays."""
    for kept in (ROLES | BETWEEN, ROLES):
        found = list(handle_pieces(text, kept, stands_for))
        if any(isinstance(piece, Slot) for piece in found):
            break
    return found


def handle_pieces(
    text: str, kept: frozenset[str] = ROLES | BETWEEN, stands_for: Sequence[str] = ()
) -> Iterator[Piece]:
    """A mailbox or user name: its words as names, its numbers as numbers.

    `stands_for`: for each run of letters what it means in its record, as in `Context`.
    """
    end = 0
    meant = iter(stands_for)
    for match in TOKEN.finditer(text):
        yield text[end : match.start()]
        end = match.end()
        if digit_value(match[0][0]) is not None:
            yield handle_number(match[0])
        else:
            yield from alias_pieces(match[0], next(meant, "")) or handle_word(match[0], kept)
    yield text[end:]


def handle_number(text: str) -> Piece:
    """A number in a handle: from three digits on, of the unit of the id that is this number."""
    return codes.number_slot(text) if len(text) > 2 else number_slot(text)


def handle_word(word: str, kept: frozenset[str]) -> Iterator[Piece]:
    """One run of letters: camel case first, then what is written together."""
    parts = split_camel(word)
    if len(parts) > 1:
        yield joined_handle(parts)
    elif fold(word) in kept and len(word) > 1:
        yield word
    else:
        prefix, rest = split_handle(word)
        if prefix:
            yield from behind(prefix, rest[0])
        else:
            yield joined_handle(rest)


def split_camel(word: str) -> list[str]:
    """anaReyes, AnaReyes and JReyes are two components; McDonald is one."""
    if word.islower() or word.isupper():
        return [word]
    parts = CAMEL.split(word)
    if len(parts) < 2 or parts[0].lower() in CAMEL_HEADS or not all(parts):
        return [word]
    latin = all(lists.script(fold(part)[:1] or "a") == "latin" for part in parts)
    return parts if latin else [word]  # between others capitals tell nothing


def behind(prefix: str, word: str) -> Iterator[Piece]:
    """A component behind a particle (vandermeer), apart where it could not be read back."""
    unit = name_unit(fold(word))

    def render(norms: Sequence[str]) -> str:
        shown = show(word, unit, norms[0])
        again = split_handle(prefix + shown)
        found = again[0] and lists.name_norm(again[1][0]) == norms[0]
        return (
            prefix + shown if found and fold(prefix + shown) not in ROLES else f"{prefix}_{shown}"
        )

    yield Slot((unit,), render)


def joined_handle(parts: Sequence[str]) -> Slot:
    """Parts of a handle written together."""
    return joined(parts, "_", read_handle) if len(parts) > 1 else word_slot(parts[0])


def read_handle(word: str) -> list[str]:
    """How a run of letters is read in a handle: its components."""
    parts = split_camel(word)
    if len(parts) > 1:
        return parts
    prefix, rest = split_handle(word)
    return rest if not prefix else []


@lru_cache(maxsize=1 << 15)
def split_handle(word: str) -> tuple[str, list[str]]:
    """(particle, components) of a run of letters: areyes, anareyes, vandermeer."""
    norm = fold(word)
    if lists.is_known(norm) or len(norm) != len(word) or len(norm) < 5:
        return "", [word]
    for particle in JOINED:
        rest = norm[len(particle) :]
        if norm.startswith(particle) and len(rest) > 3 and lists.is_surname(rest):
            return word[: len(particle)], [word[len(particle) :]]
    if len(norm) > 4 and lists.is_surname(norm[1:]):
        return "", [word[:1], word[1:]]
    for cut in range(len(norm) - 3, 2, -1):
        if lists.is_known(norm[:cut]) and lists.is_known(norm[cut:]):
            return "", [word[:cut], word[cut:]]
    return "", [word]
