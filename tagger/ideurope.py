"""Numbers of people in Europe: each maker takes chance, day of birth and gender."""

from __future__ import annotations

import random
from datetime import date

from stdnum import luhn
from stdnum.at import vnr
from stdnum.ch import ssn as ahv
from stdnum.de import idnr
from stdnum.es import dni
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import pesel
from stdnum.pt import nif
from stdnum.ro import cnp

from tagger.draw import shaped, until

CONSONANTS = "BCDFGHLMNPRSTVZ"
MONTHS_IT = "ABCDEHLMPRST"


def yymmdd(day: date) -> str:
    """Two digits each for year, month, day."""
    return f"{day.year % 100:02}{day.month:02}{day.day:02}"


def ddmmyy(day: date) -> str:
    """Two digits each for day, month, year."""
    return f"{day.day:02}{day.month:02}{day.year % 100:02}"


def es(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """DNI or NIE."""
    if rng.random() < 0.25:
        body = rng.choice("XYZ") + shaped(rng, "#######")
        letter = dni.calc_check_digit("XYZ".index(body[0]).__str__() + body[1:])
        return f"{body[0]}{rng.choice(('-', '', ' ', '-'))}{body[1:]}{rng.choice(('-', '', '-'))}{letter}"
    body = shaped(rng, "%#######")
    shown = body if rng.random() < 0.7 else f"{body[:2]}.{body[2:5]}.{body[5:]}"
    return shown + rng.choice(("", "", "-", " ")) + dni.calc_check_digit(body)


def fr(rng: random.Random, born: date, gender: str) -> str:
    """NIR with its key."""
    body = (
        f"{2 if gender == 'f' else 1}{born.year % 100:02}{born.month:02}"
        f"{rng.randint(1, 95):02}" + shaped(rng, "%##") + f"{rng.randint(1, 999):03}"
    )
    key = nir.calc_check_digits(body)
    sizes = (body[0], body[1:3], body[3:5], body[5:7], body[7:10], body[10:], key)
    if rng.random() < 0.15:
        return body
    return rng.choice((" ", " ", "", "")).join(sizes)


def be(rng: random.Random, born: date, gender: str) -> str:
    """Belgian national number."""
    serial = f"{rng.randrange(1, 998, 2) + (gender == 'f'):03}"
    body = yymmdd(born) + serial
    check = 97 - int(("2" if born.year >= 2000 else "") + body) % 97
    whole = f"{body}{check:02}"
    return (
        whole
        if rng.random() < 0.3
        else f"{whole[:2]}.{whole[2:4]}.{whole[4:6]}-{whole[6:9]}.{whole[9:]}"
    )


def ch(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """AHV number."""
    number = until(rng, lambda r: "756" + shaped(r, "##########"), ahv.is_valid)
    return (
        f"{number[:3]}.{number[3:7]}.{number[7:11]}.{number[11:]}" if rng.random() < 0.8 else number
    )


def de(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """Tax id, pension insurance number or identity card."""
    dice = rng.random()
    if dice < 0.45:
        number = until(rng, german_tax, idnr.is_valid)
        return rng.choice((" ", " ", "")).join((number[:2], number[2:5], number[5:8], number[8:]))
    if dice < 0.75:
        parts = (shaped(rng, "%#"), ddmmyy(born), rng.choice("BCDFGHKLMNPRSTW"), shaped(rng, "###"))
        return rng.choice((" ", " ", "")).join(parts)
    return rng.choice("LCFGHJKMNPRTVWXYZ") + shaped(rng, "########")


def german_tax(rng: random.Random) -> str:
    """Eleven digits of which one comes twice."""
    picked = rng.sample("0123456789", 10)
    picked[rng.randrange(1, 10)] = picked[0]
    rng.shuffle(picked)
    return "".join(picked) + str(rng.randint(0, 9))


def at(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """Austrian insurance number."""
    for _ in range(40):
        serial = shaped(rng, "%##")
        check = vnr.calc_check_digit(f"{serial}0{ddmmyy(born)}")
        if len(check) == 1 and check.isdigit():
            return f"{serial}{check}{rng.choice((' ', ' ', ''))}{ddmmyy(born)}"
    return f"1234 {ddmmyy(born)}"


def it(rng: random.Random, born: date, gender: str) -> str:
    """Codice fiscale."""
    day = born.day + (40 if gender == "f" else 0)
    body = (
        "".join(rng.choices(CONSONANTS, k=6))
        + f"{born.year % 100:02}{MONTHS_IT[born.month - 1]}{day:02}"
    )
    body += rng.choice("ABCDEFGHILM") + shaped(rng, "%##")
    code = body + codicefiscale.calc_check_digit(body)
    if rng.random() < 0.12:
        return f"{code[:3]} {code[3:6]} {code[6:11]} {code[11:]}"
    return code.lower() if rng.random() < 0.08 else code


def pt(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """NIF or citizen card."""
    if rng.random() < 0.3:
        return f"{shaped(rng, '########')} {shaped(rng, '#')} {shaped(rng, '?@#')}"
    body = rng.choice("123") + shaped(rng, "#######")
    number = body + nif.calc_check_digit(body)
    return rng.choice((" ", "", "")).join((number[:3], number[3:6], number[6:]))


def nl(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """BSN."""
    number = until(rng, lambda r: shaped(r, "%########"), bsn.is_valid)
    return rng.choice(("", "", "", ".", " ")).join((number[:4], number[4:6], number[6:]))


def pl(rng: random.Random, born: date, gender: str) -> str:
    """PESEL, at times an identity card."""
    if rng.random() < 0.2:
        return shaped(rng, "A??") + rng.choice(("", " ")) + shaped(rng, "######")
    month = born.month + (20 if born.year >= 2000 else 0)
    body = (
        f"{born.year % 100:02}{month:02}{born.day:02}"
        + shaped(rng, "###")
        + str(rng.randrange(0, 9, 2) + (gender == "m"))
    )
    return body + pesel.calc_check_digit(body)


def ro(rng: random.Random, born: date, gender: str) -> str:
    """CNP, at times series and number of the card."""
    if rng.random() < 0.15:
        return f"{rng.choice(('RX', 'XB', 'KX', 'MZ', 'TZ', 'SB'))} {shaped(rng, '######')}"
    first = (2 if gender == "f" else 1) + (4 if born.year >= 2000 else 0)
    body = f"{first}{yymmdd(born)}{rng.randint(1, 46):02}{rng.randint(1, 999):03}"
    return body + cnp.calc_check_digit(body)


def se(rng: random.Random, born: date, gender: str) -> str:
    """Personnummer."""
    body = yymmdd(born) + f"{rng.randint(0, 99):02}" + str(rng.randrange(0, 9, 2) + (gender == "m"))
    serial = body[6:] + luhn.calc_check_digit(body)
    head = body[:6] if rng.random() < 0.6 else f"{born.year // 100}{body[:6]}"
    return head + rng.choice(("-", "-", "-", "", " ")) + serial


def no(rng: random.Random, born: date, gender: str) -> str:
    """Fødselsnummer."""
    for _ in range(60):
        middle = rng.randint(0, 49) if born.year < 2000 else rng.randint(50, 99)
        body = ddmmyy(born) + f"{middle:02}" + str(rng.randrange(0, 9, 2) + (gender == "m"))
        first = fodselsnummer.calc_check_digit1(body)
        second = fodselsnummer.calc_check_digit2(body + first)
        if len(first + second) == 2 and (first + second).isdigit():
            break
    return (
        body + rng.choice(("", "")) + first + second
        if rng.random() < 0.6
        else f"{body[:6]} {body[6:]}{first}{second}"
    )


def dk(rng: random.Random, born: date, gender: str) -> str:
    """CPR number."""
    serial = shaped(rng, "###") + str(rng.randrange(0, 9, 2) + (gender == "m"))
    return ddmmyy(born) + rng.choice(("-", "-", "-", "", " ")) + serial


def fi(rng: random.Random, born: date, gender: str) -> str:
    """Henkilötunnus."""
    serial = f"{rng.randrange(2, 898, 2) + (gender == 'm'):03}"
    sign = "A" if born.year >= 2000 else "-"
    return ddmmyy(born) + sign + serial + hetu._calc_checksum(ddmmyy(born) + serial)  # noqa: SLF001
