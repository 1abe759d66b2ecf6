"""Things of one sample that belong to nobody's name: orders, tickets, firms, machines."""

from __future__ import annotations

import random

from stdnum import imei as imeis
from stdnum import luhn

from tagger import credentials
from tagger.draw import shaped
from tagger.names import HOME, made_up, person
from tagger.wordlists import entries

ORDER_HEADS = (
    "ORD-", "PO", "SO-", "#", "W", "Z", "B-", "EC", "SH-", "R-", "AB", "NL-", "LMB-D-", "WEB", "PED-", "CMD-", "BST-", "ZAM/", "CMD", "T-", "", "", "",
)  # fmt: skip
SHAPES = (
    "######",
    "#######",
    "########",
    "#####",
    "####-####",
    "###-#######-#######",
    "######-##",
    "##-#####",
    "##/####",
    "@@@@@@@@",
    "#?#?##",
    "###.###.###",
    "#### ####",
    "202#-####",
    "2#####",
    "?#####",
    "??-####-?",
)
HEADS = {
    "ticket": ("INC", "INC-", "REQ", "CASE-", "SR-", "TKT-", "#", "HD-", "TT", "SUP-", "CS", "T#", "RITM", "", "Vorgang-", "DSK-"),
    "invoice": ("RE-", "INV-", "F-", "FA", "R", "FV/", "FT ", "FAC-", "2025/", "A-", "", "", "N.", "RG", "FS", "FAT-", "L-"),
    "policy": ("POL-", "VS-", "P", "KV ", "HR-", "LV-", "", "", "AN ", "01-", "ZX", "MTR/", "SINI-"),
    "contract": ("VTR-", "C-", "CT", "V-", "K/", "UM/", "", "", "CTR ", "MV-", "A.", "L"),
    "customerno": ("KD-", "C", "K", "CL-", "CUST-", "", "", "", "KNR ", "M-", "77 "),
    "tracking": ("1Z", "JD", "RR", "CP", "00340", "LX", "3S", "JJ", "", "9400"),
}  # fmt: skip
VAT = {
    "US": "##-#######", "GB": "GB ### #### ##", "IE": "IE#######??", "CA": "#########RT0001", "AU": "## ### ### ###", "IN": "##???????####?#Z#", "ES": "ESB########", "MX": "???######@@#",
    "AR": "30-########-#", "FR": "FR## ### ### ###", "BE": "BE 0###.###.###", "CH": "CHE-###.###.### MWST", "DE": "DE#########", "AT": "ATU########", "IT": "IT###########", "PT": "PT 5########", "BR": "##.###.###/0001-##",
    "NL": "NL#########B0#", "PL": "###-###-##-##", "RO": "RO########", "SE": "SE##########01", "NO": "### ### ### MVA", "DK": "DK ## ## ## ##", "FI": "FI########", "CO": "###.###.###-#", "CL": "##.###.###-#",
}  # fmt: skip
COMPANY = {
    "GB": "0#######", "DE": "HRB #####", "AT": "FN ######?", "FR": "### ### ###", "ES": "B-########", "IT": "MI-#######", "NL": "########", "PL": "0000######", "RO": "J##/####/20##", "SE": "55####-####", "NO": "9## ### ###", "DK": "########", "FI": "#######-#", "BE": "0###.###.###",
    "US": "C#######", "IE": "######", "AU": "### ### ###", "CH": "CHE-###.###.###",
}  # fmt: skip


def coded(rng: random.Random, heads: tuple[str, ...]) -> str:
    """A number with one of the beginnings."""
    head = rng.choice(heads)
    body = shaped(rng, rng.choice(SHAPES))
    return head + body if not body[:1] == head[-1:] == "-" else head + body[1:]


def order(rng: random.Random) -> str:
    """An order number of some shop."""
    return coded(rng, ORDER_HEADS)


def booking(rng: random.Random) -> str:
    """A booking code: six letters and digits, or digits."""
    return shaped(
        rng,
        rng.choice(
            (
                "@@@@@@",
                "??@@@@",
                "??????",
                "########",
                "###-###-###",
                "BK-######",
                "?##?#?",
                "X#####",
            )
        ),
    )


def organisation(rng: random.Random, language: str, country: str) -> str:
    """A firm, practice, school, authority; many hold a surname."""
    stem = firm_stem(rng, language, country)
    dice = rng.random()
    if dice < 0.14:
        return f"{rng.choice(entries('things', 'org.first'))} {stem}"
    kind = rng.choice(entries("things", f"org.type.{language}"))
    if dice < 0.22:
        other = made_up(rng, HOME[country][0], "surname")
        return f"{stem} & {other}" if rng.random() < 0.6 else f"{stem}, {other} {kind}"
    return stem if dice < 0.3 else f"{stem} {kind}"


def firm_stem(rng: random.Random, language: str, country: str) -> str:
    """What a firm is called before its legal form."""
    dice = rng.random()
    if dice < 0.35:
        return person(rng, language, country).surname
    if dice < 0.45:
        return made_up(rng, HOME[country][0], "surname")
    if dice < 0.6:
        first, last = (
            rng.choice(entries("things", "org.stem.en")),
            rng.choice(("", " Digital", "", "soft", "med")),
        )
        return first + last
    if dice < 0.75:
        return rng.choice(entries("places", f"city.{'ES' if country in ('CO', 'CL') else country}"))
    stem = made_up(rng, rng.choice(("us", "it", "de", "fi")), "surname")
    return rng.choice(
        (
            stem.upper()[:4],
            stem[:5] + rng.choice(("ix", "ia", "on", "ex", "teq", "via")),
            stem[:4] + stem[:3].title(),
        )
    )


def bic(rng: random.Random, country: str) -> str:
    """A BIC of a bank."""
    head = shaped(rng, "????") + (country if country != "GB" else "GB") + shaped(rng, "@@")
    return head + rng.choice(("", "XXX", shaped(rng, "###")))


def imei(rng: random.Random) -> str:
    """A number of a telephone, its check digit right."""
    body = "35" + shaped(rng, "############")
    value = body + luhn.calc_check_digit(body)
    return (
        value
        if imeis.is_valid(value) and rng.random() < 0.8
        else f"{value[:2]}-{value[2:8]}-{value[8:14]}-{value[14:]}"
    )


def thing(rng: random.Random, kind: str, language: str, country: str) -> tuple[str, str | None]:
    """The text and label of a slot that belongs to nobody's name; KeyError for others."""
    if kind in HEADS:
        return coded(rng, HEADS[kind]), "OTHER_ID"
    if kind in ("vat", "companyno"):
        table = VAT if kind == "vat" else COMPANY
        return shaped(rng, table.get(country, "########")), "OTHER_ID"
    if kind in ("org", "org2", "shop"):
        return organisation(rng, language, country), "ORG"
    if kind == "host":
        return rng.choice(entries("things", "host")), None
    makers = {
        "order": (order, "OTHER_ID"), "booking": (booking, "OTHER_ID"), "mac": (credentials.mac, "OTHER_ID"), "imei": (imei, "OTHER_ID"),
        "ip": (credentials.ipv4, "IP"), "ipv6": (credentials.ipv6, "IP"), "apikey": (credentials.api_key, "SECRET"), "token": (credentials.token, "SECRET"),
    }  # fmt: skip
    if kind in makers:
        make, label = makers[kind]
        return make(rng), label
    if kind == "bic":
        return bic(rng, country), "OTHER_ID"
    if kind == "secret":
        return credentials.secret(rng), "SECRET"
    if kind == "url":
        return credentials.url(rng, None, language), "URL"
    raise KeyError(f"no slot {kind}")
