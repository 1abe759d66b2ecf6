"""Names of people in running text, by component; of mailboxes and users see `handles`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubbers.surrogates import lists
from scrubbers.surrogates.components import (
    APOSTROPHE,
    HAN,
    LETTER,
    MARK,
    RUN,
    genitive,
    is_pair,
    joined,
    name_unit,
    number_slot,
    number_unit,
    pair_slot,
    show,
    split_han,
    split_name,
    word_slot,
)
from scrubbers.surrogates.handles import handle_pieces, mailbox_pieces, user_pieces
from scrubbers.surrogates.likeness import AMONG_LETTERS, KEPT, alias_pieces, unmisread
from scrubbers.surrogates.text import digits_of, fold
from scrubbers.surrogates.unit import Piece, Slot
from scrubbers.surrogates.words import BETWEEN, NOBLE, PARTICLES, TITLES
from scrubbers.words import word_list

__all__ = [
    "MARK", "WORD", "Token", "handle_pieces", "mailbox_pieces", "name_unit", "number_slot",
    "number_unit", "pieces", "read_name", "show", "split_han", "user_pieces",
]  # fmt: skip

WORD = re.compile(f"{RUN}(?:{APOSTROPHE}{RUN})*")
NAME_WORD = f"{RUN}(?:(?:{APOSTROPHE}|{AMONG_LETTERS}){RUN})*"
ONE = f"[^\\W\\d_][{MARK}]*"
SPELLED = (
    f"(?<![^\\W_])(?<![^\\W_]['’.-]){ONE}(?:(?:(?P<gap> |\u00a0|, ){ONE}(?:(?P=gap){ONE}){{2,}})"
    f"|(?P<dash>[-‐‑–·]){ONE}(?:(?P=dash){ONE})+)(?![^\\W_]|['’.-][^\\W_])"
)
TOKEN = re.compile(f"(?P<spelled>{SPELLED})|(?P<word>{NAME_WORD})|\\d+")
SHORT_SPELLED = re.compile(f"{ONE}( |, ){ONE}\\1{ONE}")
# Written behind a Japanese, Korean or Chinese name, mostly without a space.
HONORIFICS = tuple(word_list("さん さま ちゃん くん 様 氏 先生 女士 小姐 선생님 님 씨"))
HONORIFIC = re.compile(f"(?<=[\u3040-\u9fff\uac00-\ud7a3])(?:{'|'.join(HONORIFICS)})$")
POSSESSIVE = re.compile(f"{APOSTROPHE}[sS]$")
ADDRESS = frozenset(map(fold, HONORIFICS))
LAST_DIGIT = re.compile(r"[0158](?![^\W_])")
ABBREVIATIONS = "vdzt"  # of von, der, zu and ten
ABBREVIATED = re.compile(r"\.\s?(?:(?:[vdzt]\.|von|vom|der|den|dem|zu|zur)\s?)*[A-ZÀ-Þ]")
BEFORE_NOBLE = re.compile(r"\s+(?:von|vom|van|zu|zur|v|z)\b")


@dataclass(frozen=True, slots=True)
class Token:
    """A word, a spelled word or a number of a name; `kept` if it stays (a title, a particle).

    `text` is without its possessive; `end` is where that begins. `digit` is one that follows the
    last letter and may be a letter misread.
    """

    text: str
    start: int
    end: int
    kind: str
    kept: bool
    digit: str = ""


def pieces(text: str, stands_for: Sequence[str] = ()) -> list[Piece]:
    """A person's name. `stands_for`: what each word means in its record, as in `Context`."""
    found: list[Piece] = []
    meant = iter(stands_for)
    end = 0
    for token in read_name(text):
        if token.start < end:
            continue
        found.append(text[end : token.start])
        made, end = token_pieces(token, "" if token.kind == "number" else next(meant, ""))
        found += made
    return [*found, text[end:]]


def token_pieces(token: Token, meant: str) -> tuple[list[Piece], int]:
    """One token's pieces and where it ends: an alias may take the digit behind it."""
    if token.kind == "number":
        return [number_slot(token.text)], token.end
    whole = alias_pieces(token.text + token.digit, meant) if token.digit else []
    if whole and unmisread_fits(token, meant):
        return whole, token.end + len(token.digit)
    if token.kept and not meant:
        return [token.text], token.end
    if meant.startswith(KEPT) and fold(token.text) == fold(meant[1:])[:1]:
        return [token.text], token.end
    if token.kind == "spelled":
        return [spelled_slot(token.text)], token.end
    return alias_pieces(token.text, meant) or list(component(token)), token.end


