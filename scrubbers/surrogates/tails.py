"""Codes that are the end, the beginning or a misread form of a longer one in the record."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from scrubbers.surrogates import codes, escapes, lookalikes, spoken
from scrubbers.surrogates.phones import told_plans
from scrubbers.surrogates.readings import rendered
from scrubbers.surrogates.text import digits_of
from scrubbers.surrogates.unit import Piece, Slot, Value

TYPES = frozenset(
    ("PHONE_NUMBER", "IBAN_CODE", "CREDIT_CARD", "BANK_ACCOUNT", "NATIONAL_ID", "PASSPORT",
     "LICENCE_PLATE", "MEDICAL_ID", "OTHER_ID")
)  # fmt: skip
SHORTEST_END = 3
SHORTEST_START = 4
SHORTEST_WHOLE = 6
LOCAL = 8  # digits of a telephone number without its area code
MASK = re.compile(codes.HIDDEN)
DIVIDER = "\t"


@dataclass(frozen=True, slots=True)
class Code:
    """A code of a record: its type, its plain text, its compact form, its parts around a mask."""

    entity: str
    plain: str
    norm: str
    parts: tuple[str, str] | None


def stands_for(values: Sequence[Value]) -> list[str]:
    """For each value the longer code that it is short for, "" where it stands for itself.

    The answer is opaque, for `standing_pieces`. "" also where two different codes fit.
    """
    read = [code_of(value) for value in values]
    plans = telephone_plans(values)
    wholes: dict[tuple[str, str], str] = {}
    for code, plan in zip(read, plans, strict=True):
        if len(code.norm) >= SHORTEST_WHOLE and not code.parts:
            told = DIVIDER.join((code.entity, plan, code.plain))
            wholes.setdefault((code.norm, code.entity), told)
    return [resolved(code, wholes) for code in read]


def telephone_plans(values: Sequence[Value]) -> list[str]:
    """The telephone plan of each number that another form in the record tells, else ""."""
    return told_plans(
        [plain_of(v.text, v.entity) if v.entity == "PHONE_NUMBER" else "" for v in values]
    )


def code_of(value: Value) -> Code:
    """A value as it is compared; of other types an empty one."""
    if value.entity not in TYPES:
        return Code("", "", "", None)
    plain = plain_of(value.text, value.entity)
    norm = norm_of(plain, value.entity)
    return Code(value.entity, plain, norm, parts_of(plain))


def plain_of(text: str, entity: str) -> str:
    """A code without escapes and in digits and letters."""
    for kind in (escapes.reading, spoken.reading, lookalikes.reading):
        found = kind(text, entity)
        text = found.plain if found else text
    return text


def norm_of(plain: str, entity: str) -> str:
    """The compact form; of a telephone number its digits."""
    return digits_of(plain) if entity == "PHONE_NUMBER" else codes.compact(plain, upper=True)[0]


def parts_of(plain: str) -> tuple[str, str] | None:
    """What stands before and behind a mask, as in "4921 **** **** 9514"; None without a mask."""
    found = MASK.search(plain)
    if not found:
        return None
    head, tail = (
        codes.compact(part, upper=True)[0]
        for part in (plain[: found.start()], plain[found.end() :])
    )
    return (head, tail) if len(tail) >= SHORTEST_END else None


def resolved(code: Code, wholes: dict[tuple[str, str], str]) -> str:
    """The one whole that a code stands for."""
    found: dict[str, str] = {}
    for (norm, entity), told in wholes.items():
        if fits(code, norm, entity):
            found.setdefault(norm, told)
    if not found:
        return ""
    longest = max(found, key=len)
    alike = all(norm == longest or place(norm, longest) for norm in found)
    return found[longest] if alike else ""


def fits(code: Code, norm: str, entity: str) -> bool:
    """Whether a code is short for a longer one or a misread form of it."""
    if code.parts:
        head, tail = code.parts
        return len(norm) > len(head + tail) and norm.startswith(head) and norm.endswith(tail)
    if not code.norm or norm == code.norm:
        return False
    if code.entity == entity == "PHONE_NUMBER" and len(code.norm) > LOCAL:
        return False
    return bool(place(code.norm, norm)) or misread(code.norm, norm)


def place(short: str, long: str) -> str:
    """Where a short code stands in a longer one: "end", "start" or ""."""
    if len(short) >= len(long):
        return ""
    if len(short) >= SHORTEST_END and long.endswith(short):
        return "end"
    return "start" if len(short) >= SHORTEST_START and long.startswith(short) else ""


def misread(norm: str, clean: str) -> bool:
    """Whether a code is another one with letters for some of its digits."""
    more = sum(map(str.isdigit, clean)) > sum(map(str.isdigit, norm))
    return (
        more
        and len(norm) == len(clean)
        and lookalikes.digits_for(norm) == lookalikes.digits_for(clean)
    )


# --- writing --------------------------------------------------------------------------------


def standing(told: str) -> tuple[str, str, str]:
    """(type, telephone plan, plain text) of the longer code that `stands_for` told."""
    entity, plan, plain = told.split(DIVIDER, 2)
    return entity, plan, plain


def standing_pieces(plain: str, entity: str, told: str, whole: Sequence[Piece]) -> list[Piece]:
    """A short code by the pieces of the longer one: the same end or beginning of its surrogate."""
    code = code_of(Value(entity, plain))
    long_entity, _, long_plain = standing(told)
    long = norm_of(long_plain, long_entity)
    units = tuple(unit for piece in whole if isinstance(piece, Slot) for unit in piece.units)

    def render(norms: Sequence[str]) -> str:
        new = norm_of(rendered(whole, norms), long_entity)
        if code.parts:
            return masked(plain, new)
        if len(code.norm) == len(long):
            return codes.fill(plain, new)
        start = 0 if place(code.norm, long) == "start" else len(new) - len(code.norm)
        return codes.fill(plain, new[start : start + len(code.norm)])

    return [Slot(units, render)]


def masked(plain: str, new: str) -> str:
    """The parts around a mask filled from both ends of a code; the mask stays."""
    found = MASK.search(plain)
    if not found:
        raise AssertionError("a masked code has a mask")
    head, tail = plain[: found.start()], plain[found.end() :]
    ends = new[-codes.compact(tail, upper=True)[1] :]
    return codes.fill(head, new) + found[0] + codes.fill(tail, ends)
