"""The units of a value: which atoms it shares with other values, from the value and its context."""

from __future__ import annotations

from scrubbers.surrogates.forms import pieces
from scrubbers.surrogates.unit import ALONE, Context, Slot, Unit, Unwritable

__all__ = ["Unit", "Unwritable", "units"]


def units(entity: str, text: str, context: Context = ALONE, *, valid: bool = False) -> list[Unit]:
    """The units in order of appearance.

    A unit is told from others by its family and norm; its space is a function of these. Raises
    Unwritable where the value has no part that could be replaced.
    """
    found = pieces(entity, text, context, valid=valid)
    return [unit for piece in found if isinstance(piece, Slot) for unit in piece.units]