def unmisread_fits(token: Token, meant: str) -> bool:
    """Whether the digit behind a word is its last letter."""
    return lists.name_norm(unmisread(token.text + token.digit)) == meant


# --- reading --------------------------------------------------------------------------------


def read_name(text: str) -> list[Token]:
    """The tokens of a name. Titles and particles stay; if nothing else is there, they are it."""
    for kept in (TITLES | PARTICLES | ADDRESS, PARTICLES, frozenset[str]()):
        found = list(tokens(text, kept))
        if not all(token.kept for token in found):
            return found
    return found


def tokens(text: str, kept: frozenset[str]) -> Iterator[Token]:
    """Letters spelled apart, words, and runs of digits."""
    short = SHORT_SPELLED.fullmatch(text)
    if short and re.search("[aeiou]", fold(text)):
        yield Token(text, 0, len(text), "spelled", kept=False)
        return
    for match in TOKEN.finditer(text):
        start, end = match.span()
        if match["spelled"]:
            yield Token(match[0], start, end, "spelled", kept=False)
        elif match["word"]:
            possessive = POSSESSIVE.search(match[0]) or honorific(match[0])
            end -= len(possessive[0]) if possessive else 0
            digit = LAST_DIGIT.match(text, end)
            word, after = text[start:end], text[match.end() :]
            stays = is_kept(word, text[:start], after, kept)
            kind = "initial" if is_pair(word, after) else "word"
            kind = "small" if len(word) == 1 and word.islower() and after[:1] == "." else kind
            yield Token(word, start, end, kind, stays, digit[0] if digit else "")
        else:
            yield Token(match[0], start, end, "number", kept=digits_of(match[0]) == "0")


def honorific(word: str) -> re.Match[str] | None:
    """What is written behind a name in East Asia, unless it is the whole word."""
    return None if fold(word) in ADDRESS else HONORIFIC.search(word)


def is_kept(word: str, before: str, after: str, kept: frozenset[str]) -> bool:
    """Titles, and particles that a further word follows, are no component."""
    norm = fold(word)
    if kept >= TITLES and norm in NOBLE and BEFORE_NOBLE.match(after):
        return True
    if norm not in kept and word.lower() not in kept:
        return False
    if norm in PARTICLES and norm not in TITLES:
        single = len(norm) == 1 and (word.isupper() or after.startswith("."))
        if single:
            return word.islower() and norm in ABBREVIATIONS and bool(ABBREVIATED.match(after))
        if norm not in BETWEEN and leads(before):
            return False
        return bool(re.match(f"[\\s.{APOSTROPHE[1:-1]}-]*{LETTER}", after))
    return len(norm) > 1 or norm in ADDRESS


def leads(before: str) -> bool:
    """Whether a word is the first of the name but for titles."""
    return all(fold(word) in TITLES for word in WORD.findall(before))


# --- writing --------------------------------------------------------------------------------


def component(token: Token) -> Iterator[Piece]:
    """One word as its components: written together in East Asia, in camel case, or in genitive."""
    word = unmisread(token.text)
    parts = split_name(word)
    norm = fold(word)
    base = norm[:-1]
    if len(parts) > 1:
        yield joined(parts, " " if HAN.match(word) else "-", split_name)
    elif token.kind == "initial":
        yield pair_slot(word)
    elif token.kind == "small":
        yield small_slot(word)
    elif (
        word[-1:] in ("s", "S")
        and not lists.is_known(norm)
        and len(base) > 3
        and lists.is_known(base)
    ):
        yield genitive(word)
    else:
        yield word_slot(word)


def small_slot(letter: str) -> Slot:
    """An initial in small; in capitals where it would be a short particle (v. Tann)."""
    slot = word_slot(letter)

    def render(norms: Sequence[str]) -> str:
        return norms[0].upper() if norms[0] in ABBREVIATIONS else slot.render(norms)

    return Slot(slot.units, render)


def spelled_slot(text: str) -> Slot:
    """A name with its letters apart; written together where it could not be read back so."""
    letters = re.findall(ONE, text)
    gap = text[len(letters[0]) : len(text) - len(letters[-1])][: gap_length(text, letters)]
    word = "".join(letters)
    unit = name_unit(fold(word))

    def render(norms: Sequence[str]) -> str:
        shown = show(word, unit, norms[0])
        apart = gap.join(re.findall(ONE, shown))
        found = read_name(apart)
        return apart if len(found) == 1 and found[0].kind == "spelled" else shown

    return Slot((unit,), render)


def gap_length(text: str, letters: Sequence[str]) -> int:
    """Characters between two letters."""
    return (len(text) - sum(map(len, letters))) // (len(letters) - 1)
