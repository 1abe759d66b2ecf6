"""Blocks in frame files that are taken literally: programs, JSON, logs, lists."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tagger.slots import is_slot

START, END = "<<<", ">>>"
HOLE = re.compile("«([^«»]*)»")
SIGN = re.compile(r"[\\{\[\]<|]")


def logical(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Lines with their numbers; a block between <<< and >>> is one production, taken literally."""
    block: list[str] | None = None
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n").rstrip(" ")
        if block is None and line == START:
            block = []
        elif block is not None and line == END:
            yield number - len(block), literal("\n".join(block))
            block = None
        elif block is not None:
            block.append(line)
        else:
            yield number, line
    if block is not None:
        yield len(lines), "["  # told as a bracket that is not closed


def literal(text: str) -> str:
    """A block as a production: signs stand for themselves, «slot», «a|b» and «<symbol>» do not."""
    out: list[str] = []
    for i, part in enumerate(HOLE.split(text)):
        if i % 2 == 0:
            out.append(SIGN.sub(r"\\\g<0>", part).replace("\n", "\\n").replace("\t", "\\t"))
        elif is_slot(part):
            out.append(f"{{{part}}}")
        else:
            out.append(part if part[:1] in ("<", "[") else f"[{part}]")
    text = "".join(out)
    return f"\\{text}" if text[:1] in ("#", "@") else text
