"""Which words of a record's names stand for a component of another name in it.

Initials, shortened forms, slips, cases and joined words (A. Reyes, Thandi, Jhon, Annas, delarochere) get
the surrogate of the component they mean, but only where exactly one name of the record fits.
"""

from __future__ import annotations

from collections.abc import Sequence

from scrubbers.surrogates import lists
from scrubbers.surrogates.likeness import KEPT, align, are_known, relation
from scrubbers.surrogates.mailaliases import handle_meanings
from scrubbers.surrogates.register import (
    MOST,
    Name,
    Register,
    Word,
    handle_words,
    lone_register,
    name_words,
    register,
    whole_words,
)
from scrubbers.surrogates.slavic import DECLINING
from scrubbers.surrogates.text import fold

COSTS = {"same": 0, "initial": 2, "particle": 3, "genitive": 2, "case": 2, "short": 3, "slip": 4}


def meanings(words: Sequence[Word], names: Register, lone: Register) -> tuple[str, ...]:
    """For each word what it stands for, "" for itself."""
    parts = frozenset(n for word in words if not word.is_initial for n in word.norms)
    full = len(parts) > 1 and not any(word.is_initial for word in words)
    own = parts if full else frozenset[str]()
    told = [names.canon.get(word.norms[0], "") if len(word.norms) == 1 else "" for word in words]
    asked = [not t and needs_meaning(w, names, own) for w, t in zip(words, told, strict=True)]
    if any(asked):
        found = best(words, asked, names, own) or best(words, asked, lone, own)
        if not found and all(w.is_initial or not w.norms for w in words):
            found = first_initials(words, names) or first_initials(words, lone)
        if found:
            told = [
                names.canon.get(f, f) if f and not t else t
                for f, t in zip(found, told, strict=True)
            ]
    return tuple(told)


def needs_meaning(word: Word, names: Register, own: frozenset[str]) -> bool:
    """Whether a word is no component of another full name as it stands."""
    return word.is_initial or any(not names.holds(norm, own) for norm in word.norms)


def best(
    words: Sequence[Word], asked: Sequence[bool], names: Register, own: frozenset[str]
) -> list[str] | None:
    """What the words stand for in the one name that fits them all; None if none or several do.

    `own`: the components of a name that is a full one itself, which must share one with the other.
    """
    norms = [n for word in words for n in word.norms]
    results: dict[tuple[str, ...], int] = {}
    for name in names.near(norms):
        if own and (own == name.known or own.isdisjoint(name.known)):
            continue
        fit = fitted(words, asked, name, names)
        if fit and not (own and rivals(words, fit[0])):
            told, cost = fit
            results[told] = min(cost, results.get(told, cost))
    if not results:
        return None
    least = min(results.values())
    chosen = [told for told, cost in results.items() if cost == least]
    return list(chosen[0]) if len(chosen) == 1 and any(chosen[0]) else None


def rivals(words: Sequence[Word], told: Sequence[str]) -> bool:
    """Whether a full name differs in a letter from another that lists do not know better."""
    return any(
        relation(word.text, meant) == "slip"
        and sorted(word.norms[0]) != sorted(meant)
        and (lists.is_known(word.norms[0]) or not lists.is_known(meant))
        for word, meant in zip(words, told, strict=True)
        if meant and word.norms and not word.is_initial
    )


def fitted(
    words: Sequence[Word], asked: Sequence[bool], name: Name, names: Register
) -> tuple[tuple[str, ...], int] | None:
    """(what each word stands for, how far off it is) in one name, in its order or turned round."""
    counted = [i for i, word in enumerate(words) if word.norms]
    for turn in range(len(counted)):
        order = counted[turn:] + counted[:turn]
        fit = follow(words, asked, order, name, names)
        if fit:
            told = [""] * len(words)
            for place, meant in zip(order, fit[0], strict=True):
                told[place] = meant
            return tuple(told), fit[1]
    return None


