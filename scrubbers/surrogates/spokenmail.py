"""E-mail addresses, user names and URLs as they are dictated or kept from harvesters.

"ange point leca arobase maquis tiret mail point example", "ana [at] acme (dot) example".
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from scrubbers.surrogates import lists
from scrubbers.surrogates.numberwords import LANGUAGES, Words, words_of
from scrubbers.surrogates.readings import Reading
from scrubbers.surrogates.spoken import (
    FAR_TOO_LONG,
    LITERAL,
    LONGEST,
    TOKEN,
    Said,
    stretch,
    understood,
)
from scrubbers.surrogates.text import fold
from scrubbers.surrogates.unit import Unwritable

# What a text must be once it is read.
WHOLE = {
    "EMAIL_ADDRESS": re.compile(r"[^\s@]+@[^\s@]+"),
    "URL": re.compile(r"\S+\.\S+"),
    "USERNAME": re.compile(r"\S+"),
}
OPEN, CLOSE = "([{<", ")]}>"
SPELLED = 2  # letters in a row that are read as such; one alone may be a name
LONG_NAME = 5  # letters of "jota"; longer ones are words of the spelling alphabet


@dataclass(frozen=True, slots=True)
class Address:
    """A dictated address: its plain text, and what stood for each sign in it, in order."""

    plain: str
    signs: tuple[tuple[str, str], ...]  # (sign, its source: a word with the blanks around it)

    @property
    def words(self) -> int:
        """How many signs are dictated."""
        return sum(len(source) > 1 for _, source in self.signs)


def reading(text: str, entity: str) -> Reading | None:
    """A dictated address, None if it is none."""
    if entity not in WHOLE or not re.search(r"[\s([{<]", text.strip()):
        return None
    heard = listen(text, entity)
    if heard is None:
        return None

    def write(new: str) -> str:
        for spelled in (False, True):
            written = "".join(dictated(new, heard, spelled=spelled))
            again = listen(written, entity)
            if again and again.plain == new:
                return written
        raise Unwritable(f"a dictated {entity} that cannot be said: quarantine the record")

    return Reading(heard.plain, write)


def listen(text: str, entity: str) -> Address | None:
    """The address in the language of most of its signs; None if there is none."""
    best: Address | None = None
    if len(text) > FAR_TOO_LONG:
        return None
    for lang in LANGUAGES:
        found = address(text, words_of(lang))
        whole = found.words and WHOLE[entity].fullmatch(found.plain)
        if whole and (best is None or found.words > best.words):
            best = found
    return best


def address(text: str, words: Words) -> Address:
    """The text with its signs, numbers and spelled letters read."""
    plain = ""
    signs: list[tuple[str, str]] = []
    end = 0
    for one in letters_alone(text, list(stretches(text, words))):
        gap = text[end : one.start]
        plain += re.sub(r"\s", "", gap) + one.plain
        signs += bare_signs(gap)
        end = one.end
        if one.kind == "sign":
            signs.append((one.plain, text[slice(*with_blanks(text, one))]))
    rest = re.sub(r"\s", "", text[end:])
    return Address(plain + rest, (*signs, *bare_signs(text[end:])))


def bare_signs(gap: str) -> Iterator[tuple[str, str]]:
    """The signs between two words; blanks around those of an address are kept with them."""
    for match in re.finditer(r"\s*([@.])\s*|(\S)", gap):
        yield (match[1], match[0]) if match[1] else (match[2], match[2])


def with_blanks(text: str, one: Said) -> tuple[int, int]:
    """Start and end of a stretch with the blanks around it."""
    behind = text[one.end :]
    return len(text[: one.start].rstrip()), one.end + len(behind) - len(behind.lstrip())


def stretches(text: str, words: Words) -> Iterator[Said]:
    """Signs that stand apart or in brackets, numbers, letters, and other words as they stand."""
    tokens = list(TOKEN.finditer(text))
    place = 0
    while place < len(tokens):
        first = tokens[place]
        size, one = stretch(text, tokens[place : place + LONGEST], words)
        if one and one.kind == "sign":
            one = apart(text, one)
        if one is None or not is_apart(text, one):
            size, one = 1, Said("literal", first.start(), first.end(), first[0])
        yield one
        place += size


def apart(text: str, one: Said) -> Said:
    """A sign with the brackets around it."""
    before, behind = text[: one.start].rstrip(), text[one.end :]
    close = len(behind) - len(behind.lstrip())
    if before[-1:] and before[-1] in OPEN and behind.lstrip()[:1] and behind.lstrip()[0] in CLOSE:
        return Said("sign", len(before) - 1, one.end + close + 1, one.plain)
    return one


def is_apart(text: str, one: Said) -> bool:
    """Whether blanks, brackets or the ends of the text are on both sides of a stretch."""
    if text[one.start] in OPEN:
        return True
    near = text[max(0, one.start - 1) : one.start] + text[one.end : one.end + 1]
    return not near.strip(OPEN + CLOSE + " \t\n\u00a0")


def letters_alone(text: str, said: Sequence[Said]) -> list[Said]:
    """Names of letters count where several stand in a row, or where a word explains one."""
    out, place = [], 0
    while place < len(said):
        end = place
        while end < len(said) and said[end].kind in ("letter", "name", "nato"):
            end += 1
        run = said[place:end] or said[place : place + 1]
        for one in run:
            source = text[one.start : one.end]
            alone = len(run) < SPELLED and one.kind in ("name", "nato") and " " not in source
            out.append(replace(one, plain=source) if alone and is_word(source) else one)
        place += len(run)
    return out


def is_word(name: str) -> bool:
    """Whether the name of a letter may be a word or a person's name as well: "Juliett", "de"."""
    return len(name) < LITERAL or len(name) > LONG_NAME or lists.is_known(fold(name))


def dictated(new: str, heard: Address, *, spelled: bool) -> Iterator[str]:
    """Another address with its signs in the words that stood there.

    `spelled`: words that mean a number, letter or sign are written letter by letter.
    """
    place = dict.fromkeys(new, -1)
    for part in re.findall(r"[^\W_]+|[\W_]", new):
        if part[0].isalnum():
            yield " ".join(part) if spelled and speaks(part) else part
            continue
        place[part] += 1
        sources = [source for sign, source in heard.signs if sign == part]
        yield sources[min(place[part], len(sources) - 1)] if sources else part


def speaks(word: str) -> bool:
    """Whether a word means something else in some language."""
    return any(
        (understood(word, words_of(lang)) or ("literal",))[0] != "literal" for lang in LANGUAGES
    )
