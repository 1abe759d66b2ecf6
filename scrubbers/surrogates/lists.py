"""Faker's name lists, by language, and what one component of a name most likely is.

Only the literal lists of Faker's providers are read, never its random state, so that a surrogate
depends on the digest alone. `generator_version` names the versions it depends on.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import version
from typing import Any

from scrubbers.surrogates.text import fold_name, squeeze
from scrubbers.surrogates.words import PARTICLES, TITLES

REVISION = 2  # raised whenever the same key would give other surrogates
LOCALES: dict[str, tuple[str, ...]] = {
    "en": ("en_US", "en_GB"),
    "es": ("es_ES", "es_MX"),
    "fr": ("fr_FR",),
    "de": ("de_DE",),
    "it": ("it_IT",),
    "pt": ("pt_PT", "pt_BR"),
    "nl": ("nl_NL",),
    "pl": ("pl_PL",),
    "sv": ("sv_SE",),
    "no": ("no_NO",),
    "da": ("da_DK",),
    "fi": ("fi_FI",),
    "ro": ("ro_RO",),
    "cs": ("cs_CZ",),
    "hu": ("hu_HU",),
    "tr": ("tr_TR",),
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
)  # fmt: skip
MAIN = LATIN[:8]
GIVEN = {"f": ("first_names_female",), "m": ("first_names_male",), "x": ("first_names",)}
SURNAMES = {
    "f": ("last_names_female", "female_last_names"),
    "m": ("last_names_male", "male_last_names"),
    "x": ("last_names", "unisex_last_names"),
}
UMLAUT = re.compile("[äöü]|[^aeiouqg](?:ae|oe|ue)[^aeiouyz]")
NOT_GERMAN = frozenset(("es", "it", "pt", "nl", "sv", "no", "da", "fi", "hu", "tr", "cs"))
GENDERED = frozenset(("pl", "ru", "uk", "cs", "el"))
BLOCKS = (
    (0x0370, 0x03FF, "el"), (0x1F00, 0x1FFF, "el"), (0x0400, 0x052F, "ru"), (0x0530, 0x058F, "hy"),
    (0x0590, 0x05FF, "he"), (0x0600, 0x06FF, "ar"), (0x0750, 0x077F, "ar"), (0x0900, 0x097F, "hi"),
    (0x0E00, 0x0E7F, "th"), (0x10A0, 0x10FF, "ka"), (0x1100, 0x11FF, "ko"), (0x3040, 0x30FF, "kana"),
    (0x4E00, 0x9FFF, "zh"), (0xAC00, 0xD7AF, "ko"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Book:
    """One language: normal form -> written form, by gender ("f", "m", "x" for both or unknown)."""

    given: dict[str, dict[str, str]]
    surname: dict[str, dict[str, str]]


@dataclass(frozen=True, slots=True)
class Kind:
    """What a component is: "given", "surname" or "any"; a language; "f", "m" or "x"."""

    kind: str
    language: str
    gender: str


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


def without(names: dict[str, str], *others: dict[str, str]) -> dict[str, str]:
    """The names that are in none of the others."""
    return {n: d for n, d in names.items() if not any(n in other for other in others)}


def collect(providers: Iterable[Any], attributes: Iterable[str]) -> dict[str, str]:
    """Normal form -> written form of the single words in the providers' lists."""
    found: dict[str, str] = {}
    for provider in providers:
        for attribute in attributes:
            for entry in getattr(provider, attribute, ()):
                for word in str(entry).replace("-", " ").split():
                    norm = fold_name(word)
                    if norm.isalpha() or not norm.isascii():
                        found.setdefault(norm, word)
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


def is_known(norm: str) -> bool:
    """Whether any list holds this component."""
    return squeeze(norm) in members()


def is_surname(norm: str) -> bool:
    """Whether any list of surnames holds this component."""
    return any(kind == "surname" for kind, _, _ in members().get(squeeze(norm), ()))


