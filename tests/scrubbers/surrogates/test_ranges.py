"""Ranges: told from the sources alone, so that live values are seen and surrogates pass."""

from __future__ import annotations

import phonenumbers
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubbers.surrogates.phones import plan_told
from scrubbers.surrogates.ranges import IDS, JUDGES, checker, country_of, in_range, luhn
from tests.scrubbers.surrogates.lookup import surrogate

# type, text, country, whether it is in range under `invalid`
TOLD: list[tuple[str, str, str | None, bool | None]] = [
    ("EMAIL_ADDRESS", "karlom@moorloft.example", None, True),
    ("EMAIL_ADDRESS", "KARLOM@MAIL.MOORLOFT.EXAMPLE", None, True),
    ("EMAIL_ADDRESS", "karlom@moorloft.example.com", None, False),
    ("EMAIL_ADDRESS", "karlom%40moorloft.com", None, False),
    ("EMAIL_ADDRESS", "karlom&#64;moorloft.com", None, False),
    ("EMAIL_ADDRESS", "karlom＠moorloft.com", None, False),
    ("EMAIL_ADDRESS", "karlom (at) moorloft (dot) example", None, True),
    ("EMAIL_ADDRESS", "karlom (at) moorloft (dot) com", None, False),
    ("EMAIL_ADDRESS", "karlom at moorloft dot example", None, True),
    ("EMAIL_ADDRESS", "karlom arroba moorloft punto es", None, False),
    ("EMAIL_ADDRESS", "karlom@[192.0.2.7]", None, True),
    ("EMAIL_ADDRESS", "karlom@[8.8.8.8]", None, False),
    ("EMAIL_ADDRESS", "a@moorloft.example, b@moorloft.com", None, False),
    ("EMAIL_ADDRESS", "mailto:karlom@moorloft.com?subject=x.example", None, False),
    ("EMAIL_ADDRESS", "karlom@moor\u200bloft.e\u200bxample", None, True),
    ("EMAIL_ADDRESS", "karlom@localhost", None, None),
    ("EMAIL_ADDRESS", "karlom", None, None),
    ("URL", "https://moorloft.example/a?b=c", None, True),
    ("URL", "https://karlom:x@moorloft.example:8080", None, True),
    ("URL", "https://moorloft.com/a.example", None, False),
    ("URL", "moorloft.com/a", None, False),
    ("URL", "https://moorloft.example/?to=https%3A%2F%2Fmoorloft.com%2F", None, False),
    ("URL", "jdbc:postgresql://db.moorloft.com:5432/a", None, False),
    ("URL", "http://[2001:db8::1]/", None, True),
    ("URL", "http://[2a00:1450::1]/", None, False),
    ("URL", "/just/a/path", None, None),
    ("IP_ADDRESS", "192.0.2.1", None, True),
    ("IP_ADDRESS", "198.51.100.255/32", None, True),
    ("IP_ADDRESS", "203.0.113.9:443", None, True),
    ("IP_ADDRESS", "198.19.255.1", None, True),
    ("IP_ADDRESS", "198.20.0.1", None, False),
    ("IP_ADDRESS", "8.8.8.8", None, False),
    ("IP_ADDRESS", "008.008.008.008", None, False),
    ("IP_ADDRESS", "2001:DB8::1", None, True),
    ("IP_ADDRESS", "fe80::1%eth0", None, False),
    ("IP_ADDRESS", "00:1B:44:11:3A:B7", None, None),
    ("PHONE_NUMBER", "+44 7700 900123", None, True),
    ("PHONE_NUMBER", "+44 7911 123456", None, False),
    ("PHONE_NUMBER", "0044 7911 123456", None, False),
    ("PHONE_NUMBER", "07911 123456", "GB", False),
    ("PHONE_NUMBER", "07700 900123 ext. 12", "GB", True),
    ("PHONE_NUMBER", "(212) 555-0142", "US", True),
    ("PHONE_NUMBER", "(212) 736-5000", "US", False),
    ("PHONE_NUMBER", "01 99 00 12 34", "FR", True),
    ("PHONE_NUMBER", "+33 6 12 34 56 78", None, False),
    ("PHONE_NUMBER", "+49 30 23125 123", None, True),
    ("PHONE_NUMBER", "+46 70 174 06 05", None, False),
    ("PHONE_NUMBER", "+46 70 174 06 35", None, True),
    ("PHONE_NUMBER", "+353 20 912 3456", None, True),
    ("PHONE_NUMBER", "+61 2 5550 1234", None, True),
    ("PHONE_NUMBER", "+999 123 456 789", None, True),
    ("PHONE_NUMBER", "0123", None, None),
    ("PHONE_NUMBER", "06 12345678", None, None),  # could be Dutch
    ("CREDIT_CARD", "4111 1111 1111 1111", None, False),
    ("CREDIT_CARD", "4111 1111 1111 1112", None, True),
    ("CREDIT_CARD", "٤١١١ ١١١١ ١١١١ ١١١١", None, False),
    ("CREDIT_CARD", "**** **** **** 1111", None, None),
    ("IBAN_CODE", "DE89 3704 0044 0532 0130 00", None, False),
    ("IBAN_CODE", "DE88 3704 0044 0532 0130 00", None, True),
    ("IBAN_CODE", "3000", None, None),
    ("NATIONAL_ID", "912-34-5678", "US", True),
    ("NATIONAL_ID", "123-45-6789", "US", False),
    ("NATIONAL_ID", "912-70-5678", "US", False),  # an ITIN
    ("NATIONAL_ID", "912-93-5678", "US", False),  # for a pending adoption
    ("NATIONAL_ID", "AB 12 34 56 C", "GB", False),
    ("NATIONAL_ID", "BG 12 34 56 C", "GB", True),
    ("NATIONAL_ID", "AB123456E", None, True),
    ("NATIONAL_ID", "12345678Z", "ES", False),
    ("NATIONAL_ID", "12345678A", None, True),
    ("NATIONAL_ID", "44051401359", "PL", False),
    ("NATIONAL_ID", "44051401358", "PL", True),
    ("NATIONAL_ID", "6789", "US", None),
    ("PERSON", "Karlom Berg", None, None),
    ("SECRET", "8.8.8.8", None, None),
]


