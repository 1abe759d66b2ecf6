"""Faker's name lists by language: normal form to written form, given names by gender.

Only the literal lists of Faker's providers are read, never its random state, so that a surrogate
depends on the digest alone. `generator_version` names the versions it depends on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

from scrubbers.surrogates.slavic import masculine, with_breve
from scrubbers.surrogates.text import fold, squeeze
from scrubbers.surrogates.words import PARTICLES, TITLES

REVISION = 4  # raised whenever the same key would give other surrogates
LOCALES: dict[str, tuple[str, ...]] = {
    "en": ("en_US", "en_GB", "en_NZ"),
    "es": ("es_ES", "es_MX"),
    "fr": ("fr_FR", "fr_QC"),
    "de": ("de_DE", "de_AT"),
    "it": ("it_IT",),
    "pt": ("pt_PT", "pt_BR"),
    "nl": ("nl_NL", "nl_BE"),
    "pl": ("pl_PL",),
    "sv": ("sv_SE",),
    "no": ("no_NO",),
    "da": ("da_DK",),
    "fi": ("fi_FI",),
    "ro": ("ro_RO",),
    "cs": ("cs_CZ",),
    "hu": ("hu_HU",),
    "tr": ("tr_TR",),
    "hr": ("hr_HR", "sl_SI"),
    "africa": ("yo_NG", "ig_NG", "ha_NG", "zu_ZA", "tw_GH", "sw"),
    "india": ("en_IN",),
    "ru": ("ru_RU",),
    "uk": ("uk_UA",),
    "el": ("el_GR",),
    "ja": ("ja_JP",),
    "kana": ("ja_JP",),
    "zh": ("zh_CN",),
    "ko": ("ko_KR",),
    "hi": ("hi_IN",),
    "ar": ("ar_AA",),
    "he": ("he_IL",),
    "th": ("th_TH",),
    "ka": ("ka_GE",),
    "hy": ("hy_AM",),
}
LATIN = (
    "en", "es", "fr", "de", "it", "pt", "nl", "pl", "sv", "no", "da", "fi", "ro", "cs", "hu", "tr",
    "hr", "africa", "india",
)  # fmt: skip
MAIN = LATIN[:8]
GIVEN = {"f": ("first_names_female",), "m": ("first_names_male",), "x": ("first_names",)}
SURNAMES = {
    "f": ("last_names_female", "female_last_names"),
    "m": ("last_names_male", "male_last_names"),
    "x": ("last_names", "unisex_last_names"),
}


@dataclass(frozen=True, slots=True)
class Book:
    """One language: normal form -> written form, by gender ("f", "m", "x" for both or unknown)."""

    given: dict[str, dict[str, str]]
    surname: dict[str, dict[str, str]]


def generator_version() -> str:
    """For the manifest: what surrogates depend on besides the key."""
    return f"privatune-{REVISION} faker-{version('Faker')} phonenumbers-{version('phonenumbers')}"


@cache
def book(language: str) -> Book:
    """The lists of one language."""
    providers = [
        import_module(f"faker.providers.person.{name}").Provider for name in LOCALES[language]
    ]
    if language == "kana":
        return kana(providers)
    given = {gender: collect(providers, names) for gender, names in GIVEN.items()}
    surname = {gender: collect(providers, names) for gender, names in SURNAMES.items()}
    if surname["f"] or surname["m"]:
        surname["x"] = without(surname["x"], surname["f"], surname["m"])
    given["x"] = {n: d for n, d in given["x"].items() if n in given["f"] and n in given["m"]}
    both = [given["x"]]
    given["f"], given["m"] = without(given["f"], *both), without(given["m"], *both)
    if not any(given.values()):
        given["x"] = collect(providers, GIVEN["x"])
    return Book(given, surname)


def kana(providers: list[Any]) -> Book:
    """Japanese names in syllables, as forms ask for them beside the characters."""
    none: dict[str, str] = {}
    given = {
        "f": collect(providers, ("first_kana_names_female",)),
        "m": collect(providers, ("first_kana_names_male",)),
        "x": none,
    }
    return Book(given, {"f": none, "m": none, "x": collect(providers, ("last_kana_names",))})


@cache
def homes(language: str) -> dict[str, tuple[float, float]]:
    """Given name -> (share of the language's countries that list it, mean share of their people).

    Where a list has no counts, each of its names is one of as many people as it has names.
    """
    countries = [country_shares(name) for name in LOCALES[language]]
    return {
        norm: (
            sum(norm in shares for shares in countries) / len(countries),
            sum(shares.get(norm, 0.0) for shares in countries) / len(countries),
        )
        for norm in {norm for shares in countries for norm in shares}
    }


def country_shares(locale: str) -> dict[str, float]:
    """Given name -> its share among those of its gender in one country's lists."""
    provider = import_module(f"faker.providers.person.{locale}").Provider
    shares: dict[str, float] = {}
    for attribute in (*GIVEN["f"], *GIVEN["m"]):
        entries = getattr(provider, attribute, ())
        entries = () if isinstance(entries, property) else entries
        counts = entries if isinstance(entries, dict) else dict.fromkeys(entries, 1.0)
        total = sum(counts.values())
        for entry, count in counts.items():
            for word in str(entry).replace("-", " ").split():
                norm = name_norm(word)
                shares[norm] = max(shares.get(norm, 0.0), count / total)
    return shares


def without(names: dict[str, str], *others: dict[str, str]) -> dict[str, str]:
    """The names that are in none of the others."""
    return {n: d for n, d in names.items() if not any(n in other for other in others)}


def collect(providers: Iterable[Any], attributes: Iterable[str]) -> dict[str, str]:
    """Normal form -> written form of the single words in the providers' lists."""
    found: dict[str, str] = {}
    for provider in providers:
        for attribute in attributes:
            entries = getattr(provider, attribute, ())  # of some classes a property, not a list
            for entry in () if isinstance(entries, property) else entries:
                for word in str(entry).replace("-", " ").split():
                    norm = name_norm(word)
                    if norm.isalpha() or not norm.isascii():
                        found.setdefault(norm, masculine(word))
    return {n: d for n, d in found.items() if n and n not in PARTICLES and n not in TITLES}


@cache
def written() -> dict[str, dict[str, str]]:
    """Language -> normal form -> written form, over all its lists."""
    return {
        language: {n: d for part in (book(language).surname, book(language).given)
                   for names in part.values() for n, d in names.items()}
        for language in LOCALES
    }  # fmt: skip


@cache
def members() -> dict[str, list[tuple[str, str, str]]]:
    """Normal form -> (kind, language, gender) of each list that holds it."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for language in LOCALES:
        entries = (("given", book(language).given), ("surname", book(language).surname))
        for kind, lists in entries:
            for gender, names in lists.items():
                for norm in names:
                    found.setdefault(norm, []).append((kind, language, gender))
    return found


@lru_cache(maxsize=1 << 16)
def name_norm(word: str) -> str:
    """The normal form of one component, of its written or folded form."""
    norm = masculine(squeeze(fold(word)))
    return norm if norm.isascii() else fold(norm)


def display(norm: str, language: str) -> str:
    """The written form of a surrogate of this language, capitalised, accents as in the lists."""
    known = written().get(language, {}).get(norm)
    return known if known is not None else norm[:1].upper() + with_breve(norm[1:])
