"""Stated ages over 89, which are one category, 90 or older, and years of birth that tell them.

45 CFR 164.514(b)(2)(i)(C), the safe harbour of HIPAA.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubbers.rules.common import plain
from scrubbers.words import word_list

YOUNGEST, OLDEST = 91, 125  # 90 stands for itself and all above
KEYS = frozenset(
    ("age", "edad", "alter", "eta", "idade", "leeftijd", "wiek", "patientage", "patient_age")
)
_AGE = re.compile(
    r"(?<![\w.,/€$£-])(\d{2,3})(?=(?:[\s-]?(?:years?|yrs?)[\s-]?(?:old|of\sage)|\s?(?:y/?o|y\.o\.)(?!\w)"
    r"|\s?Jahre\salt|-?jährig|\saños(?!\s(?:de\sexperiencia|después|antes))|\sans(?!\w)|\sanni(?!\sfa)|\sanos(?!\satrás)"
    r"|\sjaar\soud|-?jarige|\slat(?!\w)))"
    r"|(?:(?<!\w)(?:aged?|im\salter\svon|alter|edad(?:\sde)?|âgée?\sde|età(?:\sdi)?|idade(?:\sde)?|leeftijd)[:\s]\s?)"
    r"(\d{2,3})(?![\w.,]?\d|%|\s?(?:days?|months?|Tage|Monate|días|meses|jours|mois|giorni|mesi|dias))",
    re.IGNORECASE,
)


def ages(text: str, label: str = "") -> Iterator[tuple[int, int]]:
    """Where the numbers of such ages stand."""
    value = text.strip()
    if is_age(label, value):
        start = text.index(value)
        yield start, start + len(value)
    for match in _AGE.finditer(text):
        group = 1 if match[1] else 2
        if YOUNGEST <= int(match[group]) <= OLDEST:
            yield match.span(group)


def is_age(label: str, value: str) -> bool:
    """Whether a whole value is such an age, by its key."""
    return (
        value.isdecimal() and len(value) < 4 and YOUNGEST <= int(value) <= OLDEST
        and plain(label) in KEYS
    )  # fmt: skip


_YEAR = r"(?P<year>(?:18|19|20)\d\d)"
_BIRTH = re.compile(
    r"(?<!\w)(?:born|b\.|birth\s?year|year\sof\sbirth|yob|geboren|geb\.|geburtsjahr|jahrgang|nacid[oa]s?|nació"
    r"|año\sde\snacimiento|née?s?|année\sde\snaissance|nat[oa]|anno\sdi\snascita|nascid[oa]s?|nasceu|ano\sde\snascimento"
    r"|geboortejaar|urodzon[ya]|ur\.|rok\surodzenia|născut[ăe]?|född|født|syntynyt|родил(?:ся|ась)|γεννήθηκε|narozena?"
    r"|született|doğumlu|народи(?:вся|лася)|роден[а]?)[\s:=]{1,3}"
    r"(?:(?:in|im|jahr|jahre|in\sdem\sjahr|around|about|circa|c\.|ca\.|um|en|el\saño|l['’]année|em|no\sano|nel|w|în|anul|år"
    r"|vuonna|в|у|το|v|roce|през)\s){0,3}"
    rf"{_YEAR}(?!\w|[-–/.]\s?\d)",
    re.IGNORECASE,
)
_HINT = re.compile(r"(?:18|19|20)\d\d")
BIRTH_KEYS = frozenset(
    word_list("""birthyear yearofbirth yob bornin born birth geboren geburtsjahr jahrgang anodenacimiento anonacimiento nacido nacida
    aniodenacimiento anionacimiento nacimiento anneedenaissance anneenaissance naissance nele annodinascita annonascita nato
    nata nascita anodenascimento anonascimento nascido nascida geboortejaar rokurodzenia fodelsear fodselsar syntymavuosi
    birthyr dobyear birthdateyear dob""")
)


def birth_years(text: str, label: str = "") -> Iterator[tuple[int, int]]:
    """Where years of birth stand alone, behind a word for it or under such a key."""
    value = text.strip()
    if is_birth_year(label, value):
        start = text.index(value)
        yield start, start + len(value)
    elif _HINT.search(text):
        for match in _BIRTH.finditer(text):
            yield match.span("year")


def is_birth_year(label: str, value: str) -> bool:
    """Whether a whole value is a year of birth, by its key."""
    key = re.sub(r"[^a-z]", "", plain(label))
    return bool(_HINT.fullmatch(value)) and key in BIRTH_KEYS
