"""The written form: separators, case and length stay, ranges are the documented ones."""

from __future__ import annotations

import re
from ipaddress import ip_address, ip_network

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stdnum import iban, luhn
from stdnum.es import dni
from stdnum.pl import pesel
from stdnum.us import ssn

from scrubbers.entities import ENTITY_TYPES
from scrubbers.surrogates import numbering
from scrubbers.surrogates.origin import TABLE, origin_of
from tests.scrubbers.surrogates.lookup import looked_up, read_back, surrogate

DIGITS = st.text("0123456789", min_size=16, max_size=16)


def outline(text: str) -> str:
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))


@pytest.mark.parametrize(
    ("entity", "text"),
    [
        ("PHONE_NUMBER", "+49 (0)351 / 55 50-166 ext. 12"), ("IBAN_CODE", "FR21 1751 5352 5506 3543 877T 016"),
        ("CREDIT_CARD", "4921-3483 1592.9514"), ("OTHER_ID", "INV-2024/00931-b"), ("LICENCE_PLATE", "WJ67 OTN"),
        ("NATIONAL_ID", "X-8588457-G"), ("PASSWORD", "Tannen7apfen#3!"), ("SECRET", "a0a28f1e-f424-43a1-8544"),
        ("ADDRESS", "48005"), ("ADDRESS", "SW1A 1AA"), ("DATE_OF_BIRTH", "1985-03-24"), ("DATE_OF_BIRTH", "24/03/85"),
        ("PASSPORT", "ＴＺ４８２９３０１"), ("MEDICAL_ID", "BO-668-2045"), ("BANK_ACCOUNT", "072 180 78892684115 7"),
    ],
)  # fmt: skip
def test_separators_and_classes_stay(entity: str, text: str) -> None:
    assert outline(surrogate(entity, text)) == outline(text)
    assert surrogate(entity, text) != text


def test_what_its_issuer_puts_in_front_stays() -> None:
    assert surrogate("SECRET", "sk_live_4eC39HqLyjWDarjt").startswith("sk_live_")
    assert surrogate("OTHER_ID", "LMB-40921").startswith("LMB-")
    assert surrogate("USERNAME", "@areyes").startswith("@")
    assert re.fullmatch(
        r"Ostr?\S*|\S+ \S+ GmbH & Co\. KG", surrogate("ORGANIZATION", "Ostrau Kälte GmbH & Co. KG")
    )


@given(DIGITS)
def test_cards_fail_luhn_unless_asked(digits: str) -> None:
    made = surrogate("CREDIT_CARD", digits)
    assert made[0] == digits[0]
    assert not luhn.is_valid(made)
    assert luhn.is_valid(surrogate("CREDIT_CARD", digits, valid=True))


@given(DIGITS)
def test_ibans_fail_their_check_digits_unless_asked(digits: str) -> None:
    made = surrogate("IBAN_CODE", f"ES44{digits}1234")
    assert made.startswith("ES")
    assert not iban.is_valid(made)
    assert iban.is_valid(surrogate("IBAN_CODE", f"DE44{digits}12", valid=True), check_country=False)


@given(DIGITS)
@settings(max_examples=50)
def test_national_ids_are_nobodys(digits: str) -> None:
    assert not dni.is_valid(surrogate("NATIONAL_ID", digits[:8] + "Z"))
    assert not pesel.is_valid(surrogate("NATIONAL_ID", digits[:11]))
    assert not ssn.is_valid(surrogate("NATIONAL_ID", f"1{digits[1:9]}"))


@given(
    st.text("abcdefghij.", min_size=1, max_size=12),
    st.from_regex(r"[a-z]{2,8}(\.[a-z]{2,5}){1,3}", fullmatch=True),
)
def test_mail_goes_to_reserved_names_only(local: str, host: str) -> None:
    assert surrogate("EMAIL_ADDRESS", f"{local}@{host}").endswith(".example")
    assert ".example/" in surrogate("URL", f"https://{host}/x")


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("ana [at] acme [dot] example", r"[a-z]+ \[at\] [a-z]+ \[dot\] example"),
        ("ana(AT)mail(DOT)acme(DOT)co(DOT)uk", r"[a-z]+\(AT\)mail\(DOT\)[a-z]+\(DOT\)example"),
        ("ana arroba acme punto es", r"[a-z]+ arroba [a-z]+ punto example"),
        ("ana {at} acme {dot} example", r"[a-z]+ \{at\} [a-z]+ \{dot\} example"),
    ],
)
def test_spoken_signs_stay_spoken(text: str, pattern: str) -> None:
    made = surrogate("EMAIL_ADDRESS", text)
    assert re.fullmatch(pattern, made)
    assert read_back("EMAIL_ADDRESS", made) == looked_up("EMAIL_ADDRESS", text)


