"""Check digits: which rules a code of some shape may have, and whether it passes one."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from importlib import import_module
from typing import Any

# National Insurance number: prefixes that HMRC issues (manual NIM39110). No check digit.
NINO = re.compile(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z]\d{6}[A-D]")
ATIN = re.compile(r"9\d\d93\d{4}")  # IRS: taxpayer number for pending adoptions, group 93
# Shape -> modules of python-stdnum whose rule such a code must fail. D digit, L letter, A either.
RULES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("D{8}L", ("es.dni",)),
    ("LD{7}L", ("es.nie",)),
    ("LD{7}A", ("es.cif",)),
    ("L{6}D{2}LD{2}LD{3}L", ("it.codicefiscale",)),
    ("D{11}", ("pl.pesel", "de.idnr", "it.iva", "br.cpf", "no.fodselsnummer", "hr.oib", "be.nn",
               "tr.tckimlik", "fr.tva")),
    ("D{9}", ("us.itin", "nl.bsn", "pt.nif", "pl.regon", "us.ssn", "ca.sin", "fr.siren")),
    ("D{10}", ("gb.nhs", "pl.nip", "se.personnummer", "dk.cpr", "cz.rc", "bg.egn")),
    ("D{12}", ("in_.aadhaar", "se.personnummer")),
    ("D{13}", ("ro.cnp", "za.idnr")),
    ("D{14}", ("br.cnpj", "fr.siret")),
    ("D{15}", ("fr.nir",)),
    ("D{12}", ("gb.vat",)),
    ("D{7,8}[0-9K]", ("cl.rut",)),
    ("L{4}D{6}A{8}", ("mx.curp",)),
)  # fmt: skip


def luhn_digit(before: str, after: str) -> int:
    """The digit between two runs of digits that makes the Luhn sum of the whole right."""
    weight = 2 if len(after) % 2 else 1
    rest = luhn_sum(before + "0" + after)
    for digit in range(10):
        value = digit * weight
        if (rest + value - 9 * (value > 9)) % 10 == 0:
            return digit
    raise AssertionError("unreachable: doubling permutes the digits")


def luhn_sum(digits: str) -> int:
    """The Luhn sum, modulo 10."""
    total = 0
    for place, char in enumerate(reversed(digits)):
        value = int(char) * (1 + place % 2)
        total += value - 9 * (value > 9)
    return total % 10


def mod97(text: str) -> int:
    """ISO 7064 remainder of letters and digits, A = 10."""
    return int("".join(str(int(char, 36)) for char in text)) % 97


def passes_any(norm: str) -> bool:
    """Whether a compact code is right by a rule for its shape."""
    return any(is_valid(norm) for is_valid in rules(outline(norm))) or bool(
        NINO.fullmatch(norm) or ATIN.fullmatch(norm)
    )


def outline(norm: str) -> str:
    """D for a digit, L for a letter."""
    return "".join("D" if char.isdigit() else "L" for char in norm)


@lru_cache(maxsize=1 << 12)
def rules(form: str) -> tuple[Any, ...]:
    """The validators for an outline; empty for nearly all."""
    names = [
        name
        for pattern, modules in RULES
        if re.fullmatch(pattern.replace("A", "[DL]").replace("[0-9K]", "[DL]"), form)
        for name in modules
    ]
    return tuple(validator(name) for name in dict.fromkeys(names) if validator(name))


@cache
def validator(name: str) -> Any:
    """`is_valid` of a python-stdnum module."""
    try:
        return import_module(f"stdnum.{name}").is_valid
    except ImportError:
        return None
