"""Cities of a country: own lists and Faker's."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from tagger.wordlists import entries

FAKER_CITIES = {
    "DE": "de_DE", "IT": "it_IT", "NL": "nl_NL", "PL": "pl_PL", "PT": "pt_PT", "RO": "ro_RO",
    "SE": "sv_SE", "DK": "da_DK", "FI": "fi_FI", "IN": "en_IN",
}  # fmt: skip


@cache
def cities(country: str) -> tuple[str, ...]:
    """Cities of a country: well known ones, and Faker's list where it has one."""
    own = entries("places", f"city.{country}", f"city.{LANGUAGE_OF_CITY.get(country, 'ES')}")
    if country not in FAKER_CITIES:
        return own
    source = import_module(f"faker.providers.address.{FAKER_CITIES[country]}").Provider
    names = [str(name).strip() for name in source.cities]
    listed = [name.title() if name.isupper() else name for name in names if 2 < len(name) < 28]
    return own * 4 + tuple(listed[:1200])


LANGUAGE_OF_CITY = {"CO": "MX", "CL": "AR"}
