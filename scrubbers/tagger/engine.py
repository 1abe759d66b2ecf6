"""The tagger as a detector: its spans as findings of the product's entity types.

It reads no fixed words: of what the other models need to be told, only this was measured to help it
as well. A form of address before a name stays, and no single word that machines write, that is
glued to code or that stands in a placeholder is a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from scrubbers.catalog import TAGGER, Detect
from scrubbers.entities import LABELS
from scrubbers.finding import Finding
from scrubbers.name_guards import NEVER, WORD, is_glued, is_title, placeholders
from scrubbers.passage import Passage
from scrubbers.tagger.card import card
from scrubbers.tagger.spans import Span

# What a user's threshold can go down to; the card's floors decide where none is set.
WEAK = 0.1


def build(_: Sequence[str]) -> Detect:
    """The detector. Raises ModelDamaged."""
    from scrubbers.tagger.model import shipped  # noqa: PLC0415  loaded when built: slow

    tagger = shipped(WEAK)

    def detect(passages: Sequence[Passage]) -> list[list[Finding]]:
        found = tagger([passage.text for passage in passages])
        return [
            list(_guarded(passage, map(_finding, own)))
            for passage, own in zip(passages, found, strict=True)
        ]

    return detect


def floors() -> Mapping[str, float]:
    """Entity type -> least score of a finding, where the user sets none. Raises ModelDamaged."""
    return {LABELS[name][0]: least for name, least in card().floors.items()}


def _finding(span: Span) -> Finding:
    return Finding(span.start, span.end, LABELS[span.type][0], round(span.score, 4), TAGGER)


def _guarded(passage: Passage, findings: Iterator[Finding]) -> Iterator[Finding]:
    """The findings, people without forms of address and without what is none."""
    empty = placeholders(passage.text)
    for found in findings:
        if found.type != "PERSON":
            yield found
        elif not any(a <= found.start and found.end <= b for a, b in empty):
            words = [m.span() for m in WORD.finditer(passage.text, found.start, found.end)]
            if len(words) != 1 or not _is_machine(passage.text, *words[0]):
                yield _untitled(passage, found, words)


def _is_machine(text: str, start: int, end: int) -> bool:
    return text[start:end].casefold() in NEVER or is_glued(text, start, end)


def _untitled(passage: Passage, found: Finding, words: Sequence[tuple[int, int]]) -> Finding:
    """The name behind its forms of address, where it begins with a capital."""
    text, start = passage.text, found.start
    for (first, end), (after, _) in pairwise(words):
        if not (is_title(text[first:end], passage.language) and text[after].isupper()):
            break
        start = after
    return replace(found, start=start)
