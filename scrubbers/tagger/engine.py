"""The tagger as a detector: its spans as findings of the product's entity types.

It reads no fixed words: of what the other models need to be told, only this was measured to help it
as well. A form of address before a name stays; no single word that machines write, that is glued to
code or that stands in a placeholder is a person; a number of a day alone is no date of birth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from scrubbers.catalog import TAGGER, Detect
from scrubbers.entities import LABELS
from scrubbers.finding import Finding
from scrubbers.name_guards import NEVER, WORD, is_glued, is_title, placeholders, word_set
from scrubbers.passage import Passage
from scrubbers.tagger.card import card
from scrubbers.tagger.spans import Span

# What a user's threshold can go down to; the card's floors decide where none is set.
WEAK = 0.1
# Keys of texts of any kind, among them those of the chat formats.
_SAYS_NOTHING = word_set(
    "content text value input output instruction prompt completion message body question answer "
    "response reply chosen rejected system user assistant"
)
LEAST_DIGITS = 4  # of a date of birth in digits alone
SHORT = 100  # characters of a value that is read with its key


def build(_: Sequence[str]) -> Detect:
    """The detector. Raises ModelDamaged."""
    from scrubbers.tagger.model import shipped  # noqa: PLC0415  loaded when built: slow

    tagger = shipped(WEAK)

    def detect(passages: Sequence[Passage]) -> list[list[Finding]]:
        heads = [_head(passage) for passage in passages]
        found = tagger([_read(p.text, head) for p, head in zip(passages, heads, strict=True)])
        return [
            list(_guarded(passage, _findings(own, len(head), len(passage.text))))
            for passage, head, own in zip(passages, heads, found, strict=True)
        ]

    return detect


def floors() -> Mapping[str, float]:
    """Entity type -> least score of a finding, where the user sets none. Raises ModelDamaged."""
    return {LABELS[name][0]: least for name, least in card().floors.items()}


def _head(passage: Passage) -> str:
    """What is read before a short value: its key, which often is all that tells what it is."""
    key = passage.label
    told = key and key.casefold() not in _SAYS_NOTHING and len(passage.text) <= SHORT
    return f'"{key}": "' if told else ""


def _read(text: str, head: str) -> str:
    return f'{head}{text}"' if head else text


def _findings(spans: Sequence[Span], before: int, size: int) -> Iterator[Finding]:
    """The spans as findings in the value alone, of which `before` characters stand in front."""
    for span in spans:
        start, end = max(0, span.start - before), min(size, span.end - before)
        if start < end:
            yield Finding(start, end, LABELS[span.type][0], round(span.score, 4), TAGGER)


def _guarded(passage: Passage, findings: Iterator[Finding]) -> Iterator[Finding]:
    """The findings, people without forms of address and without what is none."""
    empty = placeholders(passage.text)
    for found in findings:
        if found.type == "DATE_OF_BIRTH":
            if _is_dated(passage.text[found.start : found.end]):
                yield found
        elif found.type != "PERSON":
            yield found
        elif not any(a <= found.start and found.end <= b for a, b in empty):
            words = [m.span() for m in WORD.finditer(passage.text, found.start, found.end)]
            if len(words) != 1 or not _is_machine(passage.text, *words[0]):
                yield _untitled(passage, found, words)


def _is_dated(value: str) -> bool:
    """Whether there is a month's name in it, or a year; what is neither cannot be read later."""
    return any(map(str.isalpha, value)) or sum(map(str.isdecimal, value)) >= LEAST_DIGITS


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
