"""Tables in a text: the head of a column is the label of each cell below it.

Read as tables: lines of CSV, TSV, semicolons or Markdown pipes with one number of cells, under a
head whose cells are short words of which one at least announces an identifier.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache

from scrubbers.finding import Finding
from scrubbers.passage import Passage
from scrubbers.rules import cues
from scrubbers.rules.common import plain
from scrubbers.rules.labelled import announces, whole_values

Cell = tuple[int, int]

_DELIMITERS = "\t|;,"
_HEAD = re.compile(r"[^\W\d][\w .#/()º°-]{0,30}")
_RULE_CELL = re.compile(r":?-{2,}:?")
_LINE = re.compile(r"[^\r\n]+")
_MOST_WORDS = 4
_MOST_ROWS = 2_000
# Columns of names, where another column shows that the rows are people.
_NAMES = frozenset({"name", "nombre", "nom", "nome", "naam"})


def cells(passage: Passage) -> Iterable[Finding]:
    """Cells that have the form that the head of their column promises."""
    for labels, _, row in _rows(passage.text):
        yield from _in_row(passage, labels, row)


@lru_cache(maxsize=4)  # the rules and the models read one text after the other
def heads(text: str) -> tuple[Cell, ...]:
    """The head lines of the tables in a text: what stands there is no value."""
    return tuple(dict.fromkeys(head for _, head, _ in _rows(text)))


def _rows(text: str) -> Iterator[tuple[list[str], Cell, list[Cell]]]:
    """Each row of each table: the labels, the place of the head's line, the row's cells."""
    if "\n" not in text:
        return
    labels: list[str] = []
    mark, rows, head, above = "", 0, (0, 0), (0, 0)
    for line in _LINE.finditer(text):
        if labels and rows < _MOST_ROWS and text.count("\n", above[1], line.start()) <= 1:
            row = _split(text, line.start(), line.end(), mark)
            if len(row) == len(labels):
                yield labels, head, row
                above, rows = line.span(), rows + 1
                continue
        mark, labels = _labels(text, *line.span())
        head = above = line.span()
        rows = 0


def _labels(text: str, start: int, end: int) -> tuple[str, list[str]]:
    """The delimiter and the labels of a line that can be a table's head; no labels if it cannot."""
    for mark in _DELIMITERS:
        if text.find(mark, start, end) < 0:
            continue
        row = [text[a:b] for a, b in _split(text, start, end, mark)]
        short = all(_HEAD.fullmatch(cell) and len(cell.split()) <= _MOST_WORDS for cell in row)
        if len(row) > 1 and short and any(map(announces, row)):
            return mark, _people(row)
    return "", []


def _people(row: list[str]) -> list[str]:
    """The heads; "name" beside a column of personal numbers is a person's."""
    others = [cell for cell in row if plain(cell) not in _NAMES]
    if not any(map(announces, others)):
        return row
    return ["full name" if plain(cell) in _NAMES else cell for cell in row]


def _split(text: str, start: int, end: int, mark: str) -> list[Cell]:
    """The cells of a line, without white space, quotes and the outer pipes."""
    found: list[Cell] = []
    at = start
    while at <= end:
        quoted = text[at : at + 1] == '"' and (close := text.find('"', at + 1, end)) > 0
        stop = text.find(mark, close if quoted else at, end)
        stop = end if stop < 0 else stop
        found.append(_stripped(text, at, stop))
        at = stop + 1
    if mark != "|":
        return found
    outer = text[start:end].strip()
    return found[outer.startswith("|") : len(found) - outer.endswith("|")]


def _stripped(text: str, start: int, end: int) -> Cell:
    while start < end and (text[start].isspace() or text[start] in '"`*'):
        start += 1
    while end > start and (text[end - 1].isspace() or text[end - 1] in '"`*'):
        end -= 1
    return start, end


def _in_row(passage: Passage, labels: list[str], row: list[Cell]) -> Iterator[Finding]:
    for label, (start, end) in zip(labels, row, strict=True):
        value = passage.text[start:end]
        if not value or cues.is_container(label) or _RULE_CELL.fullmatch(value):
            continue
        for found in whole_values(Passage(value, passage.language, label)):
            yield replace(found, start=found.start + start, end=found.end + start)
