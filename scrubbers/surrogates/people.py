"""Names of people, by component: in running text, and in mailbox and user names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

from scrubbers.surrogates import lists
from scrubbers.surrogates.text import (
    APOSTROPHES,
    digit_value,
    fold,
    fold_name,
    like,
    refill,
    squeeze,
)
from scrubbers.surrogates.unit import Piece, Slot, Unit
from scrubbers.surrogates.words import CAMEL_HEADS, JOINED, PARTICLES, ROLES, TITLES

APOSTROPHE = f"[{APOSTROPHES}]"
MARK = "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0900-\u0903\u093a-\u094f\u0e31-\u0e3a\u0e47-\u0e4e"
# A zero-width character is part of a word, but not between Eskil and Haugland.
INVISIBLE = "[\u00ad\u200b-\u200d](?!(?<=[a-zß-ÿ].)[A-ZÀ-Þ])"
LETTER = f"(?:[^\\W\\d_]|[{MARK}]|{INVISIBLE})"
RUN = f"[^\\W\\d_ʼ]{LETTER}*"  # begins with a letter that has a normal form
WORD = re.compile(f"{RUN}(?:{APOSTROPHE}{RUN})*")
TOKEN = re.compile(f"{RUN}|\\d+")
POSSESSIVE = re.compile(f"{APOSTROPHE}[sS]$")
ELISION = re.compile(f"^[dl]{APOSTROPHE}(?=[^\\W\\d_])")
CAMEL = re.compile(r"(?<=[a-zß-ÿ])(?=[A-ZÀ-Þ])|(?<=[A-Z])(?=[A-Z][a-z]{2})")
HAN = re.compile(r"^[\u4e00-\u9fff]{2,6}$|^[\uac00-\ud7a3]{2,5}$")


def name_unit(norm: str) -> Unit:
    """The unit of one folded component; one letter is an initial."""
    if len(norm) == 1 and lists.is_alphabetic(norm):
        script = lists.script(norm)
        link = (
            script == "latin" and norm in PARTICLES
        )  # "Noronha e Castro": stays one or stays none
        return Unit(f"initial:{'link' if link else script}", norm)
    norm = squeeze(norm)
    kind = lists.classify(norm)
    return Unit(f"name:{kind.kind}:{kind.language}:{kind.gender}", norm)


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


# --- names in running text ------------------------------------------------------------------


def pieces(text: str) -> list[Piece]:
    """A person's name: titles and particles stay; if nothing else is there, they are the name."""
    for kept in (TITLES | PARTICLES, PARTICLES, frozenset[str]()):
        found = list(name_pieces(text, kept))
        if any(isinstance(piece, Slot) for piece in found):
            return found
    return [text]


def name_pieces(text: str, kept: frozenset[str]) -> Iterator[Piece]:
    """Words as slots, everything between them as it stands; digits inside are numbers."""
    end = 0
    for match in re.finditer(f"{WORD.pattern}|\\d+", text):
        yield text[end : match.start()]
        end = match.end()
        if digit_value(match[0][0]) is not None:
            yield number_slot(match[0])
        else:
            yield from word_pieces(match[0], text[end:], kept)
    yield text[end:]


def word_pieces(word: str, after: str, kept: frozenset[str]) -> Iterator[Piece]:
    """One word of a name: a kept word, or a component with its possessive."""
    elision = ELISION.match(word)
    if elision and word[elision.end()].isupper():
        yield elision[0]
        word = word[elision.end() :]
    possessive = POSSESSIVE.search(word)
    core = word[: possessive.start()] if possessive else word
    if is_kept(core, after, kept):
        yield core
    else:
        yield from component(core)
    yield possessive[0] if possessive else ""


def is_kept(word: str, after: str, kept: frozenset[str]) -> bool:
    """Titles, and particles that a further word follows, are no component."""
    norm = fold(word)
    if norm not in kept and word.lower() not in kept:
        return False
    if norm in PARTICLES and norm not in TITLES:
        single = len(norm) == 1 and (word.isupper() or after.startswith("."))
        return not single and bool(re.match(f"[\\s.{APOSTROPHES}-]*{LETTER}", after))
    return len(norm) > 1


