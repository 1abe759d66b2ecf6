"""Which telephone numbers are in use where, and which may stand as a surrogate.

What may be drawn depends on the national number alone, so that a number agrees with itself behind
a country code: on the countries where it could be one, and on its first digit.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from scrubbers.surrogates.stream import Stream

REGIONS = (
    "US", "GB", "FR", "ES", "DE", "IT", "NL", "PL", "PT", "BR", "MX", "BE", "AT", "CH", "IE", "SE",
    "NO", "DK", "FI", "AU", "CA", "IN", "RU", "UA", "GR", "CZ", "RO", "TR", "JP", "CN", "KR", "AR",
)  # fmt: skip
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
RESERVED_TRIES = 4
VERIFY_TRIES = 20
SHORTEST = 7  # shorter numbers are parts of numbers: any digits may stand there


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


# --- what may be drawn ----------------------------------------------------------------------


@cache
def pattern(region: str) -> re.Pattern[str]:
    """The national numbers that are in use in a region, of every type."""
    metadata = library().PhoneMetadata.metadata_for_region(region)
    kinds = [getattr(metadata, name) for name in TYPES] if metadata else []
    used = [kind.national_number_pattern for kind in kinds if kind and kind.national_number_pattern]
    return re.compile("|".join(f"(?:{one})" for one in used))


@lru_cache(maxsize=1 << 16)
def space(norm: str) -> str:
    """Length, first digit, and the countries in which the surrogate must be in use nowhere."""
    fits = tuple(r for r in REGIONS if fits_region(norm, r))
    return f"phone:{len(norm)}:{norm[0]}:{','.join(covered(len(norm), fits))}"


def region_space(norm: str, code: str) -> str:
    """The space of a number behind a country code, where `space` does not cover the country.

    Such a number and its national form get different surrogates: safety goes before agreement.
    """
    if len(norm) < SHORTEST or not code.isdigit():
        return ""
    regions = library().COUNTRY_CODE_TO_REGION_CODE.get(int(code), ())
    safe = space(norm).split(":")[3].split(",")
    open_ones = [r for r in regions if fits_region(norm, r) and covered(len(norm), (r,))]
    if not open_ones or any(region in safe for region in regions):
        return ""
    return f"phone{int(code)}:{len(norm)}:{norm[0]}:{open_ones[0]}"


def fits_region(norm: str, region: str) -> bool:
    """Whether a number is in use in a region, or kept for fiction in North America."""
    if region == "US" and is_fiction(norm):
        return True
    return pattern(region).fullmatch(norm) is not None


@lru_cache(maxsize=1 << 14)
def covered(length: int, fits: tuple[str, ...]) -> tuple[str, ...]:
    """As many of the regions, the first ones first, as leave beginnings that none of them uses."""
    if length < SHORTEST:
        return fits
    kept: list[str] = []
    taken: frozenset[str] = frozenset()
    for region in fits:
        wider = taken | used(length, region)
        if len(wider) < len(beginnings(length)):
            kept, taken = [*kept, region], wider
    return tuple(kept)


def is_fiction(norm: str) -> bool:
    """A number of the North American plan that is kept for fiction, in whatever area."""
    return re.fullmatch(r"[2-9]\d\d55501\d\d", norm) is not None


@lru_cache(maxsize=1 << 12)
def reserved(length: int, first: str, regions: tuple[str, ...]) -> tuple[str, ...]:
    """Prefixes kept for fiction in one of the regions and unused in the others."""
    found = []
    for region in regions:
        others = tuple(r for r in regions if r != region and {r, region} != {"US", "CA"})
        prefixes = [p for p, n in RESERVED.get(region, ()) if n == length]
        if region == "US" and length == 10:
            areas = (f"{area}" for area in range(201, 990))
            prefixes = [f"{a}55501" for a in areas if pattern("US").fullmatch(f"{a}5552671")]
        found += [p for p in prefixes if not any(in_use(p, length, r) for r in others)]
    same = [prefix for prefix in found if prefix[0] == first]
    return tuple(same or found)


def in_use(prefix: str, length: int, region: str) -> bool:
    """Whether numbers with this prefix can be in use in a region (by samples)."""
    tails = (f"{lead}{digit}{'345678901234'}" for digit in "05" for lead in "0123456789")
    samples = (prefix + tail[: length - len(prefix)] for tail in tails)
    return any(pattern(region).fullmatch(sample) for sample in samples)


@cache
def beginnings(length: int) -> tuple[str, ...]:
    """The first three digits that a number may have; long ones must not show a country code."""
    size = min(3, length)
    every = (str(n) for n in range(10 ** (size - 1), 10**size))
    return tuple(b for b in every if length < 12 or code_at(b) not in main_codes())


@cache
def used(length: int, region: str) -> frozenset[str]:
    """The beginnings that a region uses for numbers of this length."""
    return frozenset(b for b in beginnings(length) if in_use(b, length, region))


@lru_cache(maxsize=1 << 14)
def unused(length: int, first: str, regions: tuple[str, ...]) -> tuple[str, ...]:
    """Beginnings that no region uses, with the same first digit if there is one."""
    taken: frozenset[str] = frozenset().union(*(used(length, region) for region in regions))
    free = [beginning for beginning in beginnings(length) if beginning not in taken]
    same = [beginning for beginning in free if beginning[0] == first]
    return tuple(same or free)


def draw_phone(details: str, stream: Stream, counter: int) -> str:
    """A number kept for fiction; where none is or they run out, one that is in use nowhere."""
    size, first, names = details.split(":")
    length, regions = int(size), tuple(name for name in names.split(",") if name)
    if length < SHORTEST:
        return stream.digits(length, "123456789")
    kept = reserved(length, first, regions) if counter < RESERVED_TRIES else ()
    options = kept or unused(length, first, regions)
    for _ in range(VERIFY_TRIES):
        prefix = stream.pick(options)
        norm = prefix + stream.digits(length - len(prefix))
        if kept or not any(pattern(region).fullmatch(norm) for region in regions):
            break
    return norm


def capacity(details: str) -> int:
    """How many numbers a space has, at least."""
    length = int(details.partition(":")[0])
    digits = length - 1
    return 9 * int(10**digits) if length < SHORTEST else int(10**digits)