def follow(
    words: Sequence[Word], asked: Sequence[bool], order: Sequence[int], name: Name, names: Register
) -> tuple[list[str], int] | None:
    """The meanings of the words in this order, each later in the name than the one before."""
    at, cost, told = 0, 0, []
    for place in order:
        step = next_fit(words[place], name, at, names)
        if step is None:
            return None
        at, meant, more = step
        if len(order) == 1 and more == COSTS["slip"] and are_known(words[place].norms[0], meant):
            return None
        cost += more
        told.append(meant if asked[place] else "")
    return told, cost


def next_fit(word: Word, name: Name, start: int, names: Register) -> tuple[int, str, int] | None:
    """(place after it, meaning, cost) of the first word of the name from `start` on that fits."""
    for at in range(start, len(name.words)):
        target = name.words[at]
        if target.startswith(KEPT):
            if word.is_initial and target[1:2] == word.norms[0] and at + 1 < len(name.words):
                return at + 1, target, COSTS["particle"]
            continue
        several = len(word.norms) > 1 and name.words[at : at + len(word.norms)] == word.norms
        if several:
            return at + len(word.norms), "", 0
        kind = fit_of(word, target, names)
        if kind:
            return at + 1, "" if word.norms == (target,) else target, COSTS[kind]
        size = joined_here(word, name.words[at:])
        if size:
            return at + size, " ".join(name.words[at : at + size]), 1
    return None


def fit_of(word: Word, target: str, names: Register) -> str:
    """How a word stands to a component, "" where it does not or where that says too little."""
    if not word.norms or len(word.norms) > 1:
        return ""
    kind = "same" if word.norms[0] == target else relation(word.text, target)
    if kind == "case" and not names.declines:
        return ""
    return kind


def joined_here(word: Word, rest: Sequence[str]) -> int:
    """How many words of a name stand written together as this one (vandermeer, nurulhuda)."""
    folded = fold(word.text)
    for size in range(2, len(rest) + 1):
        joined = "".join(part.removeprefix(KEPT) for part in rest[:size])
        if len(joined) > len(folded):
            return 0
        last = not rest[size - 1].startswith(KEPT)
        if last and lists.name_norm(joined) == lists.name_norm(folded):
            return size if align(folded, word.text, rest[:size]) else 0
    return 0


def first_initials(words: Sequence[Word], names: Register) -> list[str] | None:
    """Initials of which only the first is known: B.Th. beside Bette."""
    first = next((word for word in words if word.norms), None)
    if first is None or len(names.names) > MOST:
        return None
    letter = first.norms[0]
    options = {name.parts[0] for name in names.names if name.parts[0].startswith(letter)}
    if len(options) != 1:
        return None
    place = words.index(first)
    return ["" if i != place else min(options) for i in range(len(words))]


# --- a record -------------------------------------------------------------------------------


def stand_ins(values: Sequence[tuple[str, str]], language: str = "") -> list[tuple[str, ...]]:
    """`stands_for` of each (type, text) of a record; () where every word stands for itself.

    Types: "PERSON" (a name in running text), "USERNAME" and "EMAIL_ADDRESS" (its local part).
    """
    read = [name_words(t) if e == "PERSON" else handle_words(t) for e, t in values]
    people = [words for (e, _), words in zip(values, read, strict=True) if e == "PERSON"]
    boxes = [whole_words(w) for (e, _), w in zip(values, read, strict=True) if e != "PERSON"]
    declines = language in DECLINING or any(
        lists.script(n[0]) in DECLINING for words in people for w in words for n in w.norms
    )
    names = register(people, declines=declines)
    lone = lone_register(people, names, declines=declines)
    registers = (names, lone, register(boxes, declines=declines))
    told = [
        meanings(words, names, lone) if e == "PERSON" else handle_meanings(words, registers)
        for (e, _), words in zip(values, read, strict=True)
    ]
    return [found if any(found) else () for found in told]


def lone_count(texts: Sequence[str], told: Sequence[Sequence[str]]) -> int:
    """How many names are single beside full ones, none of whose components they are or stand for."""
    read = [name_words(text) for text in texts]
    known = register(read, declines=False).by_part
    count = 0
    for words, stands_for in zip(read, told, strict=True):
        single = [n for word in words if not word.is_initial for n in word.norms]
        count += len(single) == 1 and not any(stands_for) and single[0] not in known
    return count if known else 0
