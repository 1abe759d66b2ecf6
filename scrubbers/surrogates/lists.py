"""What one component of a name most likely is: kind, language and gender, from itself alone."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache

from scrubbers.surrogates.namebooks import (
    LATIN,
    LOCALES,
    MAIN,
    book,
    display,
    generator_version,
    homes,
    members,
    name_norm,
    written,
)
from scrubbers.surrogates.slavic import bases, is_adjectival

__all__ = [
    "LATIN", "LOCALES", "book", "classify", "display", "generator_version", "guess_any",
    "is_alphabetic", "is_known", "is_surname", "members", "name_norm", "nominative", "script",
    "written",
]  # fmt: skip

UMLAUT = re.compile("[äöü]|[^aeiouqg](?:ae|oe|ue)[^aeiouyz]")
NOT_GERMAN = frozenset(("es", "it", "pt", "nl", "sv", "no", "da", "fi", "hu", "tr", "cs"))
GENDERED = frozenset(("pl", "ru", "uk", "cs", "el"))
CHARACTERS = ("zh", "kana", "ko", "ja")  # written in characters or syllables
BLOCKS = (
    (0x0370, 0x03FF, "el"), (0x1F00, 0x1FFF, "el"), (0x0400, 0x052F, "ru"), (0x0530, 0x058F, "hy"),
    (0x0590, 0x05FF, "he"), (0x0600, 0x06FF, "ar"), (0x0750, 0x077F, "ar"), (0x0900, 0x097F, "hi"),
    (0x0E00, 0x0E7F, "th"), (0x10A0, 0x10FF, "ka"), (0x1100, 0x11FF, "ko"), (0x3040, 0x30FF, "kana"),
    (0x4E00, 0x9FFF, "zh"), (0xAC00, 0xD7AF, "ko"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Kind:
    """What a component is: kind, language and gender.

    Kind: "given" or "surname" as most lists say; of what no list holds "maybe" (like a given name)
    or "any". Gender: "f", "m", "x", or "a" for a surname whose feminine form shows it (-ski).
    """

    kind: str
    language: str
    gender: str


def is_known(norm: str) -> bool:
    """Whether any list holds this component."""
    return name_norm(norm) in members()


@lru_cache(maxsize=1 << 16)
def nominative(folded: str) -> str:
    """The norm of a component; of a Russian or Ukrainian name in a case that of the name itself."""
    norm = name_norm(folded)
    if script(norm[:1] or "a") != "ru" or is_known(norm) or is_adjectival(norm):
        return norm
    options = list(bases(norm))
    found = [name for name in options if is_known(name)] or list(filter(is_adjectival, options))
    return name_norm(found[0]) if found else norm


def is_surname(norm: str) -> bool:
    """Whether any list of surnames holds this component."""
    return any(kind == "surname" for kind, _, _ in members().get(name_norm(norm), ()))


def given_genders(norm: str) -> frozenset[str]:
    """The genders that lists of given names show for a component; empty if none holds it."""
    rows = members().get(norm, ())
    return frozenset(gender for kind, _, gender in rows if kind == "given")


@lru_cache(maxsize=1 << 16)
def classify(norm: str) -> Kind:
    """Kind, language and gender of a component, from itself alone."""
    rows = members().get(norm, [])
    given = [row for row in rows if row[0] == "given"]
    if is_adjectival(norm) and not given:
        return Kind("surname", "pl" if norm.isascii() else guess(norm), "a")
    if not rows:
        return unlisted(norm, guess(norm))
    surnames = [row for row in rows if row[0] == "surname"]
    kind = "given" if len(given) >= len(surnames) else "surname"
    chosen = given if kind == "given" else surnames
    found = {row[1] for row in chosen}
    if kind == "given":
        language = given_home(norm, found)
        everywhere = homes(language).get(norm, (0.0, 0.0))[0] == 1  # one list alone may err
        own = majority([row for row in chosen if row[1] == language and everywhere])
        return Kind(kind, language, own if own != "x" else majority(chosen))
    german = has_umlaut(norm) and ("de" in found or not found & NOT_GERMAN)
    language = "de" if german else best_language(norm, candidates(found))
    return Kind(kind, language, majority([row for row in chosen if row[1] == language]))


def given_home(norm: str, languages: set[str]) -> str:
    """The language in which a given name is most at home, of those whose lists hold it.

    A main language before others; then by three things alike: how many of its countries list the
    name, how common it is there, and how usual its letters are. Countries alone would favour
    languages of one country over Portuguese, whose two lists hold different names.
    """
    among = [c for c in LATIN if c in languages & set(MAIN)] or [c for c in LATIN if c in languages]
    if len(among) < 2:
        return among[0] if among else best_language(norm, sorted(languages))
    letters = likelihoods(norm)

    def rank(code: str) -> float:
        countries, share = homes(code)[norm]
        return math.log(countries) + math.log(share) + letters[LATIN.index(code)]

    return max(among, key=rank)


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


def unlisted(norm: str, language: str) -> Kind:
    """What a component is that no list holds: whether its letters are a given name's, and whose."""
    gender = ending_gender(norm, language)
    if gender != "x":
        return Kind("any", language, gender)
    parts = book(language).given
    if script(norm[0]) in CHARACTERS or not parts["f"] or not parts["m"]:
        return Kind("any", language, "x")
    fits = {part: likelihood(norm, language, part) for part in ("f", "m", "surname")}
    best = max(("surname", "f", "m"), key=fits.__getitem__)
    return Kind("any", language, "x") if best == "surname" else Kind("maybe", language, best)


def ending_gender(norm: str, language: str) -> str:
    """The gender that a surname's ending shows, where surnames have one."""
    if language not in GENDERED:
        return "x"
    female, male = ("ova", "eva", "ина", "ая"), ("ov", "ev", "ин", "ий")
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


def part_names(language: str, part: str) -> Iterable[str]:
    """The norms of one language: all, its surnames, or its given names of one gender."""
    if not part:
        return written()[language]
    if part == "surname":
        return [norm for names in book(language).surname.values() for norm in names]
    return book(language).given[part]


@cache
def triples(language: str, part: str = "") -> tuple[dict[str, int], dict[str, int]]:
    """Counts of letter triples and of the pairs that they start with."""
    three: dict[str, int] = {}
    two: dict[str, int] = {}
    for norm in part_names(language, part):
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


def likelihood(norm: str, language: str, part: str) -> float:
    """Log likelihood of the letters among one part of a language's names."""
    padded, (three, two) = f"^^{norm}$", triples(language, part)
    found = [padded[i : i + 3] for i in range(len(padded) - 2)]
    return sum(math.log((three.get(t, 0) + 0.25) / (two.get(t[:2], 0) + 7.5)) for t in found)


@lru_cache(maxsize=1 << 15)
def triple_scores(triple: str) -> tuple[float, ...]:
    """Of one triple, in each language of LATIN; smoothed by a quarter count over 30 letters."""
    counts = (triples(language) for language in LATIN)
    return tuple(
        math.log((three.get(triple, 0) + 0.25) / (two.get(triple[:2], 0) + 7.5))
        for three, two in counts
    )


def is_alphabetic(char: str) -> bool:
    """Whether one letter of this script can be an initial (a character of Chinese cannot)."""
    return char.isalpha() and script(char) not in (*CHARACTERS, "th", "hi")