@pytest.mark.parametrize(("entity", "text", "country", "verdict"), TOLD)
def test_what_is_in_range(
    entity: str, text: str, country: str | None, verdict: bool | None
) -> None:
    assert in_range(entity, text, country, False) is verdict


@pytest.mark.parametrize("entity", ["CREDIT_CARD", "IBAN_CODE", "NATIONAL_ID"])
def test_where_right_checksums_were_asked_for_wrong_ones_are_out(entity: str) -> None:
    for kind, text, country, verdict in TOLD:
        if kind == entity:
            assert in_range(kind, text, country, True) is (None if verdict is None else not verdict)


VALUES = {
    "EMAIL_ADDRESS": st.emails(),
    "IP_ADDRESS": st.ip_addresses().map(str),
    "CREDIT_CARD": st.from_regex(r"[3-6][0-9]{12,18}", fullmatch=True),
    "IBAN_CODE": st.from_regex(r"(DE|FR|ES|IT|GB)[0-9]{2}[A-Z0-9]{11,26}", fullmatch=True),
    "NATIONAL_ID": st.from_regex(r"[0-9]{9,15}|[0-9]{8}[A-Z]|[A-Z]{2}[0-9]{6}[A-Z]", fullmatch=True),
    "URL": st.from_regex(r"https?://([a-z]{3,9}\.){1,2}(com|org|co\.uk)(/[a-z0-9]{1,6}){0,2}", fullmatch=True),
}  # fmt: skip


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(sorted(VALUES)).flatmap(lambda k: st.tuples(st.just(k), VALUES[k])))
def test_surrogates_of_any_value_are_in_range(value: tuple[str, str]) -> None:
    entity, text = value
    assert in_range(entity, surrogate(entity, text), None, False) in (True, None)


EXAMPLES = [
    phonenumbers.example_number_for_type(region, kind)
    for region in sorted(phonenumbers.SUPPORTED_REGIONS)
    for kind in (phonenumbers.PhoneNumberType.MOBILE, phonenumbers.PhoneNumberType.FIXED_LINE)
]


@pytest.mark.slow
def test_no_surrogate_of_an_example_number_of_any_country_is_in_use() -> None:
    judged = 0
    for number in filter(None, EXAMPLES):
        for form in (phonenumbers.PhoneNumberFormat.E164, phonenumbers.PhoneNumberFormat.NATIONAL):
            new = surrogate("PHONE_NUMBER", phonenumbers.format_number(number, form))
            verdict = in_range("PHONE_NUMBER", new, country_of(plan_told(new)[1]), False)
            assert verdict is not False, (number.country_code, form)
            judged += verdict is True
    assert judged > 700


@pytest.mark.parametrize(
    ("plan", "country"), [("44", "GB"), ("1", "US"), ("390", "IT"), ("0", None), ("", None)]
)
def test_the_country_of_a_plan(plan: str, country: str | None) -> None:
    assert country_of(plan) == country


@pytest.mark.parametrize("number", ["79927398713", "4111111111111111", "0"])
def test_luhn_by_its_published_examples(number: str) -> None:
    assert luhn(number)
    assert not luhn(number[:-1] + str((int(number[-1]) + 1) % 10))


def test_each_type_that_the_table_gives_a_range_is_judged() -> None:
    from scrubbers.surrogates.origin import MADE_UP, TABLE

    assert {entity for (entity, _), row in TABLE.items() if row[0] != MADE_UP} == set(JUDGES)


def test_every_rule_of_the_national_ids_is_there() -> None:
    names = [name for rows in IDS.values() for _, modules in rows for name in modules]
    assert all(checker(name)("0000") is False for name in names)
