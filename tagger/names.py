"""People of one sample: names of many origins, and the ways in which they are written."""

from __future__ import annotations

import random
from dataclasses import dataclass
from functools import cache

from tagger.invent import invented
from tagger.namelists import ASIAN, LONGEST, ORIGINS, SHORTEST, SYLLABIC, book, successors
from tagger.wordlists import entries, sections

HOME: dict[str, tuple[str, ...]] = {
    "US": ("us", "us", "us", "mx"), "GB": ("gb",), "IE": ("ie",), "CA": ("us", "quebec"),
    "AU": ("nz", "gb"), "IN": ("india", "india", "southindian", "sikh", "bangla"), "ES": ("es", "es", "catalan"),
    "MX": ("mx",), "AR": ("ar",), "CO": ("co",), "CL": ("cl",), "FR": ("fr",),
    "BE": ("be_fr", "be_nl"), "CH": ("ch_de", "ch_fr", "it"), "DE": ("de",), "AT": ("at",), "IT": ("it",),
    "PT": ("pt",), "BR": ("br",), "NL": ("nl",), "PL": ("pl",), "RO": ("ro",), "SE": ("sv",),
    "NO": ("no",), "DK": ("da",), "FI": ("fi", "fi", "fi", "sv"),
}  # fmt: skip
NEAR: dict[str, tuple[str, ...]] = {  # who else lives there
    "en": ("india", "pakistan", "sikh", "chinese", "yoruba", "igbo", "ghana", "pl", "mx", "ie", "arabic", "vietnamese", "korean", "bangla"),
    "es": ("ro", "arabic", "co", "mx", "ar", "cl", "chinese", "catalan", "bg", "pt"),
    "fr": ("arabic", "algeria", "westafrican", "pt", "it", "vietnamese", "pl", "tr"),
    "de": ("tr", "arabic", "pl", "ru", "hr", "it", "el", "uk", "ro", "vietnamese"),
    "it": ("ro", "arabic", "chinese", "mk", "uk", "bangla", "westafrican"),
    "pt": ("br", "lusophone", "uk", "ro", "it", "japanese"),
    "nl": ("tr", "arabic", "indonesia", "pl", "be_nl", "ethiopian"),
    "pl": ("uk", "ru", "vietnamese", "lt", "cs"), "ro": ("hu", "tr", "uk", "de"),
    "sv": ("arabic", "persian", "fi", "hr", "ethiopian", "tr"),
    "no": ("pl", "ethiopian", "pakistan", "lt", "sv"), "da": ("tr", "arabic", "de", "pakistan", "is"),
    "fi": ("ru", "ee", "sv", "ethiopian", "arabic"),
}  # fmt: skip
DOUBLE = ("es", "mx", "ar", "co", "cl", "catalan")
PORTUGUESE = ("pt", "br", "lusophone")
SUFFIXES = ("Jr.", "Jr", "III", "Sr.", "II")
PARTICLES = {
    "de": ("von", "zu", "von der", "vom"), "nl": ("van", "van de", "van der", "van den", "de", "ten", "ter"),
    "fr": ("de", "de La", "du", "d'", "Le", "La"), "it": ("De", "Di", "Del", "Della", "De'", "D'", "Lo", "La"),
    "es": ("de", "de la", "del", "de los"), "pt": ("da", "de", "dos", "do", "das"),
    "en": ("Mc", "Mac", "O'", "St. ", "Fitz"), "da": ("von", "af"), "sv": ("von", "af", "de"),
    "no": ("von", "de"), "fi": ("af", "von"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Person:
    """One person: components as written, never with a label."""

    gender: str
    given: str
    middle: str
    surname: str
    second: str  # second surname (García López), "" for most
    suffix: str
    nick: str
    origin: str
    order: str  # "western", or "eastern" where the surname is usually written first

    @property
    def surnames(self) -> str:
        """All surnames."""
        return f"{self.surname} {self.second}".strip()


def person(rng: random.Random, language: str, country: str) -> Person:
    """A person as one meets them in that country and language."""
    origin = origin_of(rng, language, country)
    gender = rng.choice("fm")
    given = given_name(rng, origin, gender, language)
    if rng.random() < 0.09 and origin not in ASIAN:
        given = compound(rng, given, given_name(rng, origin, gender, language), origin)
    surname = surname_of(rng, origin, gender, language)
    second = second_surname(rng, origin, gender, language)
    middle = middle_of(rng, origin, gender, language)
    suffix = rng.choice(SUFFIXES) if origin == "us" and rng.random() < 0.04 else ""
    eastern = (origin in ASIAN and rng.random() < 0.5) or (origin == "hu" and rng.random() < 0.3)
    return Person(
        gender, given, middle, surname, second, suffix, nickname(rng, given, language), origin,
        "eastern" if eastern else "western",
    )  # fmt: skip


def origin_of(rng: random.Random, language: str, country: str) -> str:
    """Mostly of the country, a share of its neighbours and migrants, a share from anywhere."""
    dice = rng.random()
    if dice < 0.58:
        return rng.choice(HOME[country])
    if dice < 0.74:
        return rng.choice(NEAR[language])
    return rng.choice(ORIGINS)


def given_name(rng: random.Random, origin: str, gender: str, language: str) -> str:
    """A given name: listed, a word of the language, or made of letters."""
    if origin in SYLLABIC:
        return syllables(rng, origin)
    dice = rng.random()
    if dice < 0.08 and origin in HOME_ORIGINS:
        return rng.choice(entries("names", f"wordgiven.{language}"))
    if dice < 0.13:
        return made_up(rng, origin, gender)
    if dice < 0.16:
        return invented(rng)
    names = listed(origin, gender)
    return rng.choice(names)


@cache
def listed(origin: str, kind: str) -> tuple[str, ...]:
    """Faker's and own names of an origin; kind "f", "m", "surname.f" or "surname.m"."""
    own = sections("names")
    if kind in ("f", "m"):
        return book(origin).given[kind] + own.get(f"more.{origin}.{kind}", ())
    base = book(origin).surname[kind[-1]] + own.get(f"more.{origin}.surname", ())
    if origin == "is":
        ending, names = ("dóttir", "f") if kind[-1] == "f" else ("son", "m")
        base = tuple(f"{name}s{ending}" for name in book("is").given[names][::7])
    if origin == "br":
        base += own["more.pt.surname"]
    return base


HOME_ORIGINS = frozenset(origin for origins in HOME.values() for origin in origins)


def syllables(rng: random.Random, origin: str) -> str:
    """A Chinese or Korean given name in Latin letters, joined in one of the usual ways."""
    parts = book(origin).given["f"]
    first, second = rng.choice(parts), rng.choice(parts)
    if origin == "chinese" and rng.random() < 0.25:
        return first.capitalize()
    style = rng.randrange(4)
    if style == 0:
        return f"{first.capitalize()} {second.capitalize()}"
    if style == 1:
        return f"{first.capitalize()}-{second if rng.random() < 0.6 else second.capitalize()}"
    return (first + second).capitalize()


def compound(rng: random.Random, first: str, second: str, origin: str) -> str:
    """Two given names: with a hyphen in French and German, mostly apart elsewhere."""
    if " " in first or "-" in first or first == second:
        return first
    hyphen = origin in ("fr", "quebec", "be_fr", "ch_fr", "de", "nl", "sv", "no", "da", "fi")
    return f"{first}{'-' if hyphen and rng.random() < 0.7 else ' '}{second}"


def surname_of(rng: random.Random, origin: str, gender: str, language: str) -> str:
    """A surname: listed, a word, made up, with a particle, or of two names."""
    dice = rng.random()
    if dice < 0.12 and origin in HOME_ORIGINS:
        name = rng.choice(entries("names", f"wordsurname.{language}"))
        return polish_feminine(name) if origin == "pl" and gender == "f" else name
    name = made_up(rng, origin, "surname") if dice < 0.30 else rng.choice(
        listed(origin, f"surname.{gender}"))  # fmt: skip
    name = invented(rng) if 0.30 <= dice < 0.34 else name
    extra = rng.random()
    particles = PARTICLES.get(language, ()) if origin in HOME_ORIGINS and " " not in name else ()
    if extra < 0.06 and particles:
        particle = rng.choice(particles)
        glue = "" if particle[-1] in "'c " or particle == "Fitz" else " "
        return particle + glue + name
    if extra < 0.12 and origin not in ASIAN and "-" not in name:
        other = rng.choice(listed(origin, f"surname.{gender}"))
        return name if other == name else f"{name}{'-' if rng.random() < 0.85 else ' '}{other}"
    return name


def polish_feminine(name: str) -> str:
    """The woman's form of a Polish surname."""
    return name[:-1] + "a" if name.endswith(("ski", "cki", "dzki")) else name


def second_surname(rng: random.Random, origin: str, gender: str, language: str) -> str:
    """A second surname where people have one."""
    if origin in DOUBLE and rng.random() < (0.6 if language == "es" else 0.3):
        joint = rng.choice(("", "", "", "", "", "y ", "de la ", "del ", "de "))
        return joint + rng.choice(listed(origin, f"surname.{gender}"))
    if origin in PORTUGUESE and rng.random() < 0.55:
        joint = rng.choice(("", "", "", "da ", "de ", "dos ", "e ", "do "))
        return joint + rng.choice(listed(origin, f"surname.{gender}"))
    return ""


def middle_of(rng: random.Random, origin: str, gender: str, language: str) -> str:
    """A middle name, often as an initial; Vietnamese and Arabic names have others."""
    if origin == "vietnamese":
        return rng.choice(entries("names", "vietnamese.middle")) if rng.random() < 0.8 else ""
    if origin == "arabic":
        links = ("bin", "ibn", "ben") if gender == "m" else ("bint",)
        father = rng.choice(book("arabic").given["m"])
        return f"{rng.choice(links)} {father}" if rng.random() < 0.12 else ""
    dice = rng.random()
    if origin in ASIAN or dice > (0.24 if language == "en" else 0.1):
        return ""
    name = given_name(rng, origin, gender, language)
    return name if dice < 0.06 else f"{name[0]}{'' if dice < 0.075 else '.'}"


def made_up(rng: random.Random, origin: str, kind: str) -> str:
    """A name by the letters of the origin's names, so that no list holds what is a name."""
    follow = successors(origin, kind) if origin not in SYLLABIC or kind == "surname" else {}
    for _ in range(40):
        name, last = "", "^^^"
        while len(name) <= LONGEST:
            letter = rng.choice(follow.get(last, "$"))
            if letter == "$":
                break
            name, last = name + letter, last[1:] + letter
        if SHORTEST <= len(name) <= LONGEST:
            return name[0].upper() + name[1:]
    return rng.choice(listed(origin, "surname.m"))


@cache
def nicknames() -> dict[str, tuple[str, ...]]:
    """Given name -> its short forms."""
    rows = (entry.split(":") for entry in entries("names", "nick"))
    return {name: tuple(short.split()) for name, short in rows}


def nickname(rng: random.Random, given: str, language: str) -> str:
    """A short form: known, or the first syllable with an ending of the language."""
    known = nicknames().get(given.split(" ", maxsplit=1)[0])
    if known and rng.random() < 0.85:
        return rng.choice(known)
    first = given.replace("-", " ").split()[0]
    stem = first[:3]
    if len(first) < 4 or stem[-1].lower() in "aeiouyáéíóúäöüåæø'":
        return first if len(first) < 5 else stem
    endings = {
        "en": ("", "y", "ie", "s"), "es": ("", "i", "ito", "ita"), "fr": ("", "ou", "ie"), "de": ("i", "", "chen"),
        "it": ("", "i", "ina", "ino"), "pt": ("", "inha", "inho", "i"), "nl": ("je", "", "ie"), "pl": ("cia", "uś", "ek"),
        "ro": ("i", "u", "a"), "sv": ("e", "an", "is"), "no": ("e", "", "en"), "da": ("se", "", "er"), "fi": ("u", "i", "ppu"),
    }  # fmt: skip
    return stem + rng.choice(endings[language])