@lru_cache(maxsize=1 << 16)
def classify(norm: str) -> Kind:
    """Kind, language and gender of a component, from itself alone."""
    rows = members().get(norm)
    if not rows:
        language = guess(norm)
        return Kind("any", language, ending_gender(norm, language))
    given = [row for row in rows if row[0] == "given"]
    surnames = [row for row in rows if row[0] == "surname"]
    kind = "given" if len(given) >= len(surnames) else "surname"
    chosen = given if kind == "given" else surnames
    found = {row[1] for row in chosen}
    german = kind == "surname" and has_umlaut(norm) and ("de" in found or not found & NOT_GERMAN)
    language = "de" if german else best_language(norm, candidates(found))
    return Kind(kind, language, majority(chosen if kind == "given" else [
        row for row in chosen if row[1] == language]))  # fmt: skip


def has_umlaut(norm: str) -> bool:
    """Whether a list writes a name with an umlaut, or with the e that stands for one."""
    shown = (names[norm].lower() for names in written().values() if norm in names)
    return any(UMLAUT.search(name) for name in shown)


def candidates(languages: set[str]) -> list[str]:
    """The main languages if any is among them; Spanish surnames stand in English lists too."""
    main = languages & set(MAIN) or languages
    return sorted(main - {"en"} if "es" in main else main)


def majority(rows: list[tuple[str, str, str]]) -> str:
    """The gender that most lists give."""
    female = sum(row[2] == "f" for row in rows)
    male = sum(row[2] == "m" for row in rows)
    return "f" if female > male else "m" if male > female else "x"


def ending_gender(norm: str, language: str) -> str:
    """The gender that a surname's ending shows, where surnames have one."""
    if language not in GENDERED:
        return "x"
    female = ("ska", "cka", "dzka", "ova", "eva", "ina", "ова", "ева", "ина", "ая", "ська")
    male = ("ski", "cki", "dzki", "ov", "ev", "in", "ов", "ев", "ин", "ий", "ський")
    return "f" if norm.endswith(female) else "m" if norm.endswith(male) else "x"


def guess(norm: str) -> str:
    """The language of a component that no list holds."""
    found = script(norm[0])
    if found == "latin":
        return best_language(norm, list(LATIN))
    return "uk" if found == "ru" and set(norm) & set("іїєґ") else found


def script(char: str) -> str:
    """Either "latin" or the language that stands for the letter's script."""
    code = ord(char)
    return next((name for first, last, name in BLOCKS if first <= code <= last), "latin")


def guess_any(norm: str) -> str:
    """The language of a word: of the lists that hold it, else by its letters."""
    return classify(norm).language


def best_language(norm: str, languages: list[str]) -> str:
    """Where the component's letter triples are most at home; ties go to the order of LOCALES."""
    latin = [code for code in LATIN if code in languages]
    if len(languages) == 1 or not latin:
        return min(languages, key=list(LOCALES).index)
    scores = likelihoods(norm)
    return max(latin, key=lambda code: scores[LATIN.index(code)])


@cache
def triples(language: str) -> tuple[dict[str, int], dict[str, int]]:
    """Counts of letter triples and of the pairs that they start with."""
    three: dict[str, int] = {}
    two: dict[str, int] = {}
    for norm in written()[language]:
        padded = f"^^{norm}$"
        for i in range(len(padded) - 2):
            three[padded[i : i + 3]] = three.get(padded[i : i + 3], 0) + 1
            two[padded[i : i + 2]] = two.get(padded[i : i + 2], 0) + 1
    return three, two


def likelihoods(norm: str) -> list[float]:
    """Log likelihood of the letters in each language of LATIN."""
    padded = f"^^{norm}$"
    rows = (triple_scores(padded[i : i + 3]) for i in range(len(padded) - 2))
    return [sum(column) for column in zip(*rows, strict=True)]


@lru_cache(maxsize=1 << 15)
def triple_scores(triple: str) -> tuple[float, ...]:
    """Of one triple, in each language of LATIN; smoothed by a quarter count over 30 letters."""
    counts = (triples(language) for language in LATIN)
    return tuple(
        math.log((three.get(triple, 0) + 0.25) / (two.get(triple[:2], 0) + 7.5))
        for three, two in counts
    )


def display(norm: str, language: str) -> str:
    """The written form of a surrogate of this language, capitalised, accents as in the lists."""
    known = written().get(language, {}).get(norm)
    return known if known is not None else norm[:1].upper() + norm[1:]


def is_alphabetic(char: str) -> bool:
    """Whether one letter of this script can be an initial (a character of Chinese cannot)."""
    return char.isalpha() and script(char) not in ("zh", "kana", "ko", "th", "hi")
