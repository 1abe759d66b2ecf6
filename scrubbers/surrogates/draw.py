"""Candidates for a unit's surrogate: a pure function of space, digest and counter."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from scrubbers.surrogates import areas, codes, dates, hosts, naming, places, plans, postcodes
from scrubbers.surrogates.lists import generator_version
from scrubbers.surrogates.stream import Stream
from scrubbers.surrogates.unit import DAY, Unit

__all__ = ["capacity", "draw", "generator_version", "is_small", "surrogate_unit"]

Draw = Callable[[str, Stream, int], str]


def draw_digits(details: str, stream: Stream, _: int) -> str:
    """A short number: of the same length, without a leading zero if the value had none."""
    lead, length = details.split(":")
    return stream.digits(int(length), codes.CLASSES[lead])


DRAWS: dict[str, Draw] = {
    "name": naming.draw_name,
    "initial": lambda details, stream, _: naming.draw_initial(details, stream),
    "digits": draw_digits,
    "domain": hosts.draw_domain,
    "label": hosts.draw_word,
    "ip": hosts.draw_ip,
    "code": codes.draw_code,
    "secret": lambda details, stream, _: codes.draw_secret(details, stream),
    "last4": lambda details, stream, _: codes.draw_secret(details, stream),
    "card": lambda details, stream, _: codes.draw_card(details, stream),
    "iban": lambda details, stream, _: codes.draw_iban(details, stream),
    "date": lambda details, stream, _: dates.draw_date(details, stream),
    "word": places.draw_street,
    "area": lambda details, stream, _: areas.draw_area(details, stream),
    "rest": lambda details, stream, _: places.draw_rest(details, stream),
    "region": lambda details, stream, _: places.draw_region(details, stream),
    "org": places.draw_organisation,
}
LARGE = 10**9
SMALL = 10_000


@lru_cache(maxsize=1 << 12)  # a scan asks for each candidate several times over
def draw(space: str, digest: bytes, counter: int) -> str:
    """The norm of candidate number `counter` (0, 1, ...) for the unit with this digest."""
    family, _, details = space.partition(":")
    if family.startswith("phone"):
        return plans.draw_phone(family, details, Stream(digest, counter), counter)
    return DRAWS[family](details, Stream(digest, counter), counter)


def surrogate_unit(space: str, norm: str) -> Unit:
    """The unit as which a candidate is read back: what it must not share with any other."""
    return Unit(space, norm)


CAPACITIES: dict[str, Callable[[str], int]] = {
    "digits": lambda details: len(codes.CLASSES[details[0]]) * int(10 ** (int(details[2:]) - 1)),
    "initial": lambda details: len(naming.ALPHABETS.get(details, naming.ALPHABETS["latin"])),
    "code": codes.capacity,
    "last4": codes.capacity,
    "secret": codes.capacity,
    "area": areas.area_capacity,
    "rest": postcodes.rest_capacity,
    "region": places.region_capacity,
    "date": dates.capacity,
    DAY: lambda _: 366,
}


def capacity(space: str) -> int:
    """How many different norms a space can give, exact for small ones, LARGE for the rest."""
    family, _, details = space.partition(":")
    if family.startswith("phone"):
        return plans.capacity(family, details)
    return CAPACITIES[family](details) if family in CAPACITIES else LARGE


def is_small(space: str) -> bool:
    """Whether a space has so few norms that a set's surrogates may be a permutation of its values.

    That such a surrogate stands in the set as an original tells nothing: house numbers, initials,
    the last four digits of a card.
    """
    return capacity(space) < SMALL
