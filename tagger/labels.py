"""Numbers of the tagger's labels, as training needs them."""

from __future__ import annotations

from scrubbers.tagger.labels import LABELS, TYPES

__all__ = ["EVERY", "LABELS", "NUMBER", "TYPES"]
NUMBER = {label: number for number, label in enumerate(LABELS)}
EVERY = frozenset(TYPES)