@given(st.ip_addresses())
def test_addresses_are_documentation_and_benchmark_ranges(address) -> None:
    made = ip_address(surrogate("IP_ADDRESS", str(address)))
    kept = ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "198.18.0.0/15", "2001:db8::/32")
    assert any(made in ip_network(net) for net in kept if ip_network(net).version == made.version)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [("(415) 555-2671", r"\(\d{3}\) 555-01\d\d"), ("+1 212-736-5000", r"\+1 \d{3}-555-01\d\d")],
)
def test_north_american_numbers_are_the_fictional_ones(text: str, pattern: str) -> None:
    assert re.fullmatch(pattern, surrogate("PHONE_NUMBER", text))


@given(
    st.sampled_from(
        (
            "44",
            "34",
            "33",
            "39",
            "31",
            "48",
            "351",
            "55",
            "52",
            "91",
            "49",
            "32",
            "43",
            "41",
            "46",
            "61",
            "60",
            "65",
        )
    ),
    st.integers(10**8, 10**10 - 1),
)
@settings(max_examples=2000, deadline=None)
def test_a_number_with_country_code_is_fictional_or_in_use_nowhere(
    code: str, national: int
) -> None:
    parsed = phonenumbers.parse(f"+{code}{national}", None)
    if not phonenumbers.is_valid_number(parsed):
        return
    made = phonenumbers.parse(surrogate("PHONE_NUMBER", f"+{code}{national}"), None)
    national_text = phonenumbers.national_significant_number(made)
    region = phonenumbers.region_code_for_country_code(int(code))
    fictional = any(national_text.startswith(p) for p, _ in numbering.RESERVED.get(region, ()))
    assert fictional or not phonenumbers.is_valid_number(made)


@given(st.integers(1, 9), st.sampled_from(("ADDRESS", "USERNAME", "PERSON")))
def test_no_number_becomes_a_zero(number: int, entity: str) -> None:
    assert re.fullmatch(r"\D+[1-9]\D*", surrogate(entity, f"Lindenweg {number}, Ostrau"))
    assert re.fullmatch(r"\D+[1-9]\d\D*", surrogate(entity, f"Lindenweg 1{number}, Ostrau"))


@pytest.mark.parametrize("entity", ENTITY_TYPES)
def test_every_type_has_an_origin(entity: str) -> None:
    assert origin_of(entity) in {"reserved", "never-issued", "invalid-checksum", "made-up"}
    assert origin_of(entity, "ES") in {"reserved", "never-issued", "invalid-checksum", "made-up"}


def test_the_table_names_known_types_and_a_source() -> None:
    assert all(entity in ENTITY_TYPES and source for (entity, _), (_, source) in TABLE.items())


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("BLLGLI86D52D612V", r"[A-Z]{6}\d\d[ABCDEHLMPRST]\d\d[A-Z]\d{3}[A-Z]"),
        ("HESL880217MJCRNC07", r"[A-Z]{4}\d\d0[1-9][0-2]\d[HM][A-Z]{5}\d\d"),
        ("255126938345579", r"[12]\d\d0[1-9]\d{10}"),
    ],
)
def test_identity_numbers_keep_the_form_of_their_country(text: str, pattern: str) -> None:
    assert re.fullmatch(pattern, surrogate("NATIONAL_ID", text))


def test_an_invisible_character_between_two_names_parts_them() -> None:
    given, surname = surrogate("PERSON", "Eskil Haugland").split()
    assert surrogate("PERSON", "Eskil\u200bHaugland") == f"{given}\u200b{surname}"
    assert surrogate("PERSON", "Haug\u00adland") == surname
