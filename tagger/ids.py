"""Numbers that states give to people, in local spellings, mostly with right check digits."""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import date

from stdnum import luhn, verhoeff
from stdnum.ar import cuit
from stdnum.at import vnr
from stdnum.au import tfn
from stdnum.be import nn
from stdnum.br import cpf
from stdnum.ch import ssn as ahv
from stdnum.de import idnr
from stdnum.es import dni
from stdnum.fi import hetu
from stdnum.fr import nir
from stdnum.gb import nhs
from stdnum.ie import pps
from stdnum.it import codicefiscale
from stdnum.mx import curp, rfc
from stdnum.nl import bsn
from stdnum.no import fodselsnummer
from stdnum.pl import nip, pesel
from stdnum.pt import nif
from stdnum.ro import cnp

from tagger.draw import shaped, until

Maker = Callable[[random.Random, date, str], str]
CONSONANTS = "BCDFGHLMNPRSTVZ"
MONTHS_IT = "ABCDEHLMPRST"
WRONG = 0.06  # a share has a wrong check digit, as typed by people


def yymmdd(day: date) -> str:
    """Two digits each for year, month, day."""
    return f"{day.year % 100:02}{day.month:02}{day.day:02}"


def ddmmyy(day: date) -> str:
    """Two digits each for day, month, year."""
    return f"{day.day:02}{day.month:02}{day.year % 100:02}"


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


