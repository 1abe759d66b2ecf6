"""IBANs, cards, phones: numbers that plans and registers lay down for all countries."""

from __future__ import annotations

import random
import re
from functools import cache

import phonenumbers
from phonenumbers import PhoneNumberFormat as Form
from phonenumbers import PhoneNumberType as Kind
from stdnum import luhn

from tagger.draw import grouped, shaped

IBANS = {  # account part of the IBAN by country
    "GB": "NWBK" + "#" * 14, "IE": "AIBK" + "#" * 14, "ES": "#" * 20, "FR": "#" * 10 + "@" * 11 + "##", "BE": "#" * 12,
    "CH": "#" * 5 + "0" * 3 + "#" * 9, "DE": "#" * 18, "AT": "#" * 16, "IT": "?" + "#" * 22, "PT": "#" * 21, "NL": "????" + "0" + "#" * 9,
    "PL": "#" * 24, "RO": "????" + "@" * 16, "SE": "#" * 20, "NO": "#" * 11, "DK": "#" * 14, "FI": "#" * 14, "BR": "0" * 8 + "#" * 15 + "P1",
    "LU": "###" + "@" * 13, "GR": "#" * 23, "CZ": "#" * 20, "HU": "#" * 24, "TR": "#" * 5 + "0" + "@" * 16, "LT": "#" * 16, "BG": "????" + "#" * 14,
    "HR": "#" * 17, "MT": "????" + "#" * 5 + "@" * 18, "AE": "#" * 19, "SA": "##" + "@" * 18, "UA": "#" * 25, "EE": "#" * 16,
}  # fmt: skip
BANKS = (
    "NWBK",
    "BARC",
    "LOYD",
    "MIDL",
    "HBUK",
    "MONZ",
    "STAR",
    "REVO",
    "AIBK",
    "BOFI",
    "INGB",
    "RABO",
    "ABNA",
    "BTRL",
    "RNCB",
    "BRDE",
    "TRIO",
    "KNAB",
    "BUNQ",
)
NETWORKS = (  # beginning, length, weight
    ("4", 16, 8), ("51", 16, 2), ("52", 16, 2), ("53", 16, 2), ("54", 16, 2), ("55", 16, 2), ("2221", 16, 1),
    ("2720", 16, 1), ("34", 15, 2), ("37", 15, 2), ("6011", 16, 1), ("65", 16, 1), ("3528", 16, 1), ("3589", 16, 1),
    ("36", 14, 1), ("3000", 14, 1), ("50", 16, 1), ("6759", 16, 1), ("62", 16, 1), ("4571", 16, 1), ("6304", 19, 1), ("4", 13, 1),
)  # fmt: skip
KINDS = (Kind.MOBILE, Kind.MOBILE, Kind.FIXED_LINE)


def iban(rng: random.Random, country: str) -> str:
    """An IBAN without spaces, its two check digits right; of elsewhere where there are none."""
    if country not in IBANS or rng.random() < 0.06:
        country = rng.choice(sorted(IBANS))
    body = shaped(rng, IBANS[country])
    if country in ("GB", "IE", "NL", "RO", "BG", "MT"):
        body = rng.choice(BANKS) + body[4:]
    digits = "".join(str(int(char, 36)) for char in f"{body}{country}00")
    return f"{country}{98 - int(digits) % 97:02}{body}"


def iban_written(rng: random.Random, value: str) -> str:
    """In groups of four, closed up, at times in small letters or with odd groups."""
    dice = rng.random()
    if dice < 0.55:
        return grouped(rng, value, (4,), " ")
    if dice < 0.9:
        return value
    if dice < 0.94:
        return grouped(rng, value.lower(), (4,), " ") if rng.random() < 0.5 else value.lower()
    return grouped(
        rng, value, rng.choice(((4,), (2, 2, 4), (4, 8, 8))), rng.choice(("-", " ", "."))
    )


def card(rng: random.Random) -> str:
    """A card number of some network, its check digit right."""
    head, length, _ = rng.choices(NETWORKS, [row[2] for row in NETWORKS])[0]
    body = head + shaped(rng, "#" * (length - len(head) - 1))
    return body + luhn.calc_check_digit(body)


