"""Which telephone numbers are in use where, and which may stand as a surrogate.

A unit is a national number in its plan: the plan (a calling code) is written before it, or can be
told from the national form. The surrogate is kept for fiction in that plan, or in use in none of
its countries. It is told to the same plan again, so both forms agree.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import import_module
from itertools import product
from typing import Any

REGIONS = (
    "US", "GB", "FR", "ES", "DE", "IT", "NL", "PL", "PT", "BR", "MX", "BE", "AT", "CH", "IE", "SE",
    "NO", "DK", "FI", "AU", "CA", "IN", "RU", "UA", "GR", "CZ", "RO", "TR", "JP", "CN", "KR", "AR",
)  # fmt: skip
# Plans that a national number without its country code can be told to belong to -> the zero that
# stands before it ("390" is Italy with the zero that stays behind +39 as well). The order decides
# where several fit and the separators do not.
NATIONAL = {
    "1": "", "44": "0", "33": "0", "34": "", "49": "0", "31": "0", "390": "0", "39": "",
    "61": "0", "32": "0", "41": "0", "43": "0", "46": "0", "353": "0", "351": "", "48": "", "420": "",
    "45": "", "47": "", "30": "", "358": "0", "40": "0", "380": "0", "90": "0", "55": "", "52": "", "91": "0",
}  # fmt: skip
# Dialled within one another without a country code: metropolitan France and its departments.
ONE_PLAN = {"590": "33", "262": "33", "594": "33", "596": "33"}
FIRSTS = {
    "7": "34789"
}  # behind the 8 that Russians dial; other first digits would not be read back
# Where numbers begin with a zero.
ZEROS = frozenset(("IT", "VA", "SM", "CI", "GA", "CG", "BJ", "NE", "NC"))
MARKS = {"54": "9", "52": "1"}  # Argentina and Mexico from abroad: a digit before the number
TYPES = (
    "fixed_line", "mobile", "toll_free", "premium_rate", "shared_cost", "personal_number", "voip",
    "pager", "uan", "voicemail",
)  # fmt: skip
# National numbers that the regulators keep for fiction, as prefixes; docs/surrogates.md has the
# sources. US stands for the whole North American plan: 555-0100 to 555-0199 in every area.
RESERVED: dict[str, tuple[tuple[str, int], ...]] = {
    "GB": tuple((prefix, 10) for prefix in (
        "7700900", "1134960", "1144960", "1154960", "1164960", "1174960", "1184960", "1214960",
        "1314960", "1414960", "1514960", "1614960", "2079460", "1914980", "2896496", "2920180",
        "1632960", "8081570", "9098790", "3069990")),
    "FR": tuple((prefix, 9) for prefix in ("19900", "26191", "35301", "46571", "53649", "63998")),
    "DE": (
        *((prefix, 10) for prefix in (
            "3023125", "6990009", "4066969", "2214710", "8999998", "17139200")),
        ("176040690", 11)),
    "AU": tuple((f"{area}{block}", 9) for area in "2378" for block in ("5550", "7010")),
    "SE": tuple((prefix, 9) for prefix in (
        "3139060", "4062804", "8465004", "9803192", *(f"7017406{tens}" for tens in range(1, 10)))),
    "IE": (("2091", 9),),
}  # fmt: skip
BLOCKS = 12  # as few as serve, so that other plans' numbers are not taken for these
SHORTEST = 7  # shorter numbers without a country code are parts of numbers: any digits may stand


def library() -> Any:
    """The phonenumbers package, loaded when the first number comes."""
    return import_module("phonenumbers")


@cache
def all_codes() -> frozenset[str]:
    """Every country calling code."""
    return frozenset(map(str, library().COUNTRY_CODE_TO_REGION_CODE))


@cache
def main_codes() -> frozenset[str]:
    """The calling codes of REGIONS."""
    return frozenset(str(library().country_code_for_region(region)) for region in REGIONS)


def code_at(digits: str) -> str:
    """The calling code at the start of the digits, or "" (no code is the start of another)."""
    return next((digits[:n] for n in (1, 2, 3) if digits[:n] in all_codes()), "")


# --- numbers in use -------------------------------------------------------------------------


@cache
def plan_regions(plan: str) -> tuple[str, ...]:
    """The countries of a plan: all that share its calling code, or are dialled without one."""
    code = "39" if plan == "390" else plan
    codes = [code, *(other for other, whole in ONE_PLAN.items() if whole == plan)]
    table = library().COUNTRY_CODE_TO_REGION_CODE
    return tuple(
        f"+{one}" if region == "001" else region for one in codes for region in table[int(one)]
    )


@cache
def pattern(region: str) -> re.Pattern[str]:
    """The national numbers in use in a region (or behind "+800" and the like), of every type."""
    metadata = library().PhoneMetadata
    one = (
        metadata.metadata_for_nongeo_region(int(region[1:]))
        if region[0] == "+"
        else metadata.metadata_for_region(region)
    )
    kinds = [getattr(one, name) for name in TYPES] if one else []
    used = [kind.national_number_pattern for kind in kinds if kind and kind.national_number_pattern]
    return re.compile("|".join(f"(?:{kind})" for kind in used) or r"(?!)")


@cache
def joint_pattern(regions: tuple[str, ...]) -> re.Pattern[str]:
    """The numbers in use in any of the regions."""
    return re.compile("|".join(pattern(region).pattern for region in regions))


def live(norm: str, regions: tuple[str, ...]) -> bool:
    """Whether a number, or the number behind a zero that stays, is in use in a region."""
    behind = tuple(region for region in regions if region in ZEROS)
    return (bool(regions) and joint_pattern(regions).fullmatch(norm) is not None) or (
        bool(behind) and joint_pattern(behind).fullmatch("0" + norm) is not None
    )


def in_use(plan: str, norm: str) -> bool:
    """Whether a number behind a plan's calling code is in use."""
    return dialled(plan, norm) if plan in NATIONAL else live(norm, plan_regions(plan))


