"""Telephone numbers: nobody's, in whatever form; the national form agrees with the other."""

from __future__ import annotations

import re

import phonenumbers
import pytest

from scrubbers.surrogates import numbering
from scrubbers.surrogates.context import Value, contexts
from scrubbers.surrogates.draw import draw
from scrubbers.surrogates.normal import units
from scrubbers.surrogates.phones import dialled
from scrubbers.surrogates.unit import ALONE
from scrubbers.surrogates.write import write
from tests.scrubbers.surrogates.lookup import looked_up, read_back, surrogate

KINDS = (phonenumbers.PhoneNumberType.FIXED_LINE, phonenumbers.PhoneNumberType.MOBILE)
INTERNATIONAL = phonenumbers.PhoneNumberFormat.INTERNATIONAL
NATIONAL = phonenumbers.PhoneNumberFormat.NATIONAL
EXAMPLES = [
    (region, number)
    for region in sorted(phonenumbers.SUPPORTED_REGIONS)
    for kind in KINDS
    if (number := phonenumbers.example_number_for_type(region, kind)) is not None
]


def same_code(region: str) -> set[str]:
    code = phonenumbers.country_code_for_region(region)
    overseas = {"FR", "GP", "GF", "MQ", "RE", "YT", "BL", "MF"}
    shared = set(phonenumbers.COUNTRY_CODE_TO_REGION_CODE[code])
    return shared | overseas if shared & overseas else shared


def is_fiction(number: phonenumbers.PhoneNumber, region: str) -> bool:
    digits = phonenumbers.national_significant_number(number)
    if number.country_code == 1:
        return re.fullmatch(r"\d{3}55501\d\d", digits) is not None
    kept = [prefix for one in same_code(region) for prefix, _ in numbering.RESERVED.get(one, ())]
    return digits.startswith(tuple(kept))


def live_in(text: str, regions: set[str]) -> set[str]:
    found = set()
    for region in regions:
        number = phonenumbers.parse(text, region)
        if phonenumbers.is_valid_number(number) and not is_fiction(number, region):
            found.add(region)
    return found


def others(number: phonenumbers.PhoneNumber, count: int) -> list[phonenumbers.PhoneNumber]:
    """The example, and numbers with other last digits."""
    digits = phonenumbers.national_significant_number(number)
    texts = [f"+{number.country_code}{digits[:-3]}{(int(digits[-3:]) + 37 * i) % 1000:03d}"
             for i in range(count)]  # fmt: skip
    return [phonenumbers.parse(text, None) for text in texts]


@pytest.mark.parametrize(("region", "example"), EXAMPLES)
def test_behind_a_country_code_no_surrogate_is_live(
    region: str, example: phonenumbers.PhoneNumber
) -> None:
    for number in others(example, 4):
        text = phonenumbers.format_number(number, INTERNATIONAL)
        made = surrogate("PHONE_NUMBER", text)
        assert not live_in(made, same_code(region)), (text, made)
        assert read_back("PHONE_NUMBER", made) == looked_up("PHONE_NUMBER", text)


# The countries to which national numbers, written as libphonenumber writes them, are told.
TOLD = frozenset(
    "US CA JM GB GG JE IM FR GP GF MQ RE YT ES DE NL CH AT BE PT PL DK GR FI AX TR BR IN RU SE IT VA RO".split()  # noqa: SIM905 - shorter to read than thirty strings
)


@pytest.mark.parametrize(("region", "example"), [row for row in EXAMPLES if row[0] in TOLD])
def test_the_national_form_agrees_and_is_not_live(
    region: str, example: phonenumbers.PhoneNumber
) -> None:
    for number in others(example, 4):
        text = phonenumbers.format_number(number, NATIONAL)
        made = surrogate("PHONE_NUMBER", text)
        assert not live_in(made, same_code(region)), (text, made)
        assert read_back("PHONE_NUMBER", made) == looked_up("PHONE_NUMBER", text)
        abroad = phonenumbers.format_number(number, INTERNATIONAL)
        assert units("PHONE_NUMBER", text) == units("PHONE_NUMBER", abroad)


@pytest.mark.parametrize("text", ["01512 3456789", "0171 2345678", "070-123 45 67", "07911 123456", "06 12 34 56 78", "(212) 736-5000"])  # fmt: skip
def test_redrawn_numbers_are_not_live_and_told_to_the_same_plan(text: str) -> None:
    (unit,) = units("PHONE_NUMBER", text)
    drawn = {draw(unit.space, bytes([n]) * 16, 9) for n in range(100)}
    assert len(drawn) > 95
    for norm in drawn:
        made = write("PHONE_NUMBER", text, ALONE, lambda _, norm=norm: norm)
        assert units("PHONE_NUMBER", made) == [type(unit)(unit_space(unit.space, norm), norm)]
        assert not live_in(made, {"US", "GB", "FR", "DE", "SE"} & same_plan(unit.space))


def unit_space(space: str, norm: str) -> str:
    family, length, _, rest = space.split(":")
    return f"{family}:{length}:{norm[0]}:{rest}"


def same_plan(space: str) -> set[str]:
    code = int(space.partition(":")[0].removeprefix("phone"))
    return set(phonenumbers.COUNTRY_CODE_TO_REGION_CODE[code])


