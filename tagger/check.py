"""`python -m tagger.check [FILE|LANG ...]`: what is wrong in grammar files, and their frames.

For each file: unknown symbols and slots, entry symbols that are missing, productions, and the
number of distinct frames of each entry symbol. `--show SYMBOL N` prints expansions instead.
"""

from __future__ import annotations

import argparse
import random
import sys
from pathlib import Path

from tagger.grammar import (
    COMMON,
    FRAMES,
    Grammar,
    Symbol,
    count,
    expand,
    grammar_of,
    load,
    walk,
)
from tagger.near import SYMBOLS, near_grammar
from tagger.slots import ENTRIES, KEYS, LANGUAGES, WORLD_ENTRIES


def main() -> int:
    """Checks the files named, or all that exist; 1 when a fault was found."""
    arguments = read_arguments()
    names = [name for name in arguments.names if name.upper() != "CHECK"]
    if not names:
        names = [name for name in (COMMON, *LANGUAGES) if (FRAMES / f"{name}.txt").exists()]
    faulty = False
    for name in names:
        path = Path(name)
        grammar = load(path, grammar_of(COMMON)) if path.suffix == ".txt" else grammar_of(name)
        if arguments.show:
            show(grammar, arguments.show, arguments.number, arguments.seed)
        else:
            print("\n".join(described(grammar, wants_all=path.stem != COMMON)))
            faulty = faulty or bool(grammar.faults)
            faulty = faulty or (name in LANGUAGES and bool(near_grammar(name).faults))
    return int(faulty)


def read_arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="tagger.check", description=__doc__)
    parser.add_argument("names", nargs="*", help="languages or grammar files; all without")
    parser.add_argument("--show", metavar="SYMBOL", default="")
    parser.add_argument("--number", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def described(grammar: Grammar, *, wants_all: bool) -> list[str]:
    """The lines of one file's report."""
    rows = sum(len(rows) for rows in grammar.symbols.values())
    own = [name for name in ENTRIES if name in grammar.symbols]
    own += [name for name in WORLD_ENTRIES if grammar.has(name)]
    frames = sum(count(grammar, name) for name in own)
    lines = [
        f"{grammar.language}: {len(grammar.symbols)} symbols, {rows} productions, {frames:,} frames"
    ]
    lines += [f"  fault: {fault}" for fault in grammar.faults]
    if wants_all:
        missing = [name for name in (*ENTRIES, *KEYS) if name not in grammar.symbols]
        lines += [f"  missing: {' '.join(missing)}"] if missing else []
    used = reached(grammar)
    unused = sorted(set(grammar.symbols) - used)
    lines += [f"  never used: {' '.join(unused)}"] if unused and wants_all else []
    lines += [
        f"  {name:15} {count(grammar, name):>26,} frames, {len(grammar.productions(name)):4} productions"
        for name in own
    ]
    return lines + (near_lines(grammar.language) if grammar.language in LANGUAGES else [])


def near_lines(language: str) -> list[str]:
    """The report of the language's file in near/, with the shapes of near/common.txt."""
    grammar = near_grammar(language)
    names = dict.fromkeys(name for rows in SYMBOLS.values() for name, _ in rows)
    rows = sum(len(rows) for rows in grammar.symbols.values())
    frames = sum(count(grammar, name) for name in names)
    lines = [
        f"{language} near: {len(grammar.symbols)} symbols, {rows} productions, {frames:,} frames"
    ]
    lines += [f"  fault: {fault}" for fault in grammar.faults]
    return lines + [f"  {name:15} {count(grammar, name):>26,} frames" for name in names]


def reached(grammar: Grammar) -> set[str]:
    """The symbols that some entry or key symbol can meet."""
    seen: set[str] = set()
    open_ = [name for name in grammar.symbols if name in ENTRIES or name.startswith("key.")]
    open_ += [name for name in WORLD_ENTRIES if grammar.has(name)]
    while open_:
        name = open_.pop()
        if name in seen:
            continue
        seen.add(name)
        for row in grammar.productions(name):
            open_ += [part.name for part in walk(row.parts) if isinstance(part, Symbol)]
    return seen


def show(grammar: Grammar, symbol: str, number: int, seed: int) -> None:
    """Prints expansions with their slots."""
    rng = random.Random(seed)
    for _ in range(number):
        parts = expand(grammar, symbol, rng)
        print("".join(p if isinstance(p, str) else f"{{{p.name}}}" for p in parts), end="\n--\n")


if __name__ == "__main__":
    sys.exit(main())
