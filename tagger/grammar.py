"""Frames: grammar files of the words around the entities, their expansion and count."""

from __future__ import annotations

import random
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from tagger.rawframes import logical
from tagger.slots import is_slot

FRAMES = Path(__file__).parent / "frames"
WORLD = "world"  # the folder beside a file whose file of the same name is read with it
COMMON = "common"
SYMBOL = re.compile(r"<([a-z][a-z0-9_]*(?:[.-][a-z0-9_]+)*)>")
HEAD = re.compile(r"@([a-z][a-z0-9_]*(?:[.-][a-z0-9_]+)*)\s*")
WEIGHT = re.compile(r"(\d+)\* ")
ESCAPES = {"n": "\n", "t": "\t"}


@dataclass(frozen=True, slots=True)
class Slot:
    """A value to be filled in."""

    name: str


@dataclass(frozen=True, slots=True)
class Symbol:
    """Another symbol to be expanded in its place."""

    name: str


@dataclass(frozen=True, slots=True)
class Choice:
    """Alternatives in brackets."""

    options: tuple[Sequence, ...]


Part = str | Slot | Symbol | Choice
Sequence = tuple[Part, ...]


class BadFrame(ValueError):
    """A production that cannot be read."""


@dataclass(frozen=True, slots=True)
class Production:
    """One line of a symbol."""

    weight: int
    parts: Sequence
    line: int


