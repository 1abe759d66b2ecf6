"""A value in a disguise (escaped, spoken, misread): its plain text, and how to put it on again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from scrubbers.surrogates.unit import Piece, Slot

Form = Callable[[str], list[Piece]]


@dataclass(frozen=True, slots=True)
class Reading:
    """`plain` is what the forms take apart; `write` puts another plain text into the disguise.

    What was written is read as that plain text again. `write` raises Unwritable where it cannot.
    """

    plain: str
    write: Callable[[str], str]


def through(reading: Reading | None, form: Form, text: str) -> list[Piece]:
    """The pieces of a value that is read before `form` takes it apart; None: as it stands."""
    if reading is None:
        return form(text)
    found = form(reading.plain)
    units = tuple(unit for piece in found if isinstance(piece, Slot) for unit in piece.units)
    if not units:
        return [text]
    write = reading.write
    return [Slot(units, lambda norms: write(rendered(found, norms)))]


def rendered(found: Sequence[Piece], norms: Sequence[str]) -> str:
    """The pieces with the norms of their units' surrogates, in order."""
    rest = iter(norms)
    return "".join(_rendered(found, rest))


def _rendered(found: Sequence[Piece], rest: Iterator[str]) -> Iterator[str]:
    for piece in found:
        yield piece if isinstance(piece, str) else piece.render([next(rest) for _ in piece.units])
