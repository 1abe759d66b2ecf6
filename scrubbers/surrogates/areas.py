"""Areas as units: a postcode's beginning and its town have one surrogate, so they fit together.

A postcode's beginning ("28") is drawn among those of its plan, and the town that the table names
for it (Madrid) is written as the town of the drawn one in its own country. Nothing but the key and
the beginning decides, so a postcode and a town fit in whichever leaf, record or file they stand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from string import ascii_uppercase, digits

from scrubbers.surrogates import coined
from scrubbers.surrogates.areatable import LANGUAGES, PLAN_OF, rows
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.text import fold, like
from scrubbers.surrogates.unit import Unit

# Towns share words, so a phrase is all of a town's.
WORDS = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
SPAIN = "52"  # the last of Spain's provinces: five digits are drawn on the same side of it
# Regions for beginnings that a country does not use (no address has them).
NOWHERE = {"US": "AE", "IT": "EE", "MX": "CDMX"}
CANADIAN = "ABCEGHJKLMNPRSTVXY"  # first letters, east to west
CANADA = dict(zip(CANADIAN, (
    "NL", "NS", "PE", "NB", "QC", "QC", "QC", "ON", "ON", "ON", "ON", "ON", "MB", "SK", "AB", "BC",
    "NT", "YT"), strict=True))  # fmt: skip


@dataclass(frozen=True, slots=True)
class Town:
    """A town that stands for an area: `area` is the norm of the area's unit ("5 28")."""

    country: str
    area: str
    name: str
    region: str


@dataclass(frozen=True, slots=True)
class Book:
    """`towns`: by phrase, all names; `main`: by country and area, the name that is written."""

    towns: dict[str, Town]
    main: dict[tuple[str, str], Town]


def phrase(name: str) -> str:
    """The words of a name in normal form."""
    return " ".join(fold(word) for word in WORDS.findall(name))


@cache
def book() -> Book:
    """The table, and made-up towns for the beginnings that a country does not use."""
    found = Book({}, {})
    for row in rows():
        area = f"{PLAN_OF[row.country]} {row.beginnings[0]}"
        for name in row.names:
            add(found, name, Town(row.country, area, row.names[0], row.region))
    for country in LANGUAGES:
        fill(found, country)
    return found


def add(found: Book, name: str, town: Town) -> None:
    """One name of a town; the first is the one that is written."""
    if phrase(name) in found.towns:
        raise ValueError("a name stands twice in areas.txt: leave one out")
    found.towns[phrase(name)] = town
    found.main.setdefault((town.country, town.area), town)


def fill(found: Book, country: str) -> None:
    """Made-up towns for beginnings that only other countries of the plan use."""
    plan = PLAN_OF[country]
    if plan in ("GB", "CA", "IE"):
        return
    missing = [
        area
        for kind in kinds(plan)
        if any((country, area) in found.main for area in members(plan, kind))
        for area in members(plan, kind)
        if (country, area) not in found.main
    ]
    taken = {word for known in found.towns for word in known.split()}
    for area in missing:
        stream = Stream(f"{country} {area}".encode(), 0)
        name = coined.coin(LANGUAGES[country], 8, stream, 0, lambda norm: norm not in taken)
        taken.add(name)
        add(found, name, Town(country, area, name.capitalize(), NOWHERE.get(country, "")))


# --- what is known --------------------------------------------------------------------------


def town_of(words: str) -> Town | None:
    """The town of a phrase, if the table has it."""
    return book().towns.get(words)


@cache
def town_words() -> frozenset[str]:
    """Every word of a town in the table."""
    return frozenset(word for known in book().towns for word in known.split())


@cache
def longest_town() -> int:
    """The most words that a town has."""
    return max(len(known.split()) for known in book().towns)


def name_of(country: str, area: str) -> str:
    """How the town of an area is written in a country."""
    return book().main[country, area].name


def region_of(country: str, area: str) -> str:
    """The region (state, province) that addresses of an area name."""
    if country == "CA":
        return CANADA.get(area[3], "ON")
    known = book().main.get((country, area))
    return known.region if known and known.region else NOWHERE.get(country, "")


