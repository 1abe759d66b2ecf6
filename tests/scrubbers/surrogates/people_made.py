"""People of several origins and the forms of their names, for property tests."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st

from scrubbers.surrogates.lists import name_norm
from scrubbers.surrogates.namebooks import book
from scrubbers.surrogates.naming import usable
from scrubbers.surrogates.normal import units
from scrubbers.surrogates.text import to_ascii
from scrubbers.surrogates.unit import ALONE, Context

ORIGINS = ("en", "es", "fr", "de", "it", "pt", "nl", "pl", "sv", "hr", "africa")
PARTICLES = {"nl": ("van", "van der", "de"), "de": ("von", "von und zu"), "es": ("de", "de la"),
             "pt": ("dos", "da"), "it": ("di", "dal"), "fr": ("de", "de La")}  # fmt: skip


def pool(kind: str, language: str) -> list[str]:
    lists = getattr(book(language), kind).values()
    return sorted(
        {d for names in lists for n, d in names.items() if usable(n) and len(n) > 3 and d.istitle()}
    )


POOLS = {(kind, origin): pool(kind, origin) for kind in ("given", "surname") for origin in ORIGINS}


@dataclass(frozen=True)
class Made:
    given: tuple[str, ...]
    particle: str
    surnames: tuple[str, ...]
    dashed: bool

    @property
    def surname(self) -> str:
        return " ".join(
            filter(None, (self.particle, ("-" if self.dashed else " ").join(self.surnames)))
        )

    @property
    def full(self) -> str:
        return f"{' '.join(self.given)} {self.surname}"

    @property
    def norms(self) -> list[str]:
        return sorted(name_norm(part) for part in (*self.given, *self.surnames))


@st.composite
def people(draw: st.DrawFn, origins: tuple[str, ...] = ORIGINS) -> Made:
    origin = draw(st.sampled_from(origins))
    given = draw(st.lists(st.sampled_from(POOLS["given", origin]), min_size=1, max_size=2))
    surnames = draw(st.lists(st.sampled_from(POOLS["surname", origin]), min_size=1, max_size=2))
    particle = draw(st.sampled_from(("", *PARTICLES.get(origin, ()))))
    return Made(tuple(given), particle, tuple(surnames), draw(st.booleans()))


def forms(person: Made) -> dict[str, tuple[str, str]]:
    """What the form is -> (type, text)."""
    given, surname, full = " ".join(person.given), person.surname, person.full
    box = ".".join(to_ascii(part).lower() for part in (*person.given, *person.surnames))
    escaped = full.encode("ascii", "backslashreplace").decode()
    running = {
        "title": f"Dr. {full}, PhD", "turned": f"{surname} {given}", "comma": f"{surname}, {given}",
        "slash": f"{surname}/{given}".upper(), "upper": full.upper(), "lower": full.lower(),
        "plain": to_ascii(full), "possessive": f"{full}'s", "nbsp": full.replace(" ", "\u00a0"),
        "dash": full.replace("-", " – "), "nickname": f'"{given}" {surname}',
        "escaped": escaped if "\\x" not in escaped else full,
    }  # fmt: skip
    found = {what: ("PERSON", text) for what, text in running.items()}
    found |= {"mailbox": ("EMAIL_ADDRESS", f"{box}@web.example"), "user": ("USERNAME", f"@{box.replace('.', '_')}"),
              "account": ("USERNAME", box.replace(".", "-").upper())}  # fmt: skip
    return found


def names_in(entity: str, text: str, context: Context = ALONE) -> list[str]:
    return sorted(unit.norm for unit in units(entity, text, context) if unit.family == "name")
