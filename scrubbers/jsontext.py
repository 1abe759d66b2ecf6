"""Leaves of a JSON record with exact maps to its text, and edits that leave every other byte alone.

A string leaf may hold JSON itself (bare, in a fenced block, in prose, encoded twice); its leaves
follow it and know both their place in the outer leaf and in the record's text.
"""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from scrubbers.jsonlex import (
    NUMBER,
    SPACE,
    IndexStep,
    KeyStep,
    NotJson,
    Step,
    Steps,
    Stop,
    Token,
    lex,
    lex_all,
    to_value,
)
from scrubbers.jsonstyle import ESCAPE, escaped, style_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = [
    "IndexStep",
    "KeyStep",
    "Leaf",
    "NotJson",
    "Step",
    "Steps",
    "leaves",
    "path",
    "splice",
    "to_value",
]

MAX_LEVELS = 8  # JSON in a string in JSON in a string ...
_SEARCH = 16  # characters lexed in vain per character of text before the rest is left as prose

_WHOLE = re.compile(rf'{SPACE}(["{{\[])')
_CANDIDATE = re.compile(
    r"```(?:[jJ][sS][oO][nN]\w*)?[ \t]*[\r\n]+\s*([{\[])"
    rf'|(\{{)(?={SPACE}")'
    rf'|(\[)(?={SPACE}\{{{SPACE}["}}])'
)
_PLAIN_NAME = re.compile(r"[A-Za-z_$][\w$-]{0,40}", re.ASCII)

Blocks = list[tuple[int, int, list[Token]]]


@dataclass(frozen=True, slots=True, repr=False)
class Leaf:
    """One string, number or key of a record.

    `text`: decoded code points (a number: its source text). `steps`: path of the outer leaf;
    `inner_steps`: path inside the JSON that the outer leaf holds, levels joined, None for an outer
    leaf. `label`: nearest key above the value. `prose`: the ranges of `text` that no inner JSON
    covers. Fields with an underscore are the map to the text in which the literal stands.
    """

    kind: str
    text: str
    steps: Steps
    inner_steps: Steps | None
    label: str
    prose: tuple[tuple[int, int], ...]
    _source: str = field(compare=False)  # the text that the literal stands in
    _start: int = field(compare=False)  # offset of the literal's body there
    _escapes: array[int] | None = field(compare=False)  # positions of the escapes in `text`
    _shifts: array[int] | None = field(compare=False)  # source minus text offset after each
    _within: Leaf | None = field(compare=False)  # the leaf whose text is `_source`

    def __repr__(self) -> str:
        return f"Leaf({self.kind}, {len(self.text)} code points, depth {len(self.steps)})"

    def outer_span(self, start: int, end: int) -> tuple[int, int]:
        """`text[start:end]` as a range of the decoded outer leaf; no escape is cut."""
        if self._within is None:
            self._require(start, end)
            return start, end
        return self._within.outer_span(*self._source_span(start, end))

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """`text[start:end]` as a range of the record's text; no escape is cut."""
        span = self._source_span(start, end)
        return span if self._within is None else self._within.raw_span(*span)

    def _require(self, start: int, end: int) -> None:
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"span {start}..{end} is not within a leaf of {len(self.text)}")

    def _source_span(self, start: int, end: int) -> tuple[int, int]:
        self._require(start, end)
        return self._start + self._offset(start), self._start + self._offset(end)

    def _offset(self, at: int) -> int:
        if self._escapes is None or self._shifts is None:
            return at
        before = bisect_left(self._escapes, at)
        return at + (self._shifts[before - 1] if before else 0)

    def escaped(self, new: str, record_text: str) -> str:
        """Escape new decoded text of this leaf for the record, level by level, in the style there.

        Raises ValueError if the leaf is not one of that record.
        """
        if self.kind != "number":
            body = self._source[self._start : self._start + self._offset(len(self.text))]
            new = escaped(new, style_of(body, self._source))
        if self._within is not None:
            return self._within.escaped(new, record_text)
        if self._source != record_text:
            raise ValueError("an edit names a leaf of another record")
        return new


def leaves(record_text: str) -> list[Leaf]:
    """All leaves of a record in document order, inner leaves after the leaf that holds them.

    Raises NotJson for anything but one strict JSON value.
    """
    found: list[Leaf] = []
    _collect(lex_all(record_text), record_text, None, 0, found)
    return found


