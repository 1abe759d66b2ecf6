"""Whether a written surrogate lies in the range that the table names, told without the generators.

Nothing here comes from the modules that draw: the rules are read anew from the sources that
docs/surrogates.md lists, with ipaddress, phonenumbers and python-stdnum, so that a mistake on one
side shows on the other.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from functools import cache
from html import unescape
from importlib import import_module
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any
from urllib.parse import unquote

Judge = Callable[[str, str | None, bool], bool | None]
RESERVED_LABEL = "example"  # RFC 2606, RFC 6761
NETWORKS = tuple(map(ip_network, (
    "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24",  # RFC 5737
    "198.18.0.0/15",  # RFC 2544
    "2001:db8::/32",  # RFC 3849
)))  # fmt: skip
# Calling code -> national numbers that its regulator keeps for fiction.
FICTION = {
    1: r"[2-9]\d\d55501\d\d",  # North American Numbering Plan Administrator
    44: r"(?:7700900|1632960|8081570|9098790|3069990|2079460|1914980|2896496|2920180"
        r"|1(?:1[3-8]|[2-6]1)4960)\d{3}",  # Ofcom
    33: r"(?:19900|26191|35301|46571|53649|63998)\d{4}",  # ARCEP, decision 2018-0881
    49: r"(?:3023125|6990009|4066969|2214710|8999998)\d{3}"
        r"|17139200\d\d|176040690\d\d",  # Bundesnetzagentur, Mitteilung 148/2021
    61: r"[2378](?:5550|7010)\d{4}",  # ACMA
    46: r"(?:3139060|4062804|8465004|9803192)\d\d|7017406[1-9]\d",  # PTS
    353: r"2091\d{5}",  # ComReg
}  # fmt: skip
# Where national numbers without a country are looked for.
COUNTRIES = (
    "US", "GB", "FR", "ES", "DE", "IT", "NL", "BE", "CH", "AT", "SE", "IE", "PT", "PL", "CZ", "DK",
    "NO", "GR", "FI", "RO", "UA", "TR", "BR", "MX", "IN", "AU",
)  # fmt: skip
FEWEST = 7  # digits of a telephone number; fewer are a part of one
CARD = 12  # digits of a card number; fewer are a part of one (ISO/IEC 7812: 8 to 19, in use 12)
# Country -> form of an identity number, and the modules of python-stdnum that know it.
IDS: dict[str, tuple[tuple[str, tuple[str, ...]], ...]] = {
    "ES": ((r"\d{8}[A-Z]", ("es.dni",)), (r"[XYZ]\d{7}[A-Z]", ("es.nie",)),
           (r"[A-W]\d{7}[0-9A-J]", ("es.cif",))),
    "IT": ((r"[A-Z]{6}\d\d[A-Z]\d\d[A-Z]\d{3}[A-Z]", ("it.codicefiscale",)), (r"\d{11}", ("it.iva",))),
    "PL": ((r"\d{11}", ("pl.pesel",)), (r"\d{10}", ("pl.nip",)), (r"\d{9}", ("pl.regon",))),
    "DE": ((r"\d{11}", ("de.idnr",)),),
    "FR": ((r"\d{6}[0-9AB]\d{8}", ("fr.nir",)), (r"\d{9}", ("fr.siren",)), (r"\d{11}", ("fr.tva",)),
           (r"\d{14}", ("fr.siret",))),
    "PT": ((r"\d{9}", ("pt.nif",)),),
    "NL": ((r"\d{9}", ("nl.bsn",)),),
    "BR": ((r"\d{11}", ("br.cpf",)), (r"\d{14}", ("br.cnpj",))),
    "SE": ((r"\d{10}|\d{12}", ("se.personnummer",)),),
    "DK": ((r"\d{10}", ("dk.cpr",)),),
    "NO": ((r"\d{11}", ("no.fodselsnummer",)),),
    "CZ": ((r"\d{10}", ("cz.rc",)),),
    "BG": ((r"\d{10}", ("bg.egn",)),),
    "RO": ((r"\d{13}", ("ro.cnp",)),),
    "HR": ((r"\d{11}", ("hr.oib",)),),
    "BE": ((r"\d{11}", ("be.nn",)),),
    "TR": ((r"\d{11}", ("tr.tckimlik",)),),
    "IN": ((r"\d{12}", ("in_.aadhaar",)),),
    "ZA": ((r"\d{13}", ("za.idnr",)),),
    "MX": ((r"[A-Z]{4}\d{6}[A-Z0-9]{8}", ("mx.curp",)),),
    "CL": ((r"\d{7,8}[0-9K]", ("cl.rut",)),),
    "GB": ((r"[A-Z]{2}\d{6}[A-Z]", ("nino",)), (r"\d{10}", ("gb.nhs",)), (r"\d{12}", ("gb.vat",))),
    "CA": ((r"\d{9}", ("ca.sin",)),),
    "US": ((r"\d{9}", ("us.ssn", "itin", "atin")),),
}  # fmt: skip
# Numbers without check digits, and which of them are given.
ISSUED = {
    # HMRC manual NIM39110: letters and prefixes that are not used, suffixes A to D.
    "nino": re.compile(r"(?!BG|GB|KN|NK|NT|TN|ZZ)[^DFIQUV0-9][^DFIQUVO0-9]\d{6}[A-D]"),
    # IRS: individual taxpayer numbers have these groups, of which python-stdnum knows those from 70
    "itin": re.compile(r"9\d\d(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])\d{4}"),
    "atin": re.compile(r"9\d\d93\d{4}"),  # IRS: taxpayer number for pending adoptions, group 93
}
AT = re.compile(r"\s*[(\[{]\s*(?:at|arroba|arobase|chiocciola)\s*[)\]}]\s*", re.I)
DOT = re.compile(r"\s*[(\[{]\s*(?:dot|punto|point|punkt|ponto)\s*[)\]}]\s*", re.I)
SPOKEN = re.compile(r"\s(?:at|arroba|arobase|chiocciola|klammeraffe|apenstaartje|małpa)\s", re.I)
# The host of a URL that runs into an address: shop.example/account?mail=ana@mail.example
BEFORE = re.compile(r"(?:^|[/=,;(<\s])((?:[\w-]{1,63}\.){1,20}[^\W\d_][\w-]{0,62})(?=[/?#]|:\d)")
ADDRESS = re.compile(r"(?<![\w.])(?:[0-9a-f]*:[0-9a-f:.]+|\d{1,3}(?:\.\d{1,3}){3})(?![\w])", re.I)
EXTENSION = re.compile(r"[\s,;(]*(?:;ext=|ext|extn|extension|x|#|durchwahl|poste|int|anexo|toestel)"
                       r"[\s.:]*\d{1,6}\W*$", re.I)  # fmt: skip


def in_range(entity: str, text: str, country: str | None, valid: bool) -> bool | None:  # noqa: FBT001
    """Whether a surrogate of this type is one that the table allows; None where it names no range.

    Parts of numbers (the last four digits of a card) have none. `country`: ISO 3166 code of the
    country whose number it is, where that is known. `valid`: the setting that asks for right
    checksums. Sources: docs/surrogates.md, "The table".
    """
    judge = JUDGES.get(entity)
    return judge(plain(text), country, valid) if judge else None


def country_of(plan: str) -> str | None:
    """The main country of a calling code ("390" is Italy's as well); None where there is none."""
    code = "39" if plan == "390" else plan
    found = library().region_code_for_country_code(int(code)) if code.isdecimal() else None
    return found if found and len(found) == 2 and found != "ZZ" else None


def plain(text: str) -> str:
    """Without marks that do not show, in ordinary width, escapes of URLs and HTML read."""
    text = unquote(unquote(unescape(text)))
    text = "".join(char for char in text if unicodedata.category(char) != "Cf")
    return unicodedata.normalize("NFKC", text)


def compact(text: str) -> str:
    """Letters and digits alone, digits in ASCII, letters as capitals."""
    kept = (char for char in text if char.isalnum())
    return "".join(str(int(c)) if c.isdecimal() else c for c in kept).upper()


# --- hosts ----------------------------------------------------------------------------------


def email(text: str, country: str | None, valid: bool) -> bool | None:  # noqa: FBT001
    """Every host behind an at sign, in signs or in words, and of a URL in front of one."""
    del country, valid
    text = DOT.sub(".", AT.sub("@", text))
    if "@" not in text:
        words = re.findall(r"\w+", text)
        return words[-1].lower() == RESERVED_LABEL if SPOKEN.search(text) and words else None
    first, *rests = text.split("@")
    found = [re.match(r"\s*\[?((?:ipv6:)?[\w.:-]+)", rest, re.I) for rest in rests]
    before = [name for part in (first, *rests[:-1]) for name in BEFORE.findall(part)]
    return every(host(name) for name in (*before, *(match[1] for match in found if match)))


def url(text: str, country: str | None, valid: bool) -> bool | None:  # noqa: FBT001
    """Every host of an address, also those in its query."""
    del country
    if re.match(r"\s*mailto:", text, re.I):
        return email(text, None, valid)
    found = re.findall(r"//([^/?#\s]+)", text) or [re.split(r"[/?#]", text.strip(), maxsplit=1)[0]]
    return every(host(without_port(authority.rpartition("@")[2])) for authority in found)


def without_port(authority: str) -> str:
    """The host of an authority (RFC 3986)."""
    bracketed = re.match(r"\[([^\]]+)\]", authority)
    return bracketed[1] if bracketed else authority.partition(":")[0]


def host(name: str) -> bool | None:
    """A name under `.example`, or an address for documentation; None for a single label."""
    name = re.sub(r"^ipv6:", "", name, flags=re.I).rstrip(".-_:")
    address = parse_address(name)
    if address:
        return reserved_address(address)
    labels = name.partition(":")[0].split(".")
    return labels[-1].lower() == RESERVED_LABEL if len(labels) > 1 else None


def every(verdicts: Iterator[bool | None]) -> bool | None:
    """False if one is, None if none says anything."""
    told = [verdict for verdict in verdicts if verdict is not None]
    return all(told) if told else None


def ip(text: str, country: str | None, valid: bool) -> bool | None:  # noqa: FBT001
    """Every address in the text."""
    del country, valid
    found = (parse_address(match[0].strip(".")) for match in ADDRESS.finditer(text))
    return every(reserved_address(address) for address in found if address)


def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """An IP address; zeros in front of IPv4 parts do not count."""
    if re.fullmatch(r"\d+(?:\.\d+){3}", text):
        text = ".".join(str(int(part)) for part in text.split("."))
    try:
        return ip_address(text)
    except ValueError:
        return None


def reserved_address(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is kept for documentation or for benchmarks."""
    return any(address in network for network in NETWORKS if network.version == address.version)


# --- telephone numbers ----------------------------------------------------------------------


def phone(text: str, country: str | None, valid: bool) -> bool | None:  # noqa: FBT001
    """Kept for fiction, or in use nowhere that it could be dialled.

    A national number of unknown country is judged only as far as nobody has it as it is written.
    """
    del valid
    text = EXTENSION.sub("", text)
    digits = compact(re.sub(r"[^\W\d_]", "", text))
    if len(digits) < FEWEST:
        return None
    if re.match(r"\W*\+", text):
        return unused(f"+{digits}", None)
    if digits.startswith("00") and len(digits) > 10:
        return unused(f"+{digits[2:]}", None)
    if country:
        return unused(digits, country)
    return True if not any(dialled_as_written(text, one) for one in COUNTRIES) else None


def library() -> Any:
    """The phonenumbers package, loaded when the first number comes."""
    return import_module("phonenumbers")


def unused(text: str, region: str | None) -> bool:
    """Whether a number is kept for fiction, or assigned to nobody."""
    try:
        number = library().parse(text, region)
    except library().NumberParseException:
        return True
    return in_fiction(number) or not library().is_valid_number(number)


def in_fiction(number: Any) -> bool:
    """Whether the regulator of the number's plan keeps it for fiction."""
    pattern = FICTION.get(number.country_code, r"(?!)")
    return re.fullmatch(pattern, str(number.national_number)) is not None


def dialled_as_written(text: str, region: str) -> bool:
    """Whether a number in use in a country is written there with these groups of digits."""
    try:
        number = library().parse(text, region)
    except library().NumberParseException:
        return False
    if in_fiction(number) or not library().is_valid_number_for_region(number, region):
        return False
    shown = library().format_number(number, library().PhoneNumberFormat.NATIONAL)
    return re.findall(r"\d+", shown) == re.findall(r"\d+", text)


# --- numbers with check digits --------------------------------------------------------------


def card(text: str, country: str | None, valid: bool) -> bool | None:  # noqa: FBT001
    """ISO/IEC 7812: the Luhn sum."""
    del country
    digits = compact(re.sub(r"\D", "", text))
    return luhn(digits) == valid if len(digits) >= CARD else None


def luhn(digits: str) -> bool:
    """Every second digit from the end doubled, digits of all summed: a multiple of ten."""
    doubled = (str(int(digit) * (1 + at % 2)) for at, digit in enumerate(reversed(digits)))
    return sum(int(digit) for number in doubled for digit in number) % 10 == 0


def iban(text: str, country: str | None, valid: bool) -> bool | None:  # noqa: FBT001
    """ISO 13616 by ISO 7064: the remainder modulo 97 is 1."""
    del country
    code = compact(text)
    if not re.fullmatch(r"[A-Z]{2}\d\d[A-Z0-9]{10,30}", code):
        return None
    return (int("".join(str(int(char, 36)) for char in code[4:] + code[:4])) % 97 == 1) == valid


def national_id(text: str, country: str | None, valid: bool) -> bool | None:  # noqa: FBT001
    """Not issued, or wrong by every rule for its form in its country, or in all where none is told.

    With `valid` right by a rule of any country, since a form may belong to several.
    """
    code = compact(text)
    told = {country} & IDS.keys() if country and not valid else IDS.keys()
    rows = [row for one in told for row in IDS[str(one)]]
    names = [name for form, modules in rows if re.fullmatch(form, code) for name in modules]
    if not names:
        return None
    return any(checker(name)(code) for name in names) == valid


@cache
def checker(name: str) -> Callable[[str], bool]:
    """The rule of a python-stdnum module, or of a number that has no check digit."""
    if name in ISSUED:
        return lambda code: ISSUED[name].fullmatch(code) is not None
    rule: Callable[[str], bool] = import_module(f"stdnum.{name}").is_valid
    return rule


JUDGES: dict[str, Judge] = {
    "EMAIL_ADDRESS": email,
    "URL": url,
    "IP_ADDRESS": ip,
    "PHONE_NUMBER": phone,
    "CREDIT_CARD": card,
    "IBAN_CODE": iban,
    "NATIONAL_ID": national_id,
}
