"""Postcodes, cities and whole addresses as each country writes them."""

from __future__ import annotations

import random

from tagger.cities import cities
from tagger.draw import shaped
from tagger.pieces import Pieces, plain
from tagger.wordlists import entries

POSTCODES = {
    "US": ("%####", "%####", "%####-####"), "GB": ("??# #??", "?# #??", "??## #??", "?## #??", "??##??"),
    "IE": ("?## ?#?#", "?##?##?", "D0% ?###"), "CA": ("?#? #?#", "?#?#?#"), "AU": ("%###",),
    "IN": ("%#####", "%## ###"), "ES": ("0####", "%####"), "MX": ("0####", "%####", "C.P. %####"),
    "AR": ("%###", "?%###???", "?%###"), "CO": ("%#####", "0#####"), "CL": ("%######",),
    "FR": ("%####", "0%###", "F-%####"), "BE": ("%###", "B-%###"), "CH": ("%###", "CH-%###"),
    "DE": ("%####", "0%###", "D-%####"), "AT": ("%###", "A-%###"), "IT": ("%####", "00###"),
    "PT": ("%###-###",), "BR": ("#####-###", "########"), "NL": ("%### ??", "%###??", "%### ??"),
    "PL": ("##-###",), "RO": ("%#####", "0#####"), "SE": ("%## ##", "%####", "SE-%## ##"),
    "NO": ("%###", "0###"), "DK": ("%###", "DK-%###"), "FI": ("#####", "FI-#####"),
}  # fmt: skip


def city(rng: random.Random, country: str) -> str:
    """A city, rarely one of elsewhere."""
    return (
        rng.choice(entries("places", "world"))
        if rng.random() < 0.05
        else rng.choice(cities(country))
    )


def postcode(rng: random.Random, country: str) -> str:
    """A postcode of the country's form."""
    return shaped(rng, rng.choice(POSTCODES[country]))


def address(rng: random.Random, country: str, line: str, code: str, town: str) -> Pieces:
    """Street, postcode and city in the order of the country; no region is a span of its own."""
    glue = rng.choice((", ", ", ", ", ", "\n", " - ", " | ", "; ", " "))
    where: Pieces
    if country in ("US", "CA", "AU"):
        state = rng.choice(entries("places", f"region.{country}"))
        comma = "," if country == "US" and rng.random() < 0.8 else ""
        where = [(f"{town}{comma} {state}", "LOCATION"), (" ", None), (code, "ADDRESS")]
    elif country in ("GB", "IE", "IN"):
        between = {"IN": rng.choice((" - ", " ", " – ")), "GB": rng.choice((", ", " ", "\n"))}.get(
            country, ", "
        )
        where = [(town, "LOCATION"), (between, None), (code, "ADDRESS")]
    elif country == "BR":
        state = rng.choice(("SP", "RJ", "MG", "BA", "PR", "RS", "PE", "CE"))
        where = [
            (f"{town}{rng.choice(('/', ' - ', '-'))}{state}", "LOCATION"),
            (rng.choice((", CEP ", " - ", ", ")), None),
            (code, "ADDRESS"),
        ]
    else:
        where = [(code, "ADDRESS"), (" ", None), (town, "LOCATION")]
        if country in ("ES", "IT") and rng.random() < 0.3:
            inside = (
                rng.choice(("(MI)", "(TO)", "(NA)", "(BS)"))
                if country == "IT"
                else "(" + rng.choice(cities(country)) + ")"
            )
            where += [(" ", None), (inside, "LOCATION")]
    return [(line, "ADDRESS"), *plain(glue), *where]
