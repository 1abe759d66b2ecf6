"""Whose a telephone number is, and drawing one that is nobody's.

A plan is a calling code, or several that are dialled without one another's. It is written before a
number, or told from the national form: by the ranges that hold surrogates, by those in use, and
where several fit by the runs of digits. So a surrogate is told to the plan it was drawn for.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

from scrubbers.surrogates.numbering import (
    NATIONAL,
    ONE_PLAN,
    REGIONS,
    SHORTEST,
    beginnings,
    dialled,
    in_use,
    kept,
    library,
    live,
    options,
    plan_regions,
    reserved,
    samples,
    unused,
)
from scrubbers.surrogates.stream import Stream

RESERVED_TRIES = 4
LONGEST = 11  # longer national numbers are told to no plan: nearly all are one of Germany's
VERIFY_TRIES = 400
MOBILE = "15"  # behind the area code of an Argentine mobile number, in the national form
AREAS = (2, 3, 4)  # digits of an Argentine area code

# --- whose a national number is -------------------------------------------------------------


@lru_cache(maxsize=1 << 14)
def plans(zeros: str, norm: str) -> tuple[list[str], bool]:
    """The plans that a national number fits, and whether one keeps it for surrogates."""
    length = len(norm)
    if not SHORTEST <= length <= LONGEST:
        return [], False
    alike = [plan for plan, zero in NATIONAL.items() if zero == zeros and kept(plan, length)]
    for plan in alike:
        if norm.startswith(kept(plan, length)):
            return [plan], True
    return [plan for plan in alike if dialled(plan, norm)], False


def plan_of(zeros: str, norm: str, text: str) -> str:
    """The plan of a national number, "" if none can be told, as it is written in `text`."""
    found, certain = plans(zeros, norm)
    if certain or len(found) < 2:
        return found[0] if found else ""
    return min(found, key=lambda plan: (style(plan, norm, outline(text)), found.index(plan)))


def outline(text: str) -> str:
    """A written number with a 9 for each digit."""
    return re.sub(r"\d", "9", text).strip()


def style(plan: str, norm: str, shape: str) -> int:
    """How well an outline fits a plan: 0 as its numbers are written, 1 its runs of digits are so.

    3 is not at all.
    """
    groups = tuple(map(len, re.findall("9+", shape)))
    number = library().PhoneNumber(
        country_code=int("39" if plan == "390" else plan), national_number=int(norm)
    )
    number.italian_leading_zero = plan == "390"
    shown = library().format_number(number, library().PhoneNumberFormat.NATIONAL)
    if outline(shown) == shape:
        return 0
    overseas = plan == "33" and groups == (4, 2, 2, 2) and live(norm, plan_regions(plan)[1:])
    if overseas or tuple(map(len, re.findall(r"\d+", shown))) == groups:
        return 1
    odd = (plan == "33" and any(size % 2 for size in groups)) or (
        plan == "1" and groups not in ((10,), (3, 3, 4))
    )
    return 3 if odd else 2


def argentine(national: str) -> int:
    """The place of the 15 in an Argentine mobile number of ten digits, 0 if it is none."""
    digits = national.lstrip("0")
    if len(digits) != 12 or digits[0] not in "123":
        return 0
    return next((area for area in AREAS if digits[area : area + 2] == MOBILE), 0)


# --- units ----------------------------------------------------------------------------------


def plan_space(code: str, zeros: str, norm: str) -> str:
    """The space of a number behind a calling code: plan, length, first digit."""
    plan = "390" if code == "39" and zeros else ONE_PLAN.get(code, code)
    return f"phone{plan}:{len(norm)}:{norm[0]}:"


@lru_cache(maxsize=1 << 16)
def space(zeros: str, norm: str) -> str:
    """The space of a number of no known plan: length, first digit, countries that it fits."""
    fits = tuple(r for r in REGIONS if live(norm, (r,))) if len(norm) >= SHORTEST else ()
    return f"phone{zeros[:1]}:{len(norm)}:{norm[0]}:{','.join(covered(len(norm), zeros[:1], fits))}"


@lru_cache(maxsize=1 << 14)
def covered(length: int, zeros: str, fits: tuple[str, ...]) -> tuple[str, ...]:
    """As many of the regions, the first ones first, as leave beginnings that none of them uses."""
    chosen: tuple[str, ...] = ()
    for region in fits:
        if quiet(length, zeros, (*chosen, region)):
            chosen = (*chosen, region)
    return chosen


@lru_cache(maxsize=1 << 14)
def quiet(length: int, zeros: str, regions: tuple[str, ...]) -> tuple[str, ...]:
    """Beginnings that none of the regions uses and that no plan is told from."""
    free = set(silent(length, zeros))
    for region in regions:
        free &= set(unused(length, (region,)))
    return tuple(sorted(free))


@cache
def silent(length: int, zeros: str) -> tuple[str, ...]:
    """Beginnings from which no plan is told."""
    every = beginnings(length)
    told = {b for b in every if any(plans(zeros, n)[0] for n in samples(b, length))}
    return tuple(b for b in every if b not in told)


def draw_phone(family: str, details: str, stream: Stream, counter: int) -> str:
    """A number kept for fiction; where none is or they run out, one that is in use nowhere."""
    size, first, names = details.split(":")
    length, plan = int(size), family.removeprefix("phone")
    if plan in ("", "0"):
        return draw_unknown(plan, length, first, tuple(filter(None, names.split(","))), stream)
    first = first if counter < RESERVED_TRIES else ""
    found = options(plan, length, first, fiction=counter < RESERVED_TRIES)
    fiction = reserved(plan, length)
    for _ in range(VERIFY_TRIES):
        prefix = stream.pick(found)
        norm = prefix + stream.digits(length - len(prefix))
        if prefix in fiction or not in_use(plan, norm):
            return norm
    return norm


def draw_unknown(
    zeros: str, length: int, first: str, regions: tuple[str, ...], stream: Stream
) -> str:
    """A number of no plan that is in use in none of the regions."""
    if length < SHORTEST:
        return stream.digits(length, "123456789")
    found = quiet(length, zeros, regions) or silent(length, zeros) or beginnings(length)
    found = tuple(b for b in found if b[0] == first) or found
    for _ in range(VERIFY_TRIES):
        prefix = stream.pick(found)
        norm = prefix + stream.digits(length - len(prefix))
        if not live(norm, regions) and not plans(zeros, norm)[0] and not argentine(norm):
            return norm
    return norm


def capacity(family: str, details: str) -> int:
    """How many numbers a space has, at least."""
    length, _first, _names = details.split(":")
    plan = family.removeprefix("phone")
    if plan in ("", "0"):
        return (
            9 * int(10 ** (int(length) - 1)) if int(length) < SHORTEST else 10 ** (int(length) - 1)
        )
    found = options(plan, int(length), "", fiction=False)
    return sum(int(10 ** (int(length) - len(prefix))) for prefix in found)
