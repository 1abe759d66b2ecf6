"""The atom that gets a surrogate of its own, and the pieces of which a value is put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass


class Unwritable(ValueError):
    """No surrogate can be written for this value. The record belongs in quarantine."""


@dataclass(frozen=True, slots=True)
class Unit:
    """`space` is "family:details" and a function of family and norm; `norm` is the value itself.

    Two places that hold the same unit get the same surrogate. The details tell locale, kind and
    shape, so that a candidate can be drawn without the value.
    """

    space: str
    norm: str

    @property
    def family(self) -> str:
        """The part of the space that, with the norm, tells a unit from all others."""
        return self.space.partition(":")[0]


@dataclass(frozen=True, slots=True)
class Slot:
    """A stretch of text that depends on units: `render` gets their surrogates' norms in order."""

    units: tuple[Unit, ...]
    render: Callable[[Sequence[str]], str]


Piece = str | Slot