def test_few_other_national_numbers_become_live_ones() -> None:
    made = [(region, surrogate("PHONE_NUMBER", phonenumbers.format_number(number, NATIONAL)))
            for region, number in EXAMPLES]  # fmt: skip
    found = [region for region, text in made if live_in(text, same_code(region))]
    assert len(found) / len(made) < 0.3
    assert not set(found) & set(TOLD)


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("+44 7911 100001", r"\+44 7700 900\d{3}"), ("07911 123456", r"07700 900\d{3}"), ("07911100000", r"07700900\d{3}"),
        ("+33 6 12 34 56 78", r"\+33 6 39 98 \d\d \d\d"), ("06 12 34 56 78", r"06 39 98 \d\d \d\d"), ("0612345678", r"063998\d{4}"),
        ("0171 2345678", r"0171 39200\d\d"), ("+61 8 9162 1234", r"\+61 8 (5550|7010) \d{4}"), ("8 912 345-67-89", r"8 \d{3} \d{3}-\d\d-\d\d"),
        ("(415) 555-2671", r"\(\d{3}\) 555-01\d\d"), ("+1 876 523 4567", r"\+1 \d{3} 555 01\d\d"),
    ],
)  # fmt: skip
def test_the_look_is_kept_where_a_range_is_reserved(text: str, pattern: str) -> None:
    assert re.fullmatch(pattern, surrogate("PHONE_NUMBER", text))


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("+44 7911 100000", "07911100000"), ("+33 612345678", "0612345678"), ("+34 612 345 678", "612345678"), ("+39 02 1234 5678", "02 1234 5678"),
        ("+49 171 2345678", "01712345678"), ("+31 6 12345678", "06 12345678"), ("+1 212 736 5000", "212.736.5000"), ("+7 912 345-67-89", "8 912 345-67-89"),
    ],
)  # fmt: skip
def test_national_and_international_form_share_the_unit(left: str, right: str) -> None:
    assert units("PHONE_NUMBER", left) == units("PHONE_NUMBER", right)


@pytest.mark.parametrize(
    "text", ["tel212-555-0142ext9", "212-555-0142x9", "212-555-0142 extn. 9", "212-555-0142;ext=9"]
)
def test_an_extension_is_apart_however_it_is_written(text: str) -> None:
    number, extension = units("PHONE_NUMBER", text)
    assert [number] == units("PHONE_NUMBER", "212-555-0142")
    assert extension.norm == "9"
    assert surrogate("PHONE_NUMBER", "212-555-0142") in surrogate("PHONE_NUMBER", text)


@pytest.mark.parametrize(
    "forms",
    [
        ("+49 171 2345678", "%2B491712345678", "49-171-2345678", "491712345678", "0171 2345678"),
        ("+49 171 2345678", "49 (0)171 2345678", "0049 171 2345678"),
        ("491712345678", "0171 2345678", "49-171-2345678"),
        ("+12127365000", "%2B12127365000", "12127365000", "1.212.736.5000", "212-736-5000"),
        ("+31 6 12345678", "31612345678", "31-6-12345678", "0612345678"),
        ("+39 06 12345678", "390612345678", "06 12345678"),
        ("+39 393 1234567", "3931234567", "393931234567"),
        ("+54 9 11 2345 6789", "5491123456789", "541123456789"),
        ("+52 1 55 1234 5678", "525512345678", "5215512345678"),
        ("+7 912 345 67 89", "79123456789", "8 912 345 67 89"),
        ("+48 601 234 567", "48601234567", "601 234 567"),
    ],
)
def test_a_bare_country_code_and_an_escaped_plus_are_forms_of_one_number(
    forms: tuple[str, ...],
) -> None:
    values = [Value("PHONE_NUMBER", form) for form in forms]
    read = [units(v.entity, v.text, c)[0] for v, c in zip(values, contexts(values), strict=True)]
    assert len({(unit.family, unit.norm) for unit in read}) == 1


def test_a_number_with_a_bare_country_code_is_read_alike_in_every_record() -> None:
    values = [Value("PHONE_NUMBER", form) for form in ("+49 171 2345678", "491712345678")]
    beside = units("PHONE_NUMBER", values[1].text, contexts(values)[1])
    alone = units("PHONE_NUMBER", values[1].text, contexts(values[1:])[0])
    assert [unit.norm for unit in beside] == [unit.norm for unit in alone]


@pytest.mark.parametrize(
    ("text", "plan", "expected"),
    [
        ("49-171-2345678", "", "+49-171-2345678"),
        ("49-171-2345678 x1111", "", "+49-171-2345678 x1111"),
        ("31612345678", "31+", "+31612345678"),
        ("390612345678", "390+", "+390612345678"),
        ("0171 2345678", "49", "0171 2345678"),
        ("+49 171 2345678", "", "+49 171 2345678"),
        ("8 912 345 67 89", "7+", "8 912 345 67 89"),
    ],
)
def test_a_bare_calling_code_is_judged_behind_a_plus(text: str, plan: str, expected: str) -> None:
    assert dialled(text, plan) == expected
