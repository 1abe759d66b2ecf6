"""How a form stands to the component it is short for, a slip of, or a case of; and its surrogate."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from scrubbers.surrogates import lists
from scrubbers.surrogates.components import APOSTROPHE, MARK, genitive, show, unit_of
from scrubbers.surrogates.slavic import case_endings
from scrubbers.surrogates.text import cased, fold, to_ascii
from scrubbers.surrogates.unit import Piece, Slot, Unit
from scrubbers.surrogates.words import (
    DIGRAPHS,
    SAINTS,
    SHORT_ENDINGS,
)

KEPT = "="  # in front of a word that stays: a particle written together with a name
BEGINNING = 3  # letters that a shortened form shares at least
# One digit among letters is a letter misread, and so is a bar before a small one: Te1ford, Ma|te.
OCR = str.maketrans("0123456789|", "olzeasgtbgl")
SMALL = "".join(c for c in map(chr, range(0x250)) if c.islower())
BEHIND = rf"(?:(?<=[^\W\d_])|(?<=[{MARK}]))"
AMONG_LETTERS = rf"{BEHIND}(?:[0-9](?=[^\W\d_])|\|(?=[{SMALL}]))"
MISREAD = re.compile(rf"{AMONG_LETTERS}|{BEHIND}[0-9]$")
ELIDED = re.compile(f"^[A-Za-z]{APOSTROPHE}[A-Za-z]$")  # O'D. of O'Dowd


def unmisread(word: str) -> str:
    """Digits and bars among letters as the letters they stand for: Te1ford, Ma|te."""
    return word.translate(OCR) if MISREAD.search(word) else word


# --- relations ------------------------------------------------------------------------------


@lru_cache(maxsize=1 << 16)
def relation(form: str, norm: str) -> str:
    """What a written form is to a component, "" if nothing.

    One of "same", "initial", "short", "genitive", "case", "slip".
    """
    folded = fold(unmisread(form))
    if lists.name_norm(folded) == norm:
        return "same"
    if is_initial(form, folded, norm):
        return "initial"
    if min(len(folded), len(norm)) < BEGINNING or lists.script(norm[0]) in lists.CHARACTERS:
        return ""
    return next((name for name, holds in RELATIONS if holds(folded, norm)), "")


def is_initial(form: str, folded: str, norm: str) -> bool:
    """A., Th. and O'D. for Anna, Theodora and O'Dowd."""
    size = len(folded)
    if size >= len(norm) or not lists.is_alphabetic(norm[0]):
        return False
    return norm.startswith(folded) and (
        size == 1 or (size == 2 and (folded in DIGRAPHS or bool(ELIDED.match(form))))
    )


def is_short(form: str, norm: str) -> bool:
    """Max, Fran, Rosi, Pierrot: a common beginning, then a diminutive's ending at most."""
    likely = lists.classify(norm).kind == "maybe" and not is_only_surname(lists.name_norm(form))
    if not (lists.given_genders(norm) or likely) or not gender_fits(form, norm):
        return False
    if is_beginning(form, norm):
        return True
    for ending in SHORT_ENDINGS:
        stem = form[: len(form) - len(ending)]
        if form.endswith(ending) and len(stem) >= BEGINNING:
            stems = (stem, stem[:-1]) if stem[-1] == stem[-2] and len(stem) > BEGINNING else (stem,)
            if any(norm.startswith(s) and (len(form) < len(norm) or len(s) > 4) for s in stems):
                return True
    return False


def is_beginning(form: str, norm: str) -> bool:
    """A beginning that leaves off two letters at least, so that Carl is not Carla."""
    return BEGINNING <= len(form) <= len(norm) - 2 and norm.startswith(form)


def gender_fits(form: str, norm: str) -> bool:
    """No man's name is short for a woman's."""
    mine, other = lists.given_genders(lists.name_norm(form)), lists.given_genders(norm)
    return not mine or not other or bool((mine | {"x"}) & other) or "x" in mine


def is_only_surname(norm: str) -> bool:
    """Whether lists know a name, and as a surname alone."""
    return lists.is_surname(norm) and not lists.given_genders(norm)


def are_known(own: str, norm: str) -> bool:
    """Whether both are names of the lists: then a letter more or less makes another name."""
    return lists.is_known(own) and lists.is_known(norm)


