"""The table of areas: which beginning of a postcode belongs to which town and region.

The facts are public knowledge of the postal services, kept in areas.txt beside this file.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from importlib.resources import files

# A plan is a way to write postcodes. Whether five or four digits alone are Spanish or German they
# do not say, so the countries that write them so share a plan, and its areas.
PLANS: dict[str, tuple[str, ...]] = {
    "5": ("ES", "FR", "DE", "IT", "US", "MX", "SE", "PL"), "4": ("BE", "AT", "CH", "NL"),
    "GB": ("GB",), "CA": ("CA",), "PT": ("PT",), "BR": ("BR",), "IE": ("IE",),
}  # fmt: skip
PLAN_OF = {country: plan for plan, countries in PLANS.items() for country in countries}
LANGUAGES = {
    "ES": "es", "FR": "fr", "DE": "de", "IT": "it", "US": "en", "MX": "es", "SE": "sv", "PL": "pl",
    "BE": "nl", "AT": "de", "CH": "de", "NL": "nl", "GB": "en", "CA": "en", "PT": "pt", "BR": "pt",
    "IE": "en",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """One area of one country: `names` begin with the one that is written, and may be empty."""

    country: str
    beginnings: tuple[str, ...]
    names: tuple[str, ...]
    region: str


@cache
def rows() -> tuple[Row, ...]:
    """The rows of areas.txt."""
    text = files("scrubbers.surrogates").joinpath("areas.txt").read_text(encoding="utf-8")
    return tuple(row(line) for line in text.splitlines() if not line.startswith("#"))


def row(line: str) -> Row:
    """One line: country, beginnings, names and, where addresses name it, the region."""
    country, beginnings, names, region = [*line.split("|"), ""][:4]
    return Row(country, tuple(beginnings.split(",")), tuple(filter(None, names.split("="))), region)


@cache
def names_of(language: str) -> tuple[str, ...]:
    """The towns of the countries where a language is spoken."""
    return tuple(r.names[0] for r in rows() if r.names and LANGUAGES[r.country] == language)