@dataclass(slots=True)
class Grammar:
    """The symbols of one file; those of common.txt stand behind them."""

    language: str
    symbols: dict[str, list[Production]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    behind: Grammar | None = None
    totals: dict[str, int] = field(default_factory=dict)
    weights: dict[str, list[int]] = field(default_factory=dict)

    def productions(self, name: str) -> list[Production]:
        """The productions of a symbol here or in common.txt; none when it is unknown."""
        if name in self.symbols:
            return self.symbols[name]
        return self.behind.productions(name) if self.behind else []

    def has(self, name: str) -> bool:
        """Whether the symbol can be expanded."""
        return bool(self.productions(name))


def parse(text: str) -> Sequence:
    """The parts of one production; raises BadFrame."""
    parts, end = read_sequence(text, 0, inside=False)
    if end != len(text):
        raise BadFrame("']' without '['")
    return parts


def read_sequence(text: str, start: int, *, inside: bool) -> tuple[Sequence, int]:
    """Parts from `start` to the end, or to the '|' or ']' of the bracket it stands in."""
    parts: list[Part] = []
    words: list[str] = []

    def add(part: Part) -> None:
        if words:
            parts.append("".join(words))
            words.clear()
        parts.append(part)

    i = start
    while i < len(text):
        char = text[i]
        if char == "\\" and i + 1 < len(text):
            words.append(ESCAPES.get(text[i + 1], text[i + 1]))
            i += 2
        elif char == "{":
            name, i = read_slot(text, i)
            add(Slot(name))
        elif char == "[":
            choice, i = read_choice(text, i)
            add(choice)
        elif char == "<" and (found := SYMBOL.match(text, i)):
            add(Symbol(found[1]))
            i = found.end()
        elif char == "]" or (char == "|" and inside):
            break
        else:
            words.append(char)
            i += 1
    if words:
        parts.append("".join(words))
    return tuple(parts), i


def read_slot(text: str, start: int) -> tuple[str, int]:
    """The name of the slot that opens at `start`, and the place after it."""
    end = text.find("}", start)
    if end < 0:
        raise BadFrame("'{' is not closed (a literal brace is written \\{)")
    return text[start + 1 : end].strip(), end + 1


def read_choice(text: str, start: int) -> tuple[Choice, int]:
    """The alternatives of the bracket that opens at `start`, and the place after it."""
    options: list[Sequence] = []
    i = start
    while True:
        parts, i = read_sequence(text, i + 1, inside=True)
        if i >= len(text):
            raise BadFrame("'[' is not closed (a literal bracket is written \\[)")
        options.append(parts)
        if text[i] == "]":
            return Choice(tuple(dict.fromkeys(options))), i + 1


def read_lines(lines: list[str], grammar: Grammar) -> None:
    """Adds the symbols of a file; what cannot be read is listed in `faults` and left out."""
    current = ""
    for number, line in logical(lines):
        if not line.strip() or line.startswith("#"):
            continue
        if head := HEAD.fullmatch(line):
            current = head[1]
            grammar.symbols.setdefault(current, [])
            continue
        weight = WEIGHT.match(line)
        try:
            parts = parse(line[weight.end() :] if weight else line)
        except BadFrame as error:
            grammar.faults.append(f"line {number}: {error}")
            continue
        if not current:
            grammar.faults.append(f"line {number}: a production before the first @symbol")
            continue
        grammar.symbols[current].append(Production(int(weight[1]) if weight else 1, parts, number))


def walk(parts: Sequence) -> Iterator[Slot | Symbol]:
    """All slots and symbols of a production."""
    for part in parts:
        if isinstance(part, Choice):
            for option in part.options:
                yield from walk(option)
        elif not isinstance(part, str):
            yield part


def drop_unusable(grammar: Grammar) -> None:
    """Lists unknown slots and symbols as faults and leaves out the productions that have them."""
    for name, rows in grammar.symbols.items():
        kept = []
        for row in rows:
            wrong = [fault for part in walk(row.parts) if (fault := fault_of(grammar, part))]
            where = f"line {row.line} (@{name})"
            grammar.faults.extend(f"{where}: {text}" for text in dict.fromkeys(wrong))
            if not wrong:
                kept.append(row)
        rows[:] = kept


def fault_of(grammar: Grammar, part: Slot | Symbol) -> str:
    """Why a slot or symbol cannot be used; empty when it can."""
    if isinstance(part, Slot):
        return "" if is_slot(part.name) else f"unknown slot {{{part.name}}}"
    known = part.name in grammar.symbols or (grammar.behind and grammar.behind.has(part.name))
    return "" if known else f"unknown symbol <{part.name}>"


def drop_circles(grammar: Grammar) -> None:
    """Leaves out productions that come back to their own symbol, and symbols left empty."""
    uses = {
        name: {part.name for row in rows for part in walk(row.parts) if isinstance(part, Symbol)}
        for name, rows in grammar.symbols.items()
    }
    for name, rows in grammar.symbols.items():
        kept = []
        for row in rows:
            called = {part.name for part in walk(row.parts) if isinstance(part, Symbol)}
            if any(name in reach(uses, other) for other in called):
                grammar.faults.append(f"line {row.line} (@{name}): comes back to <{name}>")
            else:
                kept.append(row)
        rows[:] = kept
    empty = {name for name, rows in grammar.symbols.items() if not rows}
    grammar.faults.extend(f"@{name}: no usable production" for name in sorted(empty))
    grammar.symbols = {name: rows for name, rows in grammar.symbols.items() if rows}
    if empty:
        drop_unusable(grammar)
        drop_circles(grammar)


def reach(uses: dict[str, set[str]], start: str) -> set[str]:
    """All symbols that the expansion of a symbol can meet, itself too."""
    seen, open_ = {start}, [start]
    while open_:
        for name in uses.get(open_.pop(), set()) - seen:
            seen.add(name)
            open_.append(name)
    return seen


def load(path: Path, behind: Grammar | None = None) -> Grammar:
    """The grammar of one file, with what is wrong in it."""
    grammar = Grammar(path.stem, behind=behind)
    for file in (path, path.parent / WORLD / path.name):
        if file == path or file.exists():
            read_lines(file.read_text(encoding="utf-8-sig").splitlines(), grammar)
    drop_unusable(grammar)
    drop_circles(grammar)
    return grammar


@lru_cache(maxsize=32)
def grammar_of(language: str) -> Grammar:
    """The grammar of a language with common.txt behind it; empty where there is no file yet."""
    common = FRAMES / f"{COMMON}.txt"
    behind = load(common) if common.exists() else None
    if language == COMMON:
        return behind or Grammar(COMMON)
    path = FRAMES / f"{language}.txt"
    return load(path, behind) if path.exists() else Grammar(language, behind=behind)


def count(grammar: Grammar, name: str) -> int:
    """How many distinct frames a symbol has: its expansions before slots are filled."""
    if name not in grammar.totals:
        distinct = {row.parts for row in grammar.productions(name)}
        grammar.totals[name] = sum(count_parts(grammar, parts) for parts in distinct)
    return grammar.totals[name]


def count_parts(grammar: Grammar, parts: Sequence) -> int:
    """The product over a production's parts; alternatives add up."""
    total = 1
    for part in parts:
        if isinstance(part, Symbol):
            total *= count(grammar, part.name)
        elif isinstance(part, Choice):
            total *= sum(count_parts(grammar, option) for option in part.options)
    return total


def expand(grammar: Grammar, name: str, rng: random.Random) -> list[str | Slot]:
    """One expansion: text and slots in order; spaces around an empty alternative become one."""
    out: list[str | Slot] = []
    spread(grammar, name, rng, out)
    if out and isinstance(out[-1], str):
        out[-1] = out[-1].rstrip(" ")
    if out and isinstance(out[0], str):
        out[0] = out[0].lstrip(" ,;")
    return out


def spread(grammar: Grammar, name: str, rng: random.Random, out: list[str | Slot]) -> None:
    """Adds one expansion of a symbol to `out`."""
    rows = grammar.productions(name)
    if not rows:
        raise KeyError(f"no symbol {name} in the frames of {grammar.language}")
    row = rows[0] if len(rows) == 1 else rng.choices(rows, weights_of(grammar, name))[0]
    spread_parts(grammar, row.parts, rng, out)


def weights_of(grammar: Grammar, name: str) -> list[int]:
    """The weights of a symbol's productions; one with many expansions comes somewhat more often."""
    if name not in grammar.weights:
        grammar.weights[name] = [
            row.weight * (2 + count_parts(grammar, row.parts).bit_length())
            for row in grammar.productions(name)
        ]
    return grammar.weights[name]


def spread_parts(
    grammar: Grammar, parts: Sequence, rng: random.Random, out: list[str | Slot]
) -> None:
    """Adds one expansion of each part."""
    for part in parts:
        if isinstance(part, Symbol):
            spread(grammar, part.name, rng, out)
        elif isinstance(part, Choice):
            spread_parts(grammar, rng.choice(part.options), rng, out)
        elif isinstance(part, str):
            last = out[-1] if out else " "
            text = part
            if isinstance(last, str) and last.endswith((" ", "\n")) and part.startswith(" "):
                text = part.lstrip(" ")
            if text:
                out.append(text)
        else:
            out.append(part)


if __name__ == "__main__":
    from tagger.check import main

    sys.exit(main())