def shown_region(core: str, country: str, area: str, taken: frozenset[str]) -> str:
    """A region in the case of what stood there; its last point stands in the text.

    Without a country a state, or Italy's province where the state is a word of addresses (FL),
    or the state of nowhere where both are.
    """
    options = [region_of(name, area) for name in ([country] if country else ["US", "IT"])]
    free = (option for option in options if country or fold(option) not in taken)
    shown = next(free, NOWHERE["US"])
    return like(core, shown.removesuffix("."))


@cache
def regions(country: str) -> dict[str, str]:
    """Phrase -> region, as addresses of a country write it ("TX", "N.L.")."""
    named = {row.region for row in rows() if row.country == country} | {NOWHERE.get(country, "")}
    named |= set(CANADA.values()) if country == "CA" else set()
    return {phrase(region): region for region in named if region}


def area_of(plan: str, beginning: str) -> tuple[str, int]:
    """(norm of the area, which of its beginnings this is) of the beginning of a postcode."""
    return joined().get(f"{plan} {beginning}", (f"{plan} {beginning}", 0))


@cache
def joined() -> dict[str, tuple[str, int]]:
    """Beginning -> its area, for those that the table names."""
    return {
        f"{PLAN_OF[row.country]} {beginning}": (
            f"{PLAN_OF[row.country]} {row.beginnings[0]}",
            index,
        )
        for row in rows()
        for index, beginning in enumerate(row.beginnings)
    }


# --- units ----------------------------------------------------------------------------------


def area_unit(area: str) -> Unit:
    """The unit of an area."""
    plan, _, beginning = area.partition(" ")
    return Unit(f"area:{plan}:{kind_of(plan, beginning)}", area)


def kind_of(plan: str, beginning: str) -> str:
    """Among which beginnings the surrogate is drawn.

    A leading zero stays, as numbers need it; five digits stay on their side of Spain's provinces;
    letters that no town is known for get such again.
    """
    if beginning.isdecimal():
        if beginning[0] == "0":
            return "0"
        return ("a" if beginning <= SPAIN else "b") if plan == "5" else "n"
    return "t" if f"{plan} {beginning}" in joined() else f"x{len(beginning)}"


@cache
def kinds(plan: str) -> tuple[str, ...]:
    """The kinds of beginnings in a plan of digits."""
    return ("0", "a", "b") if plan == "5" else ("0", "n")


@lru_cache(maxsize=64)
def members(plan: str, kind: str) -> tuple[str, ...]:
    """The areas of one kind, sorted."""
    if kind == "t":
        return tuple(sorted({area for area, _ in joined().values() if area.startswith(f"{plan} ")}))
    found = {f"{plan} {text}" for text in beginnings(plan, kind) if kind_of(plan, text) == kind}
    return tuple(sorted(area for area in found if joined().get(area, (area, 0))[0] == area))


def beginnings(plan: str, kind: str) -> Iterator[str]:
    """Every beginning that a plan has room for."""
    forms = {
        "GB": [ascii_uppercase] * int(kind[1:] or 1) if kind[0] == "x" else [],
        "CA": [CANADIAN, digits],
        "IE": ["ACDEFHKNPRTVWXY", digits, digits + "W"],
    }
    return map("".join, product(*forms.get(plan, [digits, digits])))


def draw_area(details: str, stream: Stream) -> str:
    """Another area of the kind."""
    plan, kind = details.split(":")
    return stream.pick(members(plan, kind))


def area_capacity(details: str) -> int:
    """How many areas a kind has."""
    plan, kind = details.split(":")
    return len(members(plan, kind))


# --- regions alone --------------------------------------------------------------------------


@cache
def lone_regions() -> dict[str, str]:
    """Two letters that stand without town and postcode -> the country that they are read in."""
    found: dict[str, str] = {}
    for country in ("US", "CA", "BR", "IT"):
        for region in regions(country).values():
            if len(region) == 2:
                found.setdefault(region, country)
    return found


def region_unit(region: str) -> Unit:
    """The unit of a region that stands without town and postcode."""
    return Unit(f"region:{lone_regions()[region]}", region)


def region_choices(country: str, taken: frozenset[str]) -> list[str]:
    """The regions of a country that stand alone, none of them a word of addresses."""
    return [r for r, c in sorted(lone_regions().items()) if c == country and fold(r) not in taken]