def component(word: str) -> Iterator[Piece]:
    """One word as its components: written together in East Asia, in camel case, or in genitive."""
    parts = split_han(word) or split_camel_name(word)
    if len(parts) > 1:
        yield joined(parts, " " if HAN.match(word) else "-", split_name)
        return
    norm = fold(word)
    base = norm[:-1]
    if norm[-1:] == "s" and not lists.is_known(norm) and len(base) > 3 and lists.is_known(base):
        yield genitive(word)
    else:
        yield Slot((name_unit(norm),), lambda norms: show(word, name_unit(norm), norms[0]))


def show(word: str, unit: Unit, norm: str) -> str:
    """A surrogate's written form in the case and alphabet of the word that it replaces."""
    if unit.space.startswith("initial"):
        return norm.upper() if word.isupper() else norm
    return like(word, lists.display(norm, unit.space.split(":")[2]))


def genitive(word: str) -> Slot:
    """German and Dutch -s: kept where the surrogate can be read back with it."""
    stem, ending = word[:-1], word[-1]
    unit = name_unit(fold(stem))

    def render(norms: Sequence[str]) -> str:
        shown = show(stem, unit, norms[0])
        whole = fold(shown + ending)
        readable = not lists.is_known(whole) and lists.is_known(norms[0]) and len(norms[0]) > 3
        return shown + ending if readable else shown

    return Slot((unit,), render)


def split_name(word: str) -> list[str]:
    """How a word of a name is read: its components."""
    return split_han(word) or split_camel_name(word)


def split_han(word: str) -> list[str]:
    """Chinese, Japanese and Korean names: the surname that the lists know, then the rest."""
    if not HAN.match(word) or lists.is_known(word):
        return []
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


def joined(parts: Sequence[str], fallback: str, split: Callable[[str], list[str]]) -> Slot:
    """Components written together; where the surrogates cannot be told apart, a separator helps."""
    units = tuple(name_unit(fold(part)) for part in parts)

    def render(norms: Sequence[str]) -> str:
        shown = [show(p, u, n) for p, u, n in zip(parts, units, norms, strict=True)]
        word = "".join(shown)
        again = [fold_name(part) for part in split(word)]
        return word if again == list(norms) else fallback.join(shown)

    return Slot(units, render)


# --- names in mailbox and user names --------------------------------------------------------


def user_pieces(text: str) -> list[Piece]:
    """A user name; where it has only words that stay, they are the name."""
    for kept in (ROLES | PARTICLES, frozenset[str]()):
        found = list(handle_pieces(text, kept))
        if any(isinstance(piece, Slot) for piece in found):
            break
    return found


def handle_pieces(text: str, kept: frozenset[str] = ROLES | PARTICLES) -> Iterator[Piece]:
    """A mailbox or user name: its words as names, its numbers as numbers."""
    end = 0
    for match in TOKEN.finditer(text):
        yield text[end : match.start()]
        end = match.end()
        if digit_value(match[0][0]) is not None:
            yield number_slot(match[0])
        else:
            yield from handle_word(match[0], kept)
    yield text[end:]


def handle_word(word: str, kept: frozenset[str]) -> Iterator[Piece]:
    """One run of letters: camel case first, then what is written together."""
    parts = split_camel(word)
    if len(parts) > 1:
        yield joined_handle(parts)
    elif fold(word) in kept and len(word) > 1:
        yield word
    else:
        prefix, rest = split_handle(word)
        yield behind(prefix, rest[0]) if prefix else joined_handle(rest)


def split_camel(word: str) -> list[str]:
    """anaReyes, AnaReyes and JReyes are two components; McDonald is one."""
    if word.islower() or word.isupper():
        return [word]
    parts = CAMEL.split(word)
    if len(parts) < 2 or parts[0].lower() in CAMEL_HEADS or not all(parts):
        return [word]
    return parts


def behind(prefix: str, word: str) -> Slot:
    """A component behind a particle (vandermeer), apart where it could not be read back."""
    unit = name_unit(fold(word))

    def render(norms: Sequence[str]) -> str:
        shown = show(word, unit, norms[0])
        again = split_handle(prefix + shown)
        found = (
            again[0] and fold_name(again[1][0]) == norms[0] and fold(prefix + shown) not in ROLES
        )
        return prefix + shown if found else f"{prefix}_{shown}"

    return Slot((unit,), render)


def joined_handle(parts: Sequence[str]) -> Slot:
    """Parts of a handle written together."""
    if len(parts) > 1:
        return joined(parts, "_", read_handle)
    unit = name_unit(fold(parts[0]))
    return Slot((unit,), lambda norms: show(parts[0], unit, norms[0]))


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
