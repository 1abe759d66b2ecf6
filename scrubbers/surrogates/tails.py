"""Codes that are the end, the beginning or a misread form of a longer one in the record."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from scrubbers.surrogates import codes, escapes, lookalikes, spoken
from scrubbers.surrogates.phones import plan_told, told_plans
from scrubbers.surrogates.readings import rendered
from scrubbers.surrogates.text import digits_of, refill
from scrubbers.surrogates.unit import Piece, Slot, Value

TYPES = frozenset(
    ("PHONE_NUMBER", "IBAN_CODE", "CREDIT_CARD", "BANK_ACCOUNT", "NATIONAL_ID", "PASSPORT",
     "LICENCE_PLATE", "MEDICAL_ID", "OTHER_ID")
)  # fmt: skip
NUMBERS = frozenset(("PHONE_NUMBER", "CREDIT_CARD"))  # have no letters
SHORTEST_END = 3
SHORTEST_START = 4
SHORTEST_WHOLE = 6
LOCAL = 8  # digits of a telephone number without its area code
MASK = re.compile(codes.HIDDEN)
LOCAL_MOBILE = re.compile(r"^\W*15(?=(?:\D*\d){6,8}\D*$)")  # Argentina, without the area code
DIVIDER = "\t"
Key = tuple[str, str]  # compact form and type of a longer code


@dataclass(frozen=True, slots=True)
class Code:
    """A code of a record: its type, its plain text, its compact form, its parts around a mask."""

    entity: str
    plain: str
    norm: str
    parts: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Index:
    """The longer codes of a record in order, in order of their reversed forms, and by look."""

    forward: tuple[Key, ...]
    backward: tuple[Key, ...]
    alike: dict[str, list[Key]]


def stands_for(values: Sequence[Value]) -> list[str]:
    """For each value the longer code that it is short for, "" where it stands for itself.

    The answer is opaque, for `standing_pieces`. "" also where two different codes fit.
    """
    read = [code_of(value) for value in values]
    plans = telephone_plans(values)
    wholes: dict[Key, str] = {}
    for code, plan in zip(read, plans, strict=True):
        told = DIVIDER.join((code.entity, plan, code.plain))
        norm = whole_norm(told) if code.norm else ""
        if len(norm) >= SHORTEST_WHOLE and not code.parts:
            wholes.setdefault((norm, code.entity), told)
    index = indexed(wholes)
    found = [resolved(code, wholes, index) for code in read]
    return [longest(code, told, read, found) for code, told in zip(read, found, strict=True)]


def longest(code: Code, told: str, read: Sequence[Code], found: Sequence[str]) -> str:
    """What a misread form stands for: if its clean form is short for a longer one, that one."""
    if not told or code.parts or len(whole_norm(told)) != len(code.norm):
        return told
    entity, _, plain = standing(told)
    further = (
        f for c, f in zip(read, found, strict=True) if (c.entity, c.plain) == (entity, plain)
    )
    return next(further, "") or told


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
    return Code(value.entity, plain, norm, parts_of(plain, value.entity))


def plain_of(text: str, entity: str) -> str:
    """A code without escapes and in digits and letters."""
    for kind in (escapes.reading, spoken.reading, lookalikes.reading):
        found = kind(text, entity)
        text = found.plain if found else text
    return text


def norm_of(plain: str, entity: str) -> str:
    """The compact form; of cards and telephone numbers the digits."""
    return digits_of(plain) if entity in NUMBERS else codes.compact(plain, upper=True)[0]


def whole_norm(told: str) -> str:
    """The compact form of a longer code; of a telephone number the national number."""
    entity, plan, plain = standing(told)
    return plan_told(plain, plan)[0] if entity == "PHONE_NUMBER" else norm_of(plain, entity)


def parts_of(plain: str, entity: str) -> tuple[str, str] | None:
    """What stands before and behind a mask, as in "4921 **** **** 9514"; None without a mask."""
    found = mask_of(plain, entity)
    if not found:
        return None
    head, tail = (norm_of(part, entity) for part in (plain[: found.start()], plain[found.end() :]))
    return (head, tail) if len(tail) >= SHORTEST_END else None


def mask_of(plain: str, entity: str) -> re.Match[str] | None:
    """What stands for left out digits."""
    local = LOCAL_MOBILE.match(plain) if entity == "PHONE_NUMBER" else None
    return local or MASK.search(plain)


def indexed(wholes: dict[Key, str]) -> Index:
    """The longer codes, to be found by their ends and by what they look like."""
    alike: dict[str, list[Key]] = {}
    for norm, entity in wholes:
        alike.setdefault(lookalikes.digits_for(norm), []).append((norm, entity))
    backward = sorted((norm[::-1], entity) for norm, entity in wholes)
    return Index(tuple(sorted(wholes)), tuple(backward), alike)


def near(code: Code, index: Index) -> Iterator[Key]:
    """The longer codes that a code may stand for."""
    head, tail = code.parts or (code.norm, code.norm)
    yield from ((norm[::-1], entity) for norm, entity in beginning(index.backward, tail[::-1]))
    if not code.parts:
        yield from beginning(index.forward, head)
        yield from index.alike.get(lookalikes.digits_for(code.norm), ())


def beginning(keys: Sequence[Key], start: str) -> Iterator[Key]:
    """The keys, of sorted ones, that begin so."""
    for place in range(bisect_left(keys, (start, "")), len(keys)):
        if not keys[place][0].startswith(start):
            return
        yield keys[place]


def resolved(code: Code, wholes: dict[Key, str], index: Index) -> str:
    """The one whole that a code stands for."""
    if not code.norm:
        return ""
    found: dict[str, str] = {}
    for norm, entity in near(code, index):
        if fits(code, norm, entity):
            told = wholes[norm, entity]
            found[norm] = min(found.get(norm, told), told)  # one value in two types: either
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
    if norm == code.norm:
        return entity == "PHONE_NUMBER" != code.entity
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
    longer = standing(told)[0]
    long = whole_norm(told)
    units = tuple(unit for piece in whole if isinstance(piece, Slot) for unit in piece.units)
    fill = refill if entity in NUMBERS else codes.fill
    where = place(lookalikes.digits_for(code.norm), lookalikes.digits_for(long))

    def render(norms: Sequence[str]) -> str:
        national = longer == "PHONE_NUMBER"
        new = norms[0] if national else norm_of(rendered(whole, norms), longer)
        if code.parts:
            return masked(plain, entity, new)
        size = len(code.norm)
        start = 0 if where == "start" else len(new) - size
        return fill(plain, new[start : start + size])

    return [Slot(units, render)]


def masked(plain: str, entity: str, new: str) -> str:
    """The parts around a mask filled from both ends of a code; the mask stays."""
    found = mask_of(plain, entity)
    if not found:
        raise AssertionError("a masked code has a mask")
    fill = refill if entity in NUMBERS else codes.fill
    head, tail = plain[: found.start()], plain[found.end() :]
    sizes = [len(norm_of(part, entity)) for part in (head, tail)]
    return fill(head, new[: sizes[0]]) + found[0] + fill(tail, new[-sizes[1] :])
