"""Postcodes: their beginning is the unit of an area, the rest a unit of its own.

How long a code is and where its letters stand tell the plan, never the text around it: five digits
are one code in each country, so `28013` in one leaf and `28013 Madrid` in another agree. A house
number of four or five digits is read in the same way.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from scrubbers.surrogates.areas import area_of, area_unit
from scrubbers.surrogates.components import number_slot
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import digits_of, fold, refill
from scrubbers.surrogates.unit import Piece, Slot, Unit

Fill = Callable[[str, str], str]  # a beginning and a rest -> the code as it is written
# Digits alone by their number: the plan, and how many of them are the beginning.
DIGITS = {4: ("4", 2), 5: ("5", 2), 7: ("PT", 2), 8: ("BR", 2)}
ORDINAL = r"(?!\d(?:ST|ND|RD|TH)\b)"  # "E10 3RD FLOOR" is no postcode
LETTERED = (
    ("CA", re.compile(r"\b([A-Z]\d)([A-Z])([ -]?)(\d[A-Z]\d)\b", re.I)),
    ("IE", re.compile(r"\b([A-Z]\d[\dW])()( ?)((?=[A-Z]*\d)[A-Z][A-Z\d]{3})\b", re.I)),
    ("GB", re.compile(rf"\b([A-Z]{{1,2}})(\d[A-Z\d]?)(\s?)({ORDINAL}\d[A-Z]{{2}})\b", re.I)),
)  # fmt: skip
DUTCH = re.compile(r"\b([1-9]\d{3})(\s?)([A-Z]{2})\b|\b([1-9]\d{3})()([a-z]{2})\b")
# Portugal, Brazil, Poland.
GROUPED = re.compile(r"(?<![\w-])(?:\d{4}-\d{3}|\d\d\.?\d{3}-\d{3}|\d\d-\d{3})(?![\w-])")
# Sweden, Greece, Slovakia and Czechia, where nothing else can be meant: first in a part.
SPACED = re.compile(r"(?:^|[,;\n]\s*|\bSE?-)(\d{3} \d\d)(?=\s+[^\W\d_]|\s*(?:$|[,;\n]))")
INWARD = "ABDEFGHJLNPQRSTUWXYZ"  # letters behind the gap of a British postcode
CLASSES = {"D": "0123456789", "N": "123456789", "2": "23456789", "0": "0", "1": "1",
           "I": INWARD, "L": "ABCEGHJKLMNPRSTVWXYZ", "A": ascii_uppercase}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Code:
    """A postcode in a text: `lettered` where letters show that it is one and nothing else."""

    start: int
    end: int
    area: str
    pieces: tuple[Piece, ...]
    lettered: bool = False


# --- finding --------------------------------------------------------------------------------


def codes(text: str, kept: frozenset[str], *, keep_area: bool) -> list[Code]:
    """The postcodes of a text that their form shows, in order; digits alone are no part.

    `kept`: words of addresses, which are not the letters of a Dutch postcode.
    """
    found: list[Code] = []
    for code in sorted(
        candidates(text, kept, keep_area=keep_area), key=lambda c: (c.start, -c.end)
    ):
        if not found or code.start >= found[-1].end:
            found.append(code)
    return found


def lettered_spans(text: str, kept: frozenset[str]) -> list[tuple[int, int]]:
    """Where postcodes with letters stand."""
    return [
        (code.start, code.end)
        for code in codes(text, kept, keep_area=True)
        if any(char.isalpha() for char in text[code.start : code.end])
    ]


def candidates(text: str, kept: frozenset[str], *, keep_area: bool) -> Iterator[Code]:
    """Everything that has the form of a postcode."""
    for plan, shape in LETTERED:
        for match in shape.finditer(text):
            if match[0].isascii() and (match[0].isupper() or match[0].islower()):
                yield lettered(plan, match, keep_area=keep_area)
    for match in DUTCH.finditer(text):
        number, gap, letters = match[1] or match[4], match[2] or "", match[3] or match[6]
        if fold(letters) not in kept and match[0].isascii():
            unit = rest_unit("NL", letters.upper())
            tail = Slot((unit,), like_letters(letters))
            yield Code(
                *match.span(), digit_area(number), (digit_slot(number, keep_area), gap, tail)
            )
    for shape, group in ((GROUPED, 0), (SPACED, 1)):
        for match in shape.finditer(text):
            slot = digit_slot(match[group], keep_area)
            yield Code(*match.span(group), digit_area(match[group]), (slot,))


def like_letters(letters: str) -> Callable[[Sequence[str]], str]:
    """Two letters in the case of those that stood there."""
    return lambda norms: cased(letters, text_of(norms[0]))


def cased(original: str, shown: str) -> str:
    """Codes are written in capitals, or all small."""
    return shown.lower() if original.islower() else shown


def text_of(norm: str) -> str:
    """What of a norm is written."""
    return norm.partition(" ")[2]


# --- codes of digits ------------------------------------------------------------------------


def number_piece(text: str, *, keep_area: bool) -> Piece:
    """Digits that stand alone: a postcode where they are as many, else a number."""
    return digit_slot(text, keep_area) if len(digits_of(text)) in DIGITS else number_slot(text)


def digit_area(text: str) -> str:
    """The area of a code of digits, "" where the number is none."""
    plain = digits_of(text)
    plan, size = DIGITS.get(len(plain), ("", 0))
    return area_of(plan, plain[:size])[0] if plan else ""


def digit_slot(text: str, keep_area: bool) -> Slot:  # noqa: FBT001
    """A code of digits, its separators kept."""
    plain = digits_of(text)
    plan, size = DIGITS[len(plain)]
    return code_slot(plan, plain[:size], plain[size:], lambda a, b: refill(text, a + b), keep_area)


def code_slot(plan: str, beginning: str, rest: str, fill: Fill, keep_area: bool) -> Slot:  # noqa: FBT001
    """The two units of a code, or with the beginning kept the rest alone."""
    if keep_area:
        return Slot((rest_unit(plan, rest),), lambda norms: fill(beginning, text_of(norms[0])))
    area, index = area_of(plan, beginning)
    units = (area_unit(area), rest_unit(plan, f"{index}.{rest}" if index else rest))
    return Slot(units, lambda norms: fill(text_of(norms[0]), text_of(norms[1])))


# --- codes with letters ---------------------------------------------------------------------


def lettered(plan: str, match: re.Match[str], *, keep_area: bool) -> Code:
    """A Canadian, Irish or British postcode: beginning, what follows it, gap, last part."""
    beginning, more, gap, last = match.groups()
    size = len(last)

    def fill(head: str, rest: str) -> str:
        return cased(match[0], f"{head}{rest[:-size]}{gap}{rest[-size:]}")

    slot = code_slot(plan, beginning.upper(), (more + last).upper(), fill, keep_area)
    area, _ = area_of(plan, beginning.upper())
    return Code(*match.span(), area, (slot,), lettered=True)


# --- the rest -------------------------------------------------------------------------------


def rest_unit(plan: str, rest: str) -> Unit:
    """What follows the beginning; an index ("2.") where the area has several beginnings."""
    return Unit(f"rest:{plan}:{shape_of(plan, rest.rpartition('.')[2])}", f"{plan} {rest}")


def shape_of(plan: str, rest: str) -> str:
    """Which characters stand where, a letter of CLASSES for each.

    Behind a beginning of two digits 0 and 1 are kept apart: there most countries have the main
    town of the area.
    """
    if plan == "5":
        return f"{rest[0] if rest[0] in '01' else '2'}DD"
    if plan == "GB":
        inner = "".join(
            "N" if i == 0 else "D" if c.isdigit() else "I" for i, c in enumerate(rest[:-3])
        )
        return f"{inner}DII"
    if plan == "NL":
        return "AA"
    return "".join("D" if char.isdigit() else "L" for char in rest)


def draw_rest(details: str, stream: Stream, taken: frozenset[str]) -> str:
    """Another rest of the same form; its letters are no word of addresses."""
    plan, shape = details.split(":")
    for _ in range(64):
        rest = "".join(stream.pick(CLASSES[kind]) for kind in shape)
        if rest[-2:].lower() not in taken:
            break
    return f"{plan} {rest}"


def rest_capacity(details: str) -> int:
    """How many rests have a form."""
    return math.prod(len(CLASSES[kind]) for kind in details.split(":")[1])