def card_written(rng: random.Random, value: str) -> str:
    """In groups as printed on the card, closed up, with hyphens or points."""
    sizes = (4, 6, 5) if len(value) == 15 else (4, 6, 4) if len(value) == 14 else (4,)
    glue = rng.choice((" ", " ", " ", "", "", "-", "-", "."))
    return grouped(rng, value, sizes, glue) if glue else value


def card_masked(rng: random.Random, value: str) -> tuple[str, str]:
    """What stands before the last four digits, and those: `**** **** **** `, "1234"."""
    heads = (
        "",
        "",
        "",
        "",
        "**** **** **** ",
        "****",
        "xxxx-xxxx-xxxx-",
        "XXXX ",
        "...",
        "•••• ",
        "x",
        "************",
    )
    return rng.choice(heads), value[-4:]


@cache
def example(region: str, kind: int) -> str:
    """The national number of the library's example, or of any kind where it has none."""
    found = phonenumbers.example_number_for_type(region, kind) or phonenumbers.example_number(
        region
    )
    return phonenumbers.national_significant_number(found or phonenumbers.PhoneNumber())


def phone(rng: random.Random, country: str, *, mobile: bool = False) -> phonenumbers.PhoneNumber:
    """A valid number of the country: the example's beginning, other digits."""
    region = country if country in phonenumbers.SUPPORTED_REGIONS else "US"
    code = phonenumbers.country_code_for_region(region)
    kind = Kind.MOBILE if mobile else rng.choice(KINDS)
    base = example(region, kind)
    for attempt in range(12):
        keep = min(2 + attempt // 4, len(base) - 4)
        number = base[:keep] + shaped(rng, "#" * (len(base) - keep))
        if code == 1:
            number = (
                shaped(rng, "%##") + rng.choice(("555", shaped(rng, "%##"))) + shaped(rng, "####")
            )
        found = phonenumbers.PhoneNumber(
            country_code=code,
            national_number=int(number),
            italian_leading_zero=number[0] == "0" or None,
        )
        if phonenumbers.is_valid_number(found):
            return found
    return phonenumbers.PhoneNumber(country_code=code, national_number=int(base))


def phone_written(
    rng: random.Random, number: phonenumbers.PhoneNumber, *, near: bool = True
) -> str:
    """The number in one of the ways in which people write it; `near` allows the national ones."""
    national = phonenumbers.format_number(number, Form.NATIONAL)
    international = phonenumbers.format_number(number, Form.INTERNATIONAL)
    dice = rng.random()
    if dice < 0.42 and near:
        return restyled(rng, national)
    if dice < 0.60:
        return international
    if dice < 0.72:
        return phonenumbers.format_number(number, Form.E164)
    if dice < 0.78:
        return "00" + restyled(rng, international.removeprefix("+"))
    if dice < 0.83 and national.startswith("0"):
        return f"+{number.country_code} (0){rng.choice(('', ' '))}{restyled(rng, national[1:])}"
    if dice < 0.87:
        return phonenumbers.format_number(number, Form.RFC3966).removeprefix("tel:")
    if dice < 0.94 or not near:
        return restyled(rng, international)
    return "".join(char for char in national if char.isdigit())


def restyled(rng: random.Random, text: str) -> str:
    """Other separators: points, hyphens, slashes, none, pairs of digits."""
    dice = rng.random()
    if dice < 0.35:
        return text
    digits = "".join(char for char in text if char.isdigit())
    plus = "+" if text.startswith("+") else ""
    if dice < 0.5:
        return plus + digits
    if dice < 0.62:
        return plus + grouped(
            rng, digits, (2 + len(digits) % 2, 2), rng.choice((" ", ".", " ", "-"))
        )
    if dice < 0.72:
        return plus + grouped(
            rng,
            digits,
            rng.choice(((3, 3, 4), (4, 3, 3), (3, 4, 4), (5, 6), (4, 7))),
            rng.choice((" ", "-", ".", "/", " - ")),
        )
    glue = rng.choice((".", "-", " ", "/", "\u00a0", "  "))
    return plus + glue.join(re.findall(r"[0-9]+", text))
