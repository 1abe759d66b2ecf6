"""Lists of names by origin: Faker's of all locales, in Latin letters, and own ones."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

from tagger.romanise import romanised
from tagger.wordlists import sections

LOCALES: dict[str, tuple[str, ...]] = {
    "us": ("en_US",), "gb": ("en_GB",), "ie": ("en_IE", "en_GB"), "nz": ("en_NZ",),
    "india": ("en_IN",), "pakistan": ("en_PK",), "nigeria": ("en_NG",), "yoruba": ("yo_NG",),
    "igbo": ("ig_NG",), "hausa": ("ha_NG",), "ghana": ("tw_GH",), "kenya": ("en_KE",),
    "swahili": ("sw",), "zulu": ("zu_ZA",), "thai": ("en_TH",), "es": ("es_ES",),
    "mx": ("es_MX",), "ar": ("es_AR",), "co": ("es_CO",), "cl": ("es_CL",), "catalan": ("es_CA",),
    "fr": ("fr_FR",), "quebec": ("fr_QC", "fr_CA"), "be_fr": ("fr_BE",), "algeria": ("fr_DZ",),
    "de": ("de_DE",), "at": ("de_AT",), "ch_de": ("de_CH",), "ch_fr": ("fr_CH",),
    "lu": ("de_LU",), "it": ("it_IT",), "pt": ("pt_PT",), "br": ("pt_BR",), "nl": ("nl_NL",),
    "be_nl": ("nl_BE",), "pl": ("pl_PL",), "ro": ("ro_RO",), "sv": ("sv_SE",), "no": ("no_NO",),
    "da": ("da_DK",), "fi": ("fi_FI",), "tr": ("tr_TR",), "el": ("el_GR",), "ru": ("ru_RU",),
    "uk": ("uk_UA",), "bg": ("bg_BG",), "hr": ("hr_HR",), "sl": ("sl_SI",), "cs": ("cs_CZ",),
    "sk": ("sk_SK",), "hu": ("hu_HU",), "lt": ("lt_LT",), "lv": ("lv_LV",), "ee": ("et_EE",),
    "is": ("is_IS",), "indonesia": ("id_ID",), "az": ("az_AZ",), "uz": ("uz_UZ",),
    "mk": ("mk_MK",),
}  # fmt: skip
OWN = (
    "arabic", "persian", "hebrew", "ethiopian", "westafrican", "lusophone", "pacific", "armenian",
    "georgian", "sikh", "southindian", "bangla",
)  # fmt: skip
SYLLABIC = ("chinese", "korean")
ORIGINS = (*LOCALES, *OWN, *SYLLABIC, "vietnamese", "japanese")
ASIAN = (*SYLLABIC, "vietnamese", "japanese")
LONGEST, SHORTEST = 12, 4
GIVEN = {"f": ("first_names_female",), "m": ("first_names_male",)}
SURNAMES = {
    "f": ("last_names_female", "female_last_names"),
    "m": ("last_names_male", "male_last_names"),
    "x": ("last_names", "unisex_last_names"),
}
NO_NAMES = frozenset(("Doe", "John", "Jane"))


@dataclass(frozen=True, slots=True)
class Book:
    """Given names and surnames of one origin, by gender."""

    given: dict[str, tuple[str, ...]]
    surname: dict[str, tuple[str, ...]]


@cache
def book(origin: str) -> Book:
    """The lists of one origin; syllables for Chinese and Korean given names."""
    if origin in LOCALES:
        return from_faker([provider(name) for name in LOCALES[origin]])
    if origin == "japanese":
        return japanese(provider("ja_JP"))
    own = sections("names")
    surname = own[f"{origin}.surname"]
    if origin in SYLLABIC:
        given = dict.fromkeys("fm", own[f"{origin}.syllable"])
    elif origin == "vietnamese":
        given = dict.fromkeys("fm", own["vietnamese.given"])
    else:
        given = {gender: own[f"{origin}.{gender}"] for gender in "fm"}
    return Book(given, {"f": surname, "m": surname})


def provider(name: str) -> Any:
    """Faker's class of one locale's names."""
    return import_module(f"faker.providers.person.{name}").Provider


def from_faker(providers: list[Any]) -> Book:
    """The literal lists of Faker's classes, in Latin letters."""
    given = {gender: collect(providers, names) for gender, names in GIVEN.items()}
    every = collect(providers, ("first_names",))
    given = {gender: names or every for gender, names in given.items()}
    parts = {gender: collect(providers, names) for gender, names in SURNAMES.items()}
    surname = {gender: parts[gender] or parts["x"] for gender in "fm"}
    if parts["m"] and not parts["f"]:  # Polish: masculine and unisex lists
        surname = {"m": parts["m"] * 4 + parts["x"], "f": feminine(parts["m"]) * 4 + parts["x"]}
    return Book(given, surname)


def feminine(names: tuple[str, ...]) -> tuple[str, ...]:
    """Polish surnames in -ski, -cki, -dzki as women have them."""
    return tuple(
        name[:-1] + "a" if name.endswith(("ski", "cki", "dzki")) else name for name in names
    )


def japanese(source: Any) -> Book:
    """Japanese names in Latin letters."""
    given = {
        "f": tuple(source.first_romanized_names_female),
        "m": tuple(source.first_romanized_names_male),
    }
    surname = tuple(source.last_romanized_names)
    return Book(given, {"f": surname, "m": surname})


def collect(providers: list[Any], attributes: tuple[str, ...]) -> tuple[str, ...]:
    """The distinct entries of the lists, in Latin letters, in their order."""
    found: dict[str, None] = {}
    for source in providers:
        for attribute in attributes:
            listed = getattr(source, attribute, ())
            for entry in () if isinstance(listed, property) else listed:
                name = romanised(str(entry).strip())
                if is_name(name):
                    found[name] = None
    return tuple(found)


def is_name(text: str) -> bool:
    """Whether an entry is a name: letters, joined by space, hyphen, apostrophe; no initial."""
    letters = text.replace(" ", "").replace("-", "").replace("'", "").replace("’", "")
    return len(text) > 1 and letters.isalpha() and text not in NO_NAMES and text[-1].isalpha()


NATIVE = (
    "zh_CN",
    "ja_JP",
    "ko_KR",
    "ar_SA",
    "ru_RU",
    "uk_UA",
    "el_GR",
    "he_IL",
    "hi_IN",
    "th_TH",
    "bg_BG",
    "fa_IR",
)


@cache
def native(locale: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Given names and surnames of a locale in its own script."""
    source = provider(locale)
    return tuple(map(str, source.first_names)), tuple(map(str, source.last_names))


def native_name(rng: random.Random) -> str:
    """A full name in a script of its own."""
    locale = rng.choice(NATIVE)
    given, surname = (rng.choice(names) for names in native(locale))
    return surname + given if locale in NATIVE[:3] else f"{given} {surname}"


@lru_cache(maxsize=128)
def successors(origin: str, kind: str) -> dict[str, str]:
    """Three letters -> the letters that follow them in names of the origin; "$" is the end."""
    source = book(origin)
    names = source.surname["m"] + source.surname["f"] if kind == "surname" else source.given[kind]
    found: dict[str, list[str]] = {}
    for name in names:
        for word in name.replace("-", " ").split():
            if len(word) >= SHORTEST and word[0].isupper():
                padded = f"^^^{word.lower()}$"
                for i in range(len(padded) - 3):
                    found.setdefault(padded[i : i + 3], []).append(padded[i + 3])
    return {pair: "".join(letters) for pair, letters in found.items()}
