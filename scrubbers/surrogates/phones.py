"""Telephone numbers: one unit for the national number, whatever stands before it.

The normal form is the national significant number: digits without country code, trunk zeros and
separators. So `+44 7462 118903` and `07462 118 903` share a unit. What may be drawn depends on
the number alone: the countries where it could be one, and its first digit.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from scrubbers.surrogates.people import number_slot, number_unit
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import digit_value, digits_of, refill
from scrubbers.surrogates.unit import Piece, Slot, Unit

EXTENSION = re.compile(
    r"(?:\s*(?:;ext=|[,;]?\s*(?:ext|extn|extension|x|durchwahl|poste|int|anexo|toestel)\b\.?:?|#)\s*)"
    r"(\d{1,6})\s*$",
    re.I,
)
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
    "GB": tuple((p, 10) for p in (
        "7700900", "1134960", "1144960", "1154960", "1164960", "1174960", "1184960", "1214960",
        "1314960", "1414960", "1514960", "1614960", "2079460", "1914980", "2896496", "2920180",
        "1632960", "8081570", "9098790", "3069990")),
    "FR": tuple((p, 9) for p in ("19900", "26191", "35301", "46571", "53649", "63998")),
    "DE": tuple((p, n) for p, n in (
        ("30231250", 11), ("69900090", 11), ("4066969", 10), ("22147140", 11), ("8999998", 10),
        ("15228817", 11), ("15228895", 11), ("15228899", 11), ("17126042", 11), ("17250016", 11),
        ("17639985", 11))),
    "AU": tuple((p, 9) for p in ("255500", "255501", "370100", "370101", "491570", "755500",
                                 "755501", "855500", "855501")),
    "SE": tuple((p, n) for p, n in (
        ("3139006", 9), ("4062804", 9), ("84650040", 9), ("98033190", 9), ("98033191", 9),
        ("701740605", 9), ("7017406", 9))),
    "IE": (("2091", 9),),
}  # fmt: skip
RESERVED_TRIES = 4


def phone_pieces(text: str) -> list[Piece]:
    """A number with its country code, separators and extension as they stand."""
    extension = EXTENSION.search(text)
    end = extension.start(1) if extension else len(text)
    head = text[:end]
    kept = country_code(head)
    cut = start_of_digit(head, kept)
    cut += mobile_mark(digits_of(head[:cut]), head[cut:])
    national = digits_of(head[cut:])
    found: list[Piece] = [head[:cut], number(head[cut:], national)]
    if extension:
        found += [number_slot(extension[1]), text[extension.end(1) :]]
    return found if national else [text]


def number(text: str, national: str) -> Piece:
    """The national number, behind zeros that stay."""
    if not national:
        return text
    norm = national.lstrip("0")
    zeros = len(national) - len(norm)
    if not norm:
        return number_slot_of(text, national)
    unit = Unit(space(norm), norm)
    return Slot((unit,), lambda norms: refill(text, "0" * zeros + norms[0]))


def number_slot_of(text: str, national: str) -> Slot:
    """Zeros only: no number at all, replaced digit by digit."""
    unit = number_unit(national)
    return Slot((unit,), lambda norms: refill(text, norms[0]))


def start_of_digit(text: str, count: int) -> int:
    """The place after the first `count` digits."""
    for place, char in enumerate(text):
        if count == 0:
            return place
        count -= digit_value(char) is not None
    return len(text) if count == 0 else 0


def mobile_mark(code: str, text: str) -> int:
    """How much of the text is the 9 of Argentina or the 1 of Mexico, written from abroad only."""
    mark = {"54": "9", "52": "1"}.get(code.lstrip("0"))
    if mark is None or len(digits_of(text)) != 11:
        return 0
    return start_of_digit(text, 1) if digits_of(text)[0] == mark else 0


def country_code(text: str) -> int:
    """How many leading digits are an international prefix and country code."""
    digits = digits_of(text)
    plus = re.match(r"^\W*[+＋]", text)
    if plus:
        return len(code_at(digits))
    if digits.startswith("00") and code_at(digits[2:]) and len(digits) > 10:
        return 2 + len(code_at(digits[2:]))
    if re.match(r"^\W*1[\s.(-]", text) and len(digits) == 11:
        return 1
    code = code_at(digits)
    if len(digits) >= 12 and code and len(digits) - len(code) <= 11 and code in main_codes():
        return len(code)
    return 0


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
    """Length, first digit, and the countries where the number could be in use."""
    fits = [r for r in REGIONS if pattern(r).fullmatch(norm) or (r == "US" and is_fiction(norm))]
    return f"phone:{len(norm)}:{norm[0]}:{','.join(fits)}"


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
    """Whether numbers with this prefix can be in use in a region (three samples)."""
    tails = ("0" * length, "3456789012345", "9" * length)
    samples = (prefix + tail[: length - len(prefix)] for tail in tails)
    return any(pattern(region).fullmatch(sample) for sample in samples)


@lru_cache(maxsize=1 << 12)
def unused(length: int, first: str, regions: tuple[str, ...]) -> tuple[str, ...]:
    """Three-digit beginnings that no region uses; the last regions are given up if none is left."""
    size = min(3, length)
    beginnings = [str(n) for n in range(10 ** (size - 1), 10**size)]
    for count in range(len(regions), -1, -1):
        free = [b for b in beginnings if not any(in_use(b, length, r) for r in regions[:count])]
        if len(free) * 10 ** (length - size) > 9 * 10 ** (length - 3):
            break
    same = [beginning for beginning in free if beginning[0] == first]
    return tuple(same if len(same) > 9 else free)


def draw_phone(details: str, stream: Stream, counter: int) -> str:
    """A number kept for fiction; where none is or they run out, one that is in use nowhere."""
    size, first, names = details.split(":")
    length, regions = int(size), tuple(name for name in names.split(",") if name)
    kept = reserved(length, first, regions) if counter < RESERVED_TRIES else ()
    if kept:
        prefix = stream.pick(kept)
        return prefix + stream.digits(length - len(prefix))
    if length < 7:
        return stream.digits(length, "123456789")
    return never_valid(length, first, regions, stream)


def never_valid(length: int, first: str, regions: tuple[str, ...], stream: Stream) -> str:
    """A number that no region has in use."""
    options = unused(length, first, regions)
    for _ in range(50):
        prefix = stream.pick(options)
        norm = prefix + stream.digits(length - len(prefix))
        if not any(pattern(region).fullmatch(norm) for region in regions):
            return norm
    return norm


def capacity(details: str) -> int:
    """How many numbers a space has, at least."""
    length = int(details.partition(":")[0])
    digits = length - 1
    return 9 * int(10**digits) if length < 7 else int(10**digits)