def is_genitive(form: str, norm: str) -> bool:
    """Annas, Tilmans."""
    return form.endswith("s") and len(form) > BEGINNING and lists.name_norm(form[:-1]) == norm


def is_slip(form: str, norm: str) -> bool:
    """Two neighbours changed over in four letters, or one edit in five if not both are known."""
    own = lists.name_norm(form)
    shortest = min(len(own), len(norm))
    if shortest < 4 or abs(len(own) - len(norm)) > 1:
        return False
    same = next((i for i in range(shortest) if own[i] != norm[i]), shortest)
    mine, other = own[same:], norm[same:]
    if mine[:2] == other[1::-1] and mine[2:] == other[2:] and len(mine) > 1:
        return True
    if shortest < 5 or are_known(own, norm):
        return False
    return mine[len(own) >= len(norm) :] == other[len(norm) >= len(own) :]


RELATIONS: tuple[tuple[str, Callable[[str, str], object]], ...] = (
    ("genitive", is_genitive),
    ("short", is_short),
    ("case", case_endings),
    ("slip", is_slip),
)


# --- surrogates of aliases ------------------------------------------------------------------


def alias_pieces(word: str, meant: str) -> list[Piece]:
    """A word as the components it stands for (joined by spaces); empty if it cannot be read so."""
    targets = meant.split()
    chunks = align(fold(word), word, targets) if targets else None
    if chunks is None:
        return []
    return [
        chunk if target.startswith(KEPT) else alias_slot(chunk, target)
        for chunk, target in zip(chunks, targets, strict=True)
    ]


def alias_slot(form: str, norm: str) -> Slot:
    """A form with the unit of the component that it stands for."""
    unit = unit_of(norm)
    kind = relation(form, norm)
    if kind == "genitive":
        return genitive(form)
    return Slot((unit,), lambda norms: shown_as(kind, unmisread(form), norm, unit, norms[0]))


def shown_as(kind: str, form: str, norm: str, unit: Unit, new: str) -> str:
    """The surrogate of a component in the way in which the form stood to it."""
    if kind == "initial":
        letter = to_ascii(show("A", unit, new))[:1]
        return letter.upper() if form[:1].isupper() else letter.lower()
    if kind == "short":
        shown = show(form.title() if len(form) > 1 else form, unit, new)
        sizes = range(min(len(form), len(new) - 2), BEGINNING - 1, -1)
        size = next((s for s in sizes if relation(shown[:s], new) == "short"), len(shown))
        return cased(form, shown[:size])
    shown = show(form, unit, new)
    found = case_endings(fold(form), norm) if kind == "case" else None
    if found and case_endings(fold(shown)[: len(shown) - len(found[0])] + found[1], new) == found:
        ending = form[len(form) - len(found[1]) :]
        return shown[: len(shown) - len(found[0])] + ending
    return shown


def align(folded: str, word: str, targets: Sequence[str]) -> list[str] | None:
    """The stretches of a word that stand for the targets in order, None if it is not made so."""
    if len(targets) == 1 and not targets[0].startswith(KEPT):
        return [word] if relation(word, targets[0]) else None
    sizes = cut(folded, tuple(targets))
    if sizes is None:
        return None
    ends = [sum(sizes[: i + 1]) for i in range(len(sizes))]
    whole = word if len(word) == len(folded) else cased(word, folded)
    return [whole[end - size : end] for size, end in zip(sizes, ends, strict=True)]


def cut(folded: str, targets: tuple[str, ...]) -> tuple[int, ...] | None:
    """Lengths of the stretches, longest first; each a whole component or its beginning."""
    if not targets:
        return () if not folded else None
    for size in range(len(folded) - len(targets) + 1, 0, -1):
        if stretch_fits(folded[:size], targets[0]):
            rest = cut(folded[size:], targets[1:])
            if rest is not None:
                return (size, *rest)
    return None


def stretch_fits(stretch: str, target: str) -> bool:
    """Whether letters inside a word are this component, its initial or its beginning."""
    if target.startswith(KEPT):
        return stretch == target[1:]
    return (
        lists.name_norm(stretch) == target
        or (len(stretch) == 1 and target.startswith(stretch))
        or is_beginning(stretch, target)
    )


def kept_forms(word: str) -> list[str]:
    """How a word that stays may be written inside a handle: saint, st."""
    return [word, *SAINTS.get(word, ())]
