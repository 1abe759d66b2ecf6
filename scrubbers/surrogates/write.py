"""The replacement of a value, in the form that stood there."""

from __future__ import annotations

from collections.abc import Callable

from scrubbers.surrogates.forms import pieces
from scrubbers.surrogates.unit import Context, Unit, Unwritable

__all__ = ["Unwritable", "write"]


def write(
    entity: str,
    text: str,
    context: Context,
    lookup: Callable[[Unit], str],
    *,
    valid: bool = False,
) -> str:
    """`text` with every unit replaced by `lookup(unit)`, a norm as `draw` gives it.

    Separators, letter case, titles, possessives and escapes stay. Read again, the replacement has
    exactly the looked-up norms. Raises Unwritable (without the value) where nothing can be
    replaced, so that the caller can quarantine the record.
    """
    return "".join(
        piece if isinstance(piece, str) else piece.render([lookup(unit) for unit in piece.units])
        for piece in pieces(entity, text, context, valid=valid)
    )