def _collect(
    tokens: list[Token], source: str, within: Leaf | None, level: int, found: list[Leaf]
) -> None:
    for kind, text, start, end, steps, label in tokens:
        holds = kind == "string" and ("{" in text or "[" in text or "\\u00" in text)
        blocks = _blocks(text) if holds and level < MAX_LEVELS else []
        escapes, shifts = (
            _escape_map(source, start, end) if end - start > len(text) else (None, None)
        )
        leaf = Leaf(
            kind,
            text,
            steps if within is None else within.steps,
            None if within is None else (within.inner_steps or ()) + steps,
            label or (within.label if within is not None and kind != "key" else ""),
            _uncovered(len(text), blocks) if blocks else ((0, len(text)),),
            source,
            start,
            escapes,
            shifts,
            within,
        )
        found.append(leaf)
        for _, _, inner in blocks:
            _collect(inner, text, leaf, level + 1, found)


def _escape_map(source: str, start: int, end: int) -> tuple[array[int], array[int]]:
    """Find the escapes of a body: their places in its decoded text, the offset shift after each."""
    escapes, shifts = array("q"), array("q")
    shift = 0
    for found in ESCAPE.finditer(source, start, end):
        escapes.append(found.start() - start - shift)
        shift += found.end() - found.start() - 1
        shifts.append(shift)
    return escapes, shifts


def _blocks(text: str) -> Blocks:
    """Find the JSON values inside a text: start, end, tokens (offsets of `text`)."""
    first = _WHOLE.match(text)
    if first is not None:
        try:
            tokens = lex_all(text)
        except NotJson:
            pass
        else:
            whole = first.group(1) != '"' or _wraps_container(tokens[0][1], 1)
            return [(0, len(text), tokens)] if whole else []
    return list(_found_in_prose(text))


def _wraps_container(text: str, level: int) -> bool:
    first = _WHOLE.match(text)
    if first is None or level >= MAX_LEVELS:
        return False
    try:
        tokens = lex_all(text)
    except NotJson:
        return False
    return first.group(1) != '"' or _wraps_container(tokens[0][1], level + 1)


def _found_in_prose(text: str) -> Iterator[tuple[int, int, list[Token]]]:
    at, budget = 0, _SEARCH * len(text)
    while budget > 0:
        candidate = _CANDIDATE.search(text, at)
        if candidate is None:
            return
        start = candidate.end() - 1
        try:
            tokens, at = lex(text, start)
        except Stop as stop:
            at = start + 1
            budget -= stop.offset - start + 1
        else:
            yield start, at, tokens


def _uncovered(length: int, blocks: Blocks) -> tuple[tuple[int, int], ...]:
    gaps, at = [], 0
    for start, end, _ in blocks:
        gaps.append((at, start))
        at = end
    gaps.append((at, length))
    return tuple((start, end) for start, end in gaps if start < end)


def splice(record_text: str, edits: Sequence[tuple[Leaf, int, int, str]]) -> str:
    """Replace `leaf.text[start:end]` by new decoded text in the record, for each edit.

    Every character outside the replaced spans stays; new text is escaped for each level in the
    style of the literal around it. Raises ValueError (without values) for edits that overlap, a
    leaf of another record, or a number that would stop being one.
    """
    _require_numbers(edits)
    pieces = []
    for leaf, start, end, new in edits:
        pieces.append((*leaf.raw_span(start, end), leaf.escaped(new, record_text)))
    pieces.sort(key=lambda piece: piece[:2])
    out: list[str] = []
    at = 0
    for start, end, new in pieces:
        if start < at:
            raise ValueError(f"edits overlap at offset {start} of the record")
        out += (record_text[at:start], new)
        at = end
    return "".join((*out, record_text[at:]))


def _require_numbers(edits: Sequence[tuple[Leaf, int, int, str]]) -> None:
    numbers: dict[int, str] = {}
    # From the back, so that the offsets of the edits before stay right.
    for leaf, start, end, new in sorted(edits, key=lambda edit: edit[1], reverse=True):
        if leaf.kind == "number":
            place = leaf.raw_span(0, 0)[0]
            text = numbers.get(place, leaf.text)
            numbers[place] = text[:start] + new + text[end:]
    for place, text in numbers.items():
        if NUMBER.fullmatch(text) is None:
            raise ValueError(f"the number at offset {place} would no longer be a JSON number")


def path(steps: Steps, hidden: frozenset[str] = frozenset(), *, inner: bool = False) -> str:
    """`messages[1].content`, or `$.customer.name` for an inner path; the root is `$`.

    A key that is no plain name or is in `hidden` (names that hold a finding) shows as `[key 3]`;
    the second key of one name as `name~2`.
    """
    shown = "$" if inner or not steps else ""
    for step in steps:
        if isinstance(step, IndexStep):
            shown += f"[{step.index}]"
        elif step.name in hidden or _PLAIN_NAME.fullmatch(step.name) is None:
            shown += f"[key {step.ordinal}]"
        else:
            repeat = f"~{step.repeat}" if step.repeat > 1 else ""
            shown += f"{'.' if shown else ''}{step.name}{repeat}"
    return shown
