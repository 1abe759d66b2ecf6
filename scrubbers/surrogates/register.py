"""The names of one record: the words of its values as they are read alone, and its full names."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scrubbers.surrogates import lists
from scrubbers.surrogates.handles import TOKEN, handle_word
from scrubbers.surrogates.likeness import BEGINNING, ELIDED, KEPT, are_known, relation, unmisread
from scrubbers.surrogates.people import Token, component, read_name
from scrubbers.surrogates.text import digit_value, fold
from scrubbers.surrogates.unit import Piece, Slot
from scrubbers.surrogates.words import PARTICLES, ROLES

FEW = 12
MOST = 400  # full names of one record; beyond, only names that share a component are compared


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a value as its context-free reading has it.

    `norms`: its components, () for one that stays. `text` with a digit that may be its last letter.
    `is_pair`: an initial of two letters (Th.).
    """

    text: str
    norms: tuple[str, ...]
    is_pair: bool = False

    @property
    def has_digit(self) -> bool:
        """Whether the digit behind it belongs to the text."""
        return self.text[-1:].isdigit()

    @property
    def is_initial(self) -> bool:
        """Whether it is read as one or two letters of a name."""
        if len(self.norms) != 1:
            return False
        norm = self.norms[0]
        single = len(norm) == 1 and lists.is_alphabetic(norm)
        return single or self.is_pair or bool(ELIDED.match(self.text))


@dataclass(frozen=True, slots=True)
class Name:
    """A full name of the record: its words that stay ("=de") and its components, in order.

    `parts`: its components; `known`: the same as a set.
    """

    words: tuple[str, ...]
    parts: tuple[str, ...]
    known: frozenset[str]


def name_of(words: Iterable[str]) -> Name:
    """A name by its words."""
    listed = tuple(words)
    parts = tuple(word for word in listed if not word.startswith(KEPT))
    return Name(listed, parts, frozenset(parts))


# --- reading --------------------------------------------------------------------------------


def name_words(text: str) -> list[Word]:
    """The words of a name in running text; numbers do not count."""
    return [
        Word(
            token.text + token.digit,
            () if token.kept else norms_of(component_pieces(token)),
            token.kind == "initial",
        )
        for token in read_name(text)
        if token.kind != "number"
    ]


def component_pieces(token: Token) -> Iterator[Piece]:
    """The pieces of one word or spelled word."""
    if token.kind == "spelled":
        letters = "".join(char for char in token.text if char.isalpha())
        return component(Token(letters, 0, 0, "word", kept=False))
    return component(token)


def norms_of(pieces: Iterator[Piece]) -> tuple[str, ...]:
    """The norms of the units of pieces."""
    return tuple(u.norm for piece in pieces if isinstance(piece, Slot) for u in piece.units)


def handle_words(text: str) -> list[Word]:
    """The words of a mailbox or user name."""
    kept = ROLES | PARTICLES
    return [
        Word(match[0], norms_of(handle_word(match[0], kept)))
        for match in TOKEN.finditer(text)
        if digit_value(match[0][0]) is None
    ]


# --- the names of a record ------------------------------------------------------------------


@dataclass(slots=True)
class Register:
    """The full names of a record, found by component and by first letter."""

    names: list[Name]
    by_part: dict[str, list[int]]
    by_letter: dict[str, list[int]]
    canon: dict[str, str]
    declines: bool

    def holds(self, norm: str, own: frozenset[str]) -> bool:
        """Whether a name of other components than `own` has this one."""
        return any(self.names[i].known != own for i in self.by_part.get(norm, ()))

    def first(self, number: int, part: tuple[str, ...]) -> bool:
        """Whether a name begins with a component."""
        return self.names[number].parts[:1] == part

    def near(self, norms: Sequence[str], *, exact: bool = False) -> list[Name]:
        """Names that share a component, or (if none does) the first letter of one."""
        found = {i for norm in norms for i in self.by_part.get(norm, ())}
        if not found and not exact and len(self.names) <= MOST:
            found = {i for norm in norms for i in self.by_letter.get(norm[:1], ())}
        return [self.names[i] for i in sorted(found)]


