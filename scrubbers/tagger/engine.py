"""The tagger as a detector: its spans as findings of the product's entity types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scrubbers.catalog import Detect
from scrubbers.entities import LABELS
from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.tagger.card import card
from scrubbers.tagger.spans import Span

NAME = "tagger"
# What a user's threshold can go down to; the card's floors decide where none is set.
WEAK = 0.1


def build(_: Sequence[str]) -> Detect:
    """The detector. Raises ModelDamaged."""
    from scrubbers.tagger.model import shipped  # noqa: PLC0415  loaded when built: slow

    tagger = shipped(WEAK)

    def detect(passages: Sequence[Passage]) -> list[list[Finding]]:
        found = tagger([passage.text for passage in passages])
        return [[_finding(span) for span in own] for own in found]

    return detect


def floors() -> Mapping[str, float]:
    """Entity type -> least score of a finding, where the user sets none. Raises ModelDamaged."""
    return {LABELS[name][0]: least for name, least in card().floors.items()}


def _finding(span: Span) -> Finding:
    return Finding(span.start, span.end, LABELS[span.type][0], round(span.score, 4), NAME)
