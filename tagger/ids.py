"""Numbers that states give to people, in local spellings, mostly with right check digits."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date

from stdnum import luhn, verhoeff
from stdnum.ar import cuit
from stdnum.au import tfn
from stdnum.br import cpf
from stdnum.gb import nhs
from stdnum.ie import pps
from stdnum.mx import curp, rfc
from stdnum.pl import nip

from tagger import ideurope
from tagger.draw import shaped, until
from tagger.ideurope import CONSONANTS, yymmdd
from tagger.idshapes import MEDICAL_SHAPES, TAX_SHAPES

Maker = Callable[[random.Random, date, str], str]
WRONG = 0.06  # a share has a wrong check digit, as typed by people


def us(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """Social security number, rarely an ITIN."""
    area = rng.choice([*range(1, 666), *range(667, 900)])
    head = f"{area:03}" if rng.random() < 0.93 else f"9{rng.randint(0, 99):02}"
    middle = f"{rng.randint(1, 99):02}" if head[0] != "9" else str(rng.randint(70, 88))
    return rng.choice(("-", "-", "-", " ", "")).join((head, middle, f"{rng.randint(1, 9999):04}"))


def gb(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """National insurance number."""
    head = rng.choice("ABCEGHJKLMNOPRSTWXYZ") + rng.choice("ABCEGHJKLMNPRSTWXYZ")
    parts = (head, shaped(rng, "##"), shaped(rng, "##"), shaped(rng, "##"), rng.choice("ABCD"))
    return rng.choice((" ", " ", "", "", "-")).join(parts)


def ie(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """PPS number."""
    return until(rng, lambda r: shaped(r, "#######") + r.choice("ABCDEFGHIJKLMNOPQRSTUVW") + r.choice(("", "A", "T", "W")), pps.is_valid)  # fmt: skip


def ca(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """Social insurance number."""
    body = rng.choice("12345679") + shaped(rng, "#######")
    number = body + luhn.calc_check_digit(body)
    return rng.choice((" ", " ", "-", "")).join((number[:3], number[3:6], number[6:]))


def au(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """Tax file number."""
    number = until(rng, lambda r: shaped(r, "%########"), tfn.is_valid)
    return rng.choice((" ", " ", "")).join((number[:3], number[3:6], number[6:]))


def india(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """Aadhaar or PAN."""
    if rng.random() < 0.4:
        return shaped(rng, "???") + "P" + shaped(rng, "?####?")
    body = rng.choice("23456789") + shaped(rng, "##########")
    number = body + verhoeff.calc_check_digit(body)
    return rng.choice((" ", " ", "", "-")).join((number[:4], number[4:8], number[8:]))


def mx(rng: random.Random, born: date, gender: str) -> str:
    """CURP, at times RFC."""
    letters = rng.choice("ABCDEFGHLMPRSTV") + rng.choice("AEIOU") + shaped(rng, "~~")
    if rng.random() < 0.4:
        body = letters + yymmdd(born) + shaped(rng, "~#")
        return body + rfc.calc_check_digit(body)
    sex, state = (
        ("M" if gender == "f" else "H"),
        rng.choice(("DF", "JC", "NL", "PL", "OC", "VZ", "MC")),
    )
    body = letters + yymmdd(born) + sex + state + "".join(rng.choices(CONSONANTS, k=3))
    body += "0" if born.year < 2000 else "A"
    return body + curp.calc_check_digit(body)


def ar(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """DNI, at times CUIL."""
    body = shaped(rng, "%#######")
    if rng.random() < 0.35:
        head = rng.choice(("27", "23")) if gender == "f" else rng.choice(("20", "23"))
        last = cuit.calc_check_digit(head + body)
        return rng.choice(("-", "-", "")).join((head, body, last))
    return body if rng.random() < 0.4 else f"{body[:2]}.{body[2:5]}.{body[5:]}"


def rut(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """Chilean RUT."""
    body = shaped(rng, "%#######")
    total = sum(
        int(digit) * weight
        for digit, weight in zip(reversed(body), (2, 3, 4, 5, 6, 7, 2, 3), strict=True)
    )
    return f"{body[:2]}.{body[2:5]}.{body[5:]}-{'0123456789K0'[11 - total % 11]}"


def co(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """Colombian cédula."""
    body = shaped(rng, rng.choice(("%#########", "%#######")))
    return body if rng.random() < 0.5 else f"{int(body):,}".replace(",", ".")


def br(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """CPF, at times RG."""
    if rng.random() < 0.2:
        return shaped(rng, "##.###.###-") + rng.choice("0123456789X")
    body = shaped(rng, "#########")
    check = cpf._calc_check_digits(body)  # noqa: SLF001
    if rng.random() < 0.3:
        return body + check
    return f"{body[:3]}.{body[3:6]}.{body[6:]}{'-' if rng.random() < 0.9 else ' '}{check}"


NATIONAL: dict[str, Maker] = {
    "US": us, "GB": gb, "IE": ie, "CA": ca, "AU": au, "IN": india, "ES": ideurope.es, "MX": mx, "AR": ar,
    "CO": co, "CL": rut, "FR": ideurope.fr, "BE": ideurope.be, "CH": ideurope.ch, "DE": ideurope.de, "AT": ideurope.at, "IT": ideurope.it, "PT": ideurope.pt,
    "BR": br, "NL": ideurope.nl, "PL": ideurope.pl, "RO": ideurope.ro, "SE": ideurope.se, "NO": ideurope.no, "DK": ideurope.dk, "FI": ideurope.fi,
}  # fmt: skip


def spoiled(rng: random.Random, value: str) -> str:
    """The value, now and then with one digit wrong."""
    places = [i for i, char in enumerate(value) if char.isdigit()]
    if rng.random() > WRONG or not places:
        return value
    i = rng.choice(places)
    return value[:i] + str((int(value[i]) + rng.randint(1, 9)) % 10) + value[i + 1 :]


def national(rng: random.Random, country: str, born: date, gender: str) -> str:
    """The number by which the state knows a person."""
    return spoiled(rng, NATIONAL[country](rng, born, gender))


def tax(rng: random.Random, country: str, born: date, gender: str) -> str:
    """The number by which the tax office knows a person, often the same kind as the national one."""
    if country in ("PL",):
        body = until(rng, lambda r: shaped(r, "%#########"), nip.is_valid)
        return body if rng.random() < 0.5 else f"{body[:3]}-{body[3:6]}-{body[6:8]}-{body[8:]}"
    if country in TAX_SHAPES:
        return shaped(rng, rng.choice(TAX_SHAPES[country]))
    return national(rng, country, born, gender)


def medical(rng: random.Random, country: str) -> str:
    """A patient or health insurance number; the NHS number with its check digit. No prefix."""
    if country == "GB" and rng.random() < 0.7:
        number = until(rng, lambda r: shaped(r, "%#########"), nhs.is_valid)
        return rng.choice((" ", " ", "", "-")).join((number[:3], number[3:6], number[6:]))
    shape = rng.choice(MEDICAL_SHAPES[country])
    for head in (
        "MRN ",
        "NHC ",
        "HC ",
        "PID ",
        "IPP ",
        "FO nr. ",
        "FO ",
        "PRONT. ",
        "SDO ",
        "URN ",
        "NPR ",
        "PR ",
    ):
        shape = shape.removeprefix(head)
    return shaped(rng, shape)


def by_shape(rng: random.Random, table: dict[str, tuple[str, ...]], country: str) -> str:
    """A value of a country's shapes; eight to ten digits where the table has none."""
    return shaped(rng, rng.choice(table.get(country, ("########", "#########", "##########"))))
