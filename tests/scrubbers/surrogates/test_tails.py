"""The end or beginning of a code agrees with the whole code of its record."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubbers.surrogates.context import Value, contexts
from scrubbers.surrogates.normal import units
from scrubbers.surrogates.tails import stands_for
from scrubbers.surrogates.write import write
from tests.scrubbers.surrogates.lookup import LOOKUP

Record = list[tuple[str, str]]


def replaced(record: Record) -> Record:
    values = [Value(entity, text) for entity, text in record]
    told = contexts(values)
    return [
        (v.entity, write(v.entity, v.text, c, LOOKUP)) for v, c in zip(values, told, strict=True)
    ]


def units_of(record: Record) -> list[list[tuple[str, str]]]:
    values = [Value(entity, text) for entity, text in record]
    found = [units(v.entity, v.text, c) for v, c in zip(values, contexts(values), strict=True)]
    return [[(unit.family, unit.norm) for unit in one] for one in found]


def compact(text: str) -> str:
    return re.sub(r"[\W_]", "", text).upper()


@pytest.mark.parametrize(
    "record",
    [
        [("OTHER_ID", "359812197514115"), ("OTHER_ID", "4115")],
        [("OTHER_ID", "s2201847"), ("OTHER_ID", "847"), ("OTHER_ID", "s2203310"), ("OTHER_ID", "310")],
        [("BANK_ACCOUNT", "0070148434688717017488"), ("BANK_ACCOUNT", "7488")],
        [("IBAN_CODE", "FR05 1751 5321 6928 4196 131T 081"), ("IBAN_CODE", "T081"), ("OTHER_ID", "131T081")],
        [("IBAN_CODE", "DE08 8605 5592 2019 9455 25"), ("BANK_ACCOUNT", "2019945525"), ("BANK_ACCOUNT", "5525")],
        [("CREDIT_CARD", "3749 383586 31348"), ("CREDIT_CARD", "31348"), ("CREDIT_CARD", "1348")],
        [("CREDIT_CARD", "5500 0055 5555 5559"), ("BANK_ACCOUNT", "5559")],
        [("NATIONAL_ID", "163-48-6883"), ("NATIONAL_ID", "6883"), ("OTHER_ID", "XXX-XX-6883")],
        [("PHONE_NUMBER", "+1 (617) 555-0144"), ("PHONE_NUMBER", "555-0144"), ("OTHER_ID", "0144")],
        [("PHONE_NUMBER", "+54 9 11 5555-0123"), ("PHONE_NUMBER", "5555-0123")],
        [("OTHER_ID", "dos cero nueve tres uno cinco"), ("OTHER_ID", "315")],
        [("OTHER_ID", "20931577"), ("OTHER_ID", "cinco siete siete")],
        [("MEDICAL_ID", "KV: M 482 910 337"), ("MEDICAL_ID", "M482910337"), ("MEDICAL_ID", "M 482 91O 337")],
        [("PHONE_NUMBER", "+7 912 555-01-43"), ("PHONE_NUMBER", "89125550143")],
    ],
)  # fmt: skip
def test_a_short_form_is_the_end_of_the_whole_surrogate(record: Record) -> None:
    found = units_of(record)
    assert set(found[1]) <= set(found[0])
    assert units_of(replaced(record)) == [
        [(u.family, LOOKUP(u)) for u in one]
        for one in (
            units(v.entity, v.text, c)
            for v, c in zip(
                [Value(*pair) for pair in record],
                contexts([Value(*pair) for pair in record]),
                strict=True,
            )
        )
    ]


def test_ends_are_written_as_ends() -> None:
    (_, iban), (_, last), (_, card), (_, five) = replaced(
        [("IBAN_CODE", "FR05 1751 5321 6928 4196 131T 081"), ("IBAN_CODE", "T081"),
         ("CREDIT_CARD", "3749 383586 31348"), ("CREDIT_CARD", "31348")]
    )  # fmt: skip
    assert compact(iban).endswith(last)
    assert compact(card).endswith(five)


def test_beginnings_masks_and_misread_forms() -> None:
    made = replaced(
        [("NATIONAL_ID", "2 55 12 69 383 455 79"), ("NATIONAL_ID", "2 55 12"),
         ("CREDIT_CARD", "5500 0055 5555 5559"), ("CREDIT_CARD", "5500 **** **** 5559"),
         ("MEDICAL_ID", "T194404572"), ("MEDICAL_ID", "T l94 4O4 572"),
         ("NATIONAL_ID", "12345678-Z"), ("NATIONAL_ID", "12345678")]
    )  # fmt: skip
    texts = [text for _, text in made]
    assert compact(texts[0]).startswith(compact(texts[1]))
    assert re.fullmatch(r"\d{4} \*{4} \*{4} \d{4}", texts[3])
    assert texts[2].startswith(texts[3][:4])
    assert texts[2].endswith(texts[3][-4:])
    assert compact(texts[4]) == compact(texts[5])
    assert texts[6].startswith(texts[7])


@pytest.mark.parametrize(
    "record",
    [
        [("OTHER_ID", "20931847"), ("OTHER_ID", "55102847"), ("OTHER_ID", "847")],  # of two
        [("OTHER_ID", "20931847"), ("OTHER_ID", "47")],  # too short
        [("DATE_OF_BIRTH", "1985-03-04"), ("OTHER_ID", "304")],  # of no code
    ],
)
def test_what_is_not_clear_stands_for_itself(record: Record) -> None:
    assert stands_for([Value(*pair) for pair in record])[-1] == ""


@given(code=st.from_regex(r"[A-Z]?[1-9][0-9]{8,18}", fullmatch=True), size=st.integers(3, 8))
@settings(max_examples=100, deadline=None)
def test_every_end_agrees(code: str, size: int) -> None:
    (_, whole), (_, end) = replaced([("OTHER_ID", code), ("BANK_ACCOUNT", code[-size:])])
    assert whole.endswith(end)
    assert len(end) == size


@given(
    plan=st.sampled_from((("44", "0", 10), ("49", "0", 10), ("33", "0", 9), ("34", "", 9),
                          ("31", "0", 9), ("48", "", 9), ("351", "", 9), ("32", "0", 9), ("54", "0", 10), ("52", "", 10))),
    digits=st.from_regex(r"[2-7][0-9]{9}", fullmatch=True),
    groups=st.lists(st.sampled_from(("", " ", "-", ".", "/", "\u00a0")), min_size=1, max_size=4),
)  # fmt: skip
@settings(max_examples=150, deadline=None)
def test_every_form_of_a_telephone_number_agrees_in_its_record(
    plan: tuple[str, str, int], digits: str, groups: list[str]
) -> None:
    code, zero, size = plan
    national = digits[:size]
    spread = "".join(d + g for d, g in zip(national, groups * size, strict=False)).strip(
        " -./\u00a0"
    )
    record = [("PHONE_NUMBER", f"+{code} {national}"), ("PHONE_NUMBER", zero + national), ("PHONE_NUMBER", zero + spread),
              ("PHONE_NUMBER", f"00{code}{spread}"), ("PHONE_NUMBER", f"(+{code}) ({zero}){spread}"),
              ("PHONE_NUMBER", " ".join(zero + national))]  # fmt: skip
    record = [(entity, text.replace("()", "")) for entity, text in record]
    assert len({tuple(one) for one in units_of(record)}) == 1
    made = {re.sub(r"\D", "", text)[-size:] for _, text in replaced(record)}
    assert len(made) == 1