def es(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """DNI or NIE."""
    if rng.random() < 0.25:
        body = rng.choice("XYZ") + shaped(rng, "#######")
        letter = dni.calc_check_digit("XYZ".index(body[0]).__str__() + body[1:])
        return f"{body[0]}{rng.choice(('-', '', ' ', '-'))}{body[1:]}{rng.choice(('-', '', '-'))}{letter}"
    body = shaped(rng, "%#######")
    shown = body if rng.random() < 0.7 else f"{body[:2]}.{body[2:5]}.{body[5:]}"
    return shown + rng.choice(("", "", "-", " ")) + dni.calc_check_digit(body)


def mx(rng: random.Random, born: date, gender: str) -> str:
    """CURP, at times RFC."""
    letters = rng.choice("ABCDEFGHLMPRSTV") + rng.choice("AEIOU") + shaped(rng, "~~")
    if rng.random() < 0.4:
        body = letters + yymmdd(born) + shaped(rng, "~#")
        return body + rfc.calc_check_digit(body)
    sex, state = ("M" if gender == "f" else "H"), rng.choice(("DF", "JC", "NL", "PL", "OC", "VZ", "MC"))
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
    total = sum(int(digit) * weight for digit, weight in zip(reversed(body), (2, 3, 4, 5, 6, 7, 2, 3), strict=True))
    return f"{body[:2]}.{body[2:5]}.{body[5:]}-{'0123456789K0'[11 - total % 11]}"


def co(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """Colombian cédula."""
    body = shaped(rng, rng.choice(("%#########", "%#######")))
    return body if rng.random() < 0.5 else f"{int(body):,}".replace(",", ".")


def fr(rng: random.Random, born: date, gender: str) -> str:
    """NIR with its key."""
    body = f"{2 if gender == 'f' else 1}{born.year % 100:02}{born.month:02}" + f"{rng.randint(1, 95):02}" + shaped(rng, "%##") + f"{rng.randint(1, 999):03}"
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
    assert nn  # the module documents the check
    return whole if rng.random() < 0.3 else f"{whole[:2]}.{whole[2:4]}.{whole[4:6]}-{whole[6:9]}.{whole[9:]}"


def ch(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """AHV number."""
    number = until(rng, lambda r: "756" + shaped(r, "##########"), ahv.is_valid)
    return f"{number[:3]}.{number[3:7]}.{number[7:11]}.{number[11:]}" if rng.random() < 0.8 else number


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
    body = "".join(rng.choices(CONSONANTS, k=6)) + f"{born.year % 100:02}{MONTHS_IT[born.month - 1]}{day:02}"
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


def br(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """CPF, at times RG."""
    if rng.random() < 0.2:
        return shaped(rng, "##.###.###-") + rng.choice("0123456789X")
    body = shaped(rng, "#########")
    check = cpf._calc_check_digits(body)  # noqa: SLF001
    if rng.random() < 0.3:
        return body + check
    return f"{body[:3]}.{body[3:6]}.{body[6:]}{'-' if rng.random() < 0.9 else ' '}{check}"


def nl(rng: random.Random, born: date, gender: str) -> str:  # noqa: ARG001
    """BSN."""
    number = until(rng, lambda r: shaped(r, "%########"), bsn.is_valid)
    return rng.choice(("", "", "", ".", " ")).join((number[:4], number[4:6], number[6:]))


def pl(rng: random.Random, born: date, gender: str) -> str:
    """PESEL, at times an identity card."""
    if rng.random() < 0.2:
        return shaped(rng, "A??") + rng.choice(("", " ")) + shaped(rng, "######")
    month = born.month + (20 if born.year >= 2000 else 0)
    body = f"{born.year % 100:02}{month:02}{born.day:02}" + shaped(rng, "###") + str(rng.randrange(0, 9, 2) + (gender == "m"))
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
    return body + rng.choice(("", "")) + first + second if rng.random() < 0.6 else f"{body[:6]} {body[6:]}{first}{second}"


def dk(rng: random.Random, born: date, gender: str) -> str:
    """CPR number."""
    serial = shaped(rng, "###") + str(rng.randrange(0, 9, 2) + (gender == "m"))
    return ddmmyy(born) + rng.choice(("-", "-", "-", "", " ")) + serial


def fi(rng: random.Random, born: date, gender: str) -> str:
    """Henkilötunnus."""
    serial = f"{rng.randrange(2, 898, 2) + (gender == 'm'):03}"
    sign = "A" if born.year >= 2000 else "-"
    return ddmmyy(born) + sign + serial + hetu._calc_checksum(ddmmyy(born) + serial)  # noqa: SLF001


NATIONAL: dict[str, Maker] = {
    "US": us, "GB": gb, "IE": ie, "CA": ca, "AU": au, "IN": india, "ES": es, "MX": mx, "AR": ar,
    "CO": co, "CL": rut, "FR": fr, "BE": be, "CH": ch, "DE": de, "AT": at, "IT": it, "PT": pt,
    "BR": br, "NL": nl, "PL": pl, "RO": ro, "SE": se, "NO": no, "DK": dk, "FI": fi,
}  # fmt: skip
TAX_SHAPES = {
    "US": ("9##-7#-####", "##-#######"), "GB": ("##########", "##### #####"), "DE": ("##/###/#####", "###/####/####", "## ### ### ###"),
    "AT": ("##-###/####",), "CH": ("756.####.####.##",), "FR": ("## ## ### ### ###", "#############"),
    "IN": ("???P?####?",), "NL": ("#########",), "IE": ("#######??",),
}  # fmt: skip
MEDICAL_SHAPES = {
    "US": ("MRN ########", "#######", "#?@#-?@#-?@##", "H########", "MRN-####-####"), "GB": ("### ### ####", "##########", "RX#:######"),
    "IE": ("MRN ######", "#######"), "CA": ("#### ### ### ??", "####-###-###-??", "#### ### ###"), "AU": ("#### ##### #", "URN ######", "#### ##### # #"),
    "IN": ("##-####-####-####", "UHID-########", "OPD/####/##"), "ES": ("########", "NHC ######", "NHC-#######", "????############"),
    "MX": ("###########", "EXP-#####", "## ## ## #### #"), "AR": ("HC ######", "##-########-#", "#####/#"), "CO": ("HC-######",), "CL": ("######",),
    "FR": ("########", "IPP ########", "#########", "IPP-######"), "BE": ("######-###", "#######"), "CH": ("807560###########", "P-######", "F ####/##"),
    "DE": ("?#########", "?### ### ###", "PID ######", "##-#####/##", "1########"), "AT": ("########", "PAT-#####"), "IT": ("80380#############", "SDO ########", "######/####"),
    "PT": ("#########", "PR ########", "### ### ###"), "BR": ("### #### #### ####", "###############", "PRONT. ######", "######-#"), "NL": ("########", "P#######", "#######"),
    "PL": ("NHC/####/##", "#####/####", "HCH-######"), "RO": ("FO ######", "########", "FO nr. #####/####"), "SE": ("########", "R###-####"), "NO": ("########", "NPR ######"),
    "DK": ("########", "EPJ-######"), "FI": ("#######", "POT-######"),
}  # fmt: skip
INSURANCE_SHAPES = ("?#########", "### ### ### ?", "??-########", "K########", "#########/##", "??? ######", "########-#", "VN ## ######", "####-####-####", "1#-######-#")
PASSPORTS = {
    "US": ("#########", "?########"), "GB": ("#########",), "IE": ("??#######",), "CA": ("??######", "?######??"), "AU": ("??#######", "?#######"),
    "IN": ("?%######", "?%## ####"), "ES": ("???######", "XD?######"), "MX": ("?########",), "AR": ("???######",), "FR": ("##??#####", "## ?? #####"),
    "BE": ("??######",), "CH": ("?#######", "X#######"), "DE": ("C01X@@@@@", "C########", "L@@@@@@@@"), "AT": ("? #######", "??#######"), "IT": ("??#######", "Y?#######"),
    "PT": ("?######", "??######"), "BR": ("??######",), "NL": ("??@@@@@@#", "N?@@@@@@#"), "PL": ("??#######", "?? #######"), "RO": ("#########", "0########"),
    "SE": ("########", "??######"), "NO": ("########", "C??######"), "DK": ("#########",), "FI": ("??#######",), "CO": ("??######",), "CL": ("?########",),
}  # fmt: skip
LICENCES = {
    "US": ("?#######", "?###-####-####", "########", "?############"), "GB": ("~~~~~######~~#??", "~~~~~ ###### ~~#??"), "DE": ("?##@@@#####", "N#########1#"), "FR": ("############", "##??#####"),
    "ES": ("########-?",), "IT": ("U1########?", "??#######?"), "PT": ("L-####### #", "??-######"), "BR": ("###########",), "NL": ("##########",), "PL": ("#####/##/####",),
    "IN": ("??## ###########", "??-##-####-#######"), "CA": ("?####-#####-#####",),
}  # fmt: skip
PLATES = {
    "US": ("#???###", "??? ####", "???-####", "###-???", "?##-???"), "GB": ("??## ???", "??##???", "?### ???"), "IE": ("##1-?-####", "##2-D-#####", "##1 KY ####"),
    "CA": ("???? ###", "??? ###", "?## ???"), "AU": ("???-##?", "### ???", "1??-#??", "??-##-??"), "IN": ("?? ## ?? ####", "??##??####", "KA-##-?-####"),
    "ES": ("#### ~~~", "####~~~", "####-~~~", "M-####-~~"), "MX": ("???-##-##", "???-###-?", "??-##-###"), "AR": ("?? ### ??", "??###??", "??? ###"), "CO": ("???-###", "???###"),
    "CL": ("~~-~~-##", "~~~~##"), "FR": ("~~-###-~~", "~~ ### ~~", "~~###~~", "#### ~~ ##"), "BE": ("1-???-###", "2-???-###", "#-???-###"), "CH": ("ZH ######", "GE ######", "BE-######", "TI #####"),
    "DE": ("B-?? ####", "M-?? ####", "HH ?? ###", "K-? ####", "KS:?? ###", "LÖ-?? ##", "WÜ-? ####", "ERZ-?? ##", "F ??####", "S-?? ####E"), "AT": ("W-#####?", "G ####?", "L-###??", "IL-###??"),
    "IT": ("~~ ###~~", "~~###~~", "~~ ### ~~"), "PT": ("##-??-##", "??-##-??", "??-##-##", "## ?? ##"), "BR": ("???-####", "???#?##", "???####"), "NL": ("??-###-?", "#-???-##", "##-??-??", "?-###-??", "#???##"),
    "PL": ("W? #####", "KR #?###", "GD #####", "PO ##???", "W?#####"), "RO": ("B ### ???", "CJ ## ???", "TM-##-???", "B###???", "IS ## ???"), "SE": ("??? ###", "???###", "??? ##?"), "NO": ("?? #####", "??#####", "EL #####"),
    "DK": ("?? ## ###", "??#####", "?? #####"), "FI": ("???-###", "???###", "??-##"),
}  # fmt: skip
ACCOUNTS = {
    "US": ("########", "##########", "############", "####-####-##"), "GB": ("########",), "IE": ("########",), "CA": ("#####-###-#######", "#######"), "AU": ("## #### ###", "#########"),
    "IN": ("###########", "##############", "#### #### ####"), "BR": ("#####-#", "######-#", "##.###-#"), "MX": ("##################", "##########"), "AR": ("######################", "###-######/#"),
    "SE": ("####-## ### ##", "####-#######", "8###-#,### ### ###-#"), "NO": ("####.##.#####", "#### ## #####", "###########"), "DK": ("#### ##########", "####-##########", "#### ######"),
    "FI": ("######-######", "######-#####"), "DE": ("##########", "#######", "### ### ##"), "PL": ("## #### #### #### #### #### ####", "##########################"), "NL": ("#######", "##.##.##.###"),
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
    for head in ("MRN ", "NHC ", "HC ", "PID ", "IPP ", "FO nr. ", "FO ", "PRONT. ", "SDO ", "URN ", "NPR ", "PR "):
        shape = shape.removeprefix(head)
    return shaped(rng, shape)


def by_shape(rng: random.Random, table: dict[str, tuple[str, ...]], country: str) -> str:
    """A value of a country's shapes; eight to ten digits where the table has none."""
    return shaped(rng, rng.choice(table.get(country, ("########", "#########", "##########"))))
