"""The units of a value: which atoms it shares with other values, from the value alone."""

from __future__ import annotations

from scrubbers.surrogates.forms import pieces
from scrubbers.surrogates.unit import Slot, Unit, Unwritable

__all__ = ["Unit", "Unwritable", "units"]


def units(entity: str, text: str, country: str | None = None, *, valid: bool = False) -> list[Unit]:
    """The units in order of appearance; never of the language of the text or of other values.

    A unit is told from others by its family and norm; its space is a function of these. Raises
    Unwritable where the value has no part that could be replaced.
    """
    found = pieces(entity, text, country, valid=valid)
    return [unit for piece in found if isinstance(piece, Slot) for unit in piece.units]
