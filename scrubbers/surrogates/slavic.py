"""Surnames that have a feminine form, and endings of cases: one component, whatever its ending."""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubbers.surrogates.text import fold

# Kowalska is Kowalski in the feminine; a vowel before -ska makes other names (Mariska, Laska).
LATIN = re.compile(r"^(?!rebecka|jessicka).{2,}(?:[bdfgklmnprtwz]s|[aeiou]c|dz)k[ai]$")
CYRILLIC = re.compile(r"^.{2,}(?:[сц]к(?:и[йи]|ая)|[сц]ьк(?:и[йи]|а)|[оеё]ва?)$")
FEMININE = (("ska", "ski"), ("cka", "cki"), ("dzka", "dzki"), ("ская", "ский"), ("цкая", "цкий"),
            ("ська", "ський"), ("цька", "цький"), ("ова", "ов"), ("ева", "ев"), ("ёва", "ёв"))  # fmt: skip
SHORTEST = 5
DECLINING = frozenset(("pl", "cs", "sk", "ru", "uk", "bg", "hr", "sl", "sr", "be"))
# Ending of the name -> its endings in the cases of Polish, Russian and Ukrainian, accents off.
CASES: dict[str, frozenset[str]] = {
    fold(base): frozenset(fold(form) for form in forms.split())
    for base, forms in {
        "ski": "skiego skiemu skim skiej scy skich", "cki": "ckiego ckiemu ckim ckiej ccy ckich",
        "ел": "ла лу лом ле", "ко": "ка ку ком ці",
        "ek": "ka kowi kiem ku", "iec": "ca cowi cem cu", "ka": "ce", "ga": "dze", "ra": "rze",
        "ta": "cie", "da": "dzie", "a": "y i e ie o",
        "": "a owi em iem ie u а у ом е ым",
        "ский": "ского скому ским ском ской скую", "ський": "ського ському ським ській ську",
        "ов": "ову овым ове овой", "ев": "еву евым еве евой",
        "а": "ы и е у ой ою", "я": "и е ю ей ею", "й": "я ю ем е", "ь": "я ю ем и",
    }.items()
}  # fmt: skip
# One row a case, one column an ending of the name; "-" is none.
SAME_CASE = tuple(
    tuple(tuple("" if part == "-" else fold(part) for part in row.split()) for row in table)
    for table in (
        ("ов ев ский -", "ову еву скому у", "овым евым ским ым", "ове еве ском е"),
        ("ов ев ский", "овой евой ской", "ову еву скую"),
        ("ь й -", "я я а", "ю ю у", "ем ем ом", "е е е"),
        ("а я", "ы и", "е е", "у ю", "ой ей"),
    )
)
STEM = 3


def is_adjectival(norm: str) -> bool:
    """Whether a surname has a feminine form of its own (-ski, -cki, -ский, -ов)."""
    pattern = LATIN if norm.isascii() else CYRILLIC
    return len(norm) >= SHORTEST and bool(pattern.match(norm))


def masculine(norm: str) -> str:
    """The masculine form of an adjectival surname, other words as they are; written forms too."""
    if is_adjectival(norm.lower()):
        for female, male in FEMININE:
            if norm.endswith(female):
                return norm[: len(norm) - len(female)] + male
    return norm


def feminine(name: str) -> str:
    """The feminine form of an adjectival surname as written: Wiśniewski, Wiśniewska."""
    for female, male in FEMININE:
        if name.endswith(male):
            return name[: len(name) - len(male)] + female
    return name


def bases(form: str) -> Iterator[str]:
    """The names of which a folded Cyrillic form may be a case, those of the longest ending first."""
    found = [
        (len(ending), form[: len(form) - len(ending)] + base)
        for base, endings in CASES.items()
        for ending in endings
        if not ending.isascii() and form.endswith(ending) and len(form) - len(ending) >= STEM
    ]
    found.sort(key=lambda option: -option[0])
    return (name for _, name in found if case_endings(form, name))


def in_case(shown: str, base: str, ending: str) -> Iterator[str]:
    """A written name in the case that `ending` is for names on `base`, as it may be written."""
    for table in SAME_CASE:
        columns = [i for i, part in enumerate(table[0]) if part == base]
        for row in table[1:] if columns else ():
            if row[columns[0]] == ending:
                for own, wanted in zip(table[0], row, strict=True):
                    if fold(shown).endswith(own):
                        yield shown[: len(shown) - len(own)] + with_breve(wanted)


def with_breve(ending: str) -> str:
    """A folded Russian ending as written: ои is ой."""
    return re.sub("(?<=[оеиы])и$", "й", ending)


def case_endings(form: str, norm: str) -> tuple[str, str] | None:
    """(ending of the name, ending of the form), both folded, where the form is a case of it."""
    for base, endings in CASES.items():
        stem = norm[: len(norm) - len(base)]
        if norm.endswith(base) and len(stem) >= STEM and form.startswith(stem):
            ending = form[len(stem) :]
            if ending in endings and (base or norm[-1] not in "aeiouyаеиоуыя"):
                return base, ending
    return None