def dialled(plan: str, norm: str) -> bool:
    """Whether a national number is in use in a plan."""
    shown = "0" + norm if plan == "390" else norm
    return joint_pattern(plan_regions(plan)).fullmatch(shown) is not None


@cache
def has_length(plan: str, length: int) -> bool:
    """Whether a plan has numbers of this length."""
    size = length + (plan == "390")
    metadata = map(library().PhoneMetadata.metadata_for_region, plan_regions(plan))
    return any(size in one.general_desc.possible_length for one in metadata if one)


@cache
def beginnings(length: int, size: int = 3) -> tuple[str, ...]:
    """The first digits that a number may have; long ones must not show a country code."""
    size = min(size, length)
    every = (str(n) for n in range(10 ** (size - 1), 10**size))
    return tuple(b for b in every if length < 12 or code_at(b) not in main_codes())


def samples(prefix: str, length: int) -> list[str]:
    """Numbers with this prefix."""
    room = length - len(prefix)
    heads = ("".join(pair) for pair in product("0123456789", "05"))
    return list(dict.fromkeys((prefix + head + "345678901234"[:room])[:length] for head in heads))


@lru_cache(maxsize=1 << 12)
def unused(length: int, regions: tuple[str, ...], size: int = 3) -> tuple[str, ...]:
    """Beginnings that, by samples, none of the regions uses."""
    return tuple(
        beginning
        for beginning in beginnings(length, size)
        if not any(live(norm, regions) for norm in samples(beginning, length))
    )


# --- numbers that may stand -----------------------------------------------------------------


@cache
def reserved(plan: str, length: int) -> tuple[str, ...]:
    """Prefixes kept for fiction in a plan."""
    if plan == "1" and length == 10:
        areas = (str(area) for area in range(201, 990))
        known = [a for a in areas if live(f"{a}5552671", ("US",))]
        # Area codes that no Italian mobile number begins with, which is written alike.
        return tuple(f"{a}55501" for a in known if not live(f"{a}5550142", ("IT",)))
    rows = [RESERVED.get(region, ()) for region in plan_regions(plan)]
    others = tuple(r for r in plan_regions(plan) if r not in RESERVED)
    found = [prefix for row in rows for prefix, size in row if size == length]
    if plan != "33":
        return tuple(found)
    return tuple(p for p in found if not any(live(n, others) for n in samples(p, length)))


@cache
def blocks(plan: str, length: int) -> tuple[str, ...]:
    """Beginnings in use nowhere in a plan, and in as few plans as can be that it is taken for."""
    taken = [p for other in NATIONAL for p in reserved(other, length)]
    taken += [p for other in earlier(plan) for p in kept(other, length)]
    found = [b for b in unused_in(plan, length) if not any(overlap(b, prefix) for prefix in taken)]
    found = found or list(unused_in(plan, length))
    for rival in (
        other for other in NATIONAL if other != plan and NATIONAL[other] == NATIONAL[plan]
    ):
        if has_length(rival, length):
            free = set(unused_in(rival, length))
            found = [b for b in found if b in free] or found
    return (
        tuple(found[i * len(found) // BLOCKS] for i in range(BLOCKS))
        if len(found) > BLOCKS
        else tuple(found)
    )


def overlap(left: str, right: str) -> bool:
    """Whether one prefix begins with the other."""
    return left.startswith(right) or right.startswith(left)


def earlier(plan: str) -> list[str]:
    """The plans that are asked before one whether a national number is theirs."""
    order = list(NATIONAL)
    return [other for other in order[: order.index(plan)] if NATIONAL[other] == NATIONAL[plan]]


@cache
def unused_in(plan: str, length: int) -> tuple[str, ...]:
    """Beginnings that a plan does not use."""
    return tuple(
        beginning
        for beginning in beginnings(length)
        if not any(dialled(plan, norm) for norm in samples(beginning, length))
    )


@cache
def kept(plan: str, length: int) -> tuple[str, ...]:
    """The prefixes of all surrogates of a plan that is told from national numbers."""
    return (*reserved(plan, length), *blocks(plan, length)) if has_length(plan, length) else ()


@lru_cache(maxsize=1 << 14)
def options(plan: str, length: int, first: str, *, fiction: bool) -> tuple[str, ...]:
    """The prefixes of surrogates behind a calling code, with the same first digit if there are.

    `fiction`: those kept for fiction if there are; else those in use nowhere.
    """
    found = reserved(plan, length) if fiction else ()
    found = found or (blocks(plan, length) if plan in NATIONAL and has_length(plan, length) else ())
    found = found or unused(length, plan_regions(plan)) or unused(length, plan_regions(plan), 4)
    found = found or reserved(plan, length) or beginnings(length)
    firsts = FIRSTS.get(plan, "123456789")
    if length == 11:
        firsts = firsts.replace(MARKS.get(plan, "-"), "")
    found = tuple(p for p in found if p[0] in firsts) or found
    return tuple(p for p in found if p[0] == first) or found
