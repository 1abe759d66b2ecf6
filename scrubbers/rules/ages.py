"""Stated ages over 89, which are one category: 90 or older.

45 CFR 164.514(b)(2)(i)(C), the safe harbour of HIPAA.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scrubbers.rules.common import plain

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