def register(values: Sequence[Sequence[Word]], *, declines: bool) -> Register:
    """The full names among values: two components at least that are no initials."""
    names: dict[Name, None] = {}
    for words in corrected(values):
        parts = [n for word in words if not word.is_initial for n in word.norms]
        if len(parts) > 1 and sum(map(len, parts)) > 2:
            listed = [
                n for w in words for n in (w.norms or (KEPT + fold(w.text),)) if not w.is_initial
            ]
            names[name_of(listed)] = None
    found = Register(list(names), {}, {}, {}, declines)
    for number, name in enumerate(found.names):
        for part in dict.fromkeys(name.parts):
            found.by_part.setdefault(part, []).append(number)
            found.by_letter.setdefault(part[0], []).append(number)
    found.canon = canonical(found)
    return found


def corrected(values: Sequence[Sequence[Word]]) -> list[list[Word]]:
    """Words with a digit behind them as the record has them elsewhere without (Gerau1: Geraul)."""
    plain = {n for words in values for w in words if not w.has_digit for n in w.norms}

    def one(word: Word) -> Word:
        right = lists.name_norm(unmisread(word.text)) if word.has_digit else ""
        return Word(word.text, (right,)) if right in plain else word

    return [[one(word) for word in words] for words in values]


def canonical(names: Register) -> dict[str, str]:
    """Components of full names that are another full name's, shortened, misspelt or joined.

    All other components of the two are the same.
    """
    found: dict[str, str] = {}
    for group in groups(names).values():
        for number, mine in group:
            if len(mine) == 1 and mine[0] not in found:
                fits = {
                    " ".join(other)
                    for at, other in group
                    if may_stand(
                        mine[0], other, names, later=number > at, first=names.first(number, mine)
                    )
                }
                if len(fits) == 1:
                    found[mine[0]] = min(fits)
    return {mine: target for mine, target in found.items() if target.split()[0] not in found}


Group = list[tuple[int, tuple[str, ...]]]


def groups(names: Register) -> dict[tuple[frozenset[str], str], Group]:
    """(all components but one or two, first letter of those) -> the names that have them."""
    found: dict[tuple[frozenset[str], str], Group] = {}
    for number, name in enumerate(names.names):
        parts = name.parts
        for size in (1, 2):
            for at in range(len(parts) - size + 1):
                rest = frozenset(parts[:at] + parts[at + size :])
                if rest:
                    left = parts[at : at + size]
                    found.setdefault((rest, left[0][0]), []).append((number, left))
    return found


def may_stand(
    mine: str, other: tuple[str, ...], names: Register, *, later: bool, first: bool
) -> bool:
    """Whether a component of one full name may be a form of another's.

    Of two slips the one that lists know is right, else the earlier; of many names that no list
    knows, and of given names, two that differ in a letter may be two people's.
    """
    if len(other) > 1:
        return mine == lists.name_norm("".join(other))
    kind = relation(mine, other[0])
    if kind != "slip":
        return kind in ("short", "genitive") or (kind == "case" and names.declines)
    if lists.is_known(mine) != lists.is_known(other[0]):
        return lists.is_known(other[0])
    if are_known(mine, other[0]):
        return later
    return later and not first and len(names.names) <= FEW


def whole_words(words: Sequence[Word]) -> list[Word]:
    """The words of a handle if all are whole components, else none."""
    named = [word for word in words if word.norms]
    return named if all(len(n) >= BEGINNING for word in named for n in word.norms) else []


def lone_register(people: Sequence[Sequence[Word]], names: Register, *, declines: bool) -> Register:
    """Single names that no full name of the record holds, one by one."""
    single = {
        word.norms[0]: None
        for words in people
        for word in words
        if len(word.norms) == 1 and not word.is_initial and word.norms[0] not in names.by_part
    }
    found = Register([name_of((norm,)) for norm in single], {}, {}, {}, declines)
    for number, name in enumerate(found.names):
        found.by_part[name.words[0]] = [number]
        found.by_letter.setdefault(name.words[0][0], []).append(number)
    return found
