"""Cities of a country: own lists and Faker's."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from tagger.wordlists import entries

FAKER_CITIES = {
    "DE": "de_DE", "IT": "it_IT", "NL": "nl_NL", "PL": "pl_PL", "PT": "pt_PT", "RO": "ro_RO",
    "SE": "sv_SE", "DK": "da_DK", "FI": "fi_FI", "IN": "en_IN",
}  # fmt: skip


MOST = 1200


@cache
def cities(country: str) -> tuple[str, ...]:
    """Cities of a country: well known ones, and Faker's list where it has one."""
    own = entries("places", f"city.{country}", f"city.{LANGUAGE_OF_CITY.get(country, 'ES')}")
    if country not in FAKER_CITIES:
        return own
    source = import_module(f"faker.providers.address.{FAKER_CITIES[country]}").Provider
    names = [str(name).strip() for name in source.cities]
    listed = {name.title() if name.isupper() else name for name in names if 2 < len(name) < 28}
    every = sorted(listed)  # Faker holds some of these as a set, whose order is the process's own
    return own * 4 + tuple(every[:: max(1, len(every) // MOST)])


LANGUAGE_OF_CITY = {"CO": "MX", "CL": "AR"}
