"""A code and its reformattings are one value, whatever signs, scripts and escapes it is written in."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubbers.surrogates.normal import units
from tests.scrubbers.surrogates.lookup import looked_up, read_back, surrogate

SEPARATORS = ("", "", " ", "-", ".", "/", "\u00a0", "\u202f", "\u200b", "\u2060", " - ", "\u2013")
WIDE = {
    ord(c): ord(c) + 0xFEE0
    for c in "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
}
ARABIC = {ord("0") + n: 0x660 + n for n in range(10)}
CODES = {
    "IBAN_CODE": r"(DE|ES|PL)[0-9]{20}|GB[0-9]{2}[A-Z]{4}[0-9]{14}|FR[0-9]{12}[A-Z0-9]{11}[0-9]{2}",
    "CREDIT_CARD": r"[345][0-9]{14,15}",
    "BANK_ACCOUNT": r"[1-9][0-9]{7,17}",
    "NATIONAL_ID": r"[0-9]{8}[A-Z]|[XYZ][0-9]{7}[A-Z]|[1-9][0-9]{10}|[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]",
    "PASSPORT": r"[A-Z]{2}[0-9]{7}|[A-Z][0-9]{8}",
    "LICENCE_PLATE": r"[A-Z]{2}[0-9]{3}[A-Z]{2}|[0-9]{4}[B-Z]{3}",
    "MEDICAL_ID": r"[1-9][0-9]{9}|[A-Z][0-9]{9}",
    "OTHER_ID": r"[1-9][0-9]{6,14}|[A-Z][0-9]{7}|[A-Z0-9]{6}",
}  # fmt: skip
WAYS = ("plain", "upper", "lower", "wide", "arabic", "percent", "html")


def written(code: str, gaps: list[str], way: str) -> str:
    """The code with separators, in one of the ways to write it."""
    text = "".join(char + gap for char, gap in zip(code, [*gaps, ""] * len(code), strict=False))
    text = text.strip(" -./\u00a0\u202f\u200b\u2060\u2013")
    if way == "percent":
        return re.sub(r"[ /\u00a0]", lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), text)
    if way == "html":
        return text.replace("\u00a0", "&nbsp;").replace("-", "&#45;").replace(" ", "&#x20;")
    return {"upper": text.upper(), "lower": text.lower(), "wide": text.translate(WIDE),
            "arabic": text.translate(ARABIC)}.get(way, text)  # fmt: skip


@pytest.mark.parametrize("entity", CODES)
@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_reformattings_share_their_units_and_keep_their_look(
    entity: str, data: st.DataObject
) -> None:
    code = data.draw(st.from_regex(CODES[entity], fullmatch=True))
    gaps = data.draw(st.lists(st.sampled_from(SEPARATORS), min_size=1, max_size=6))
    text = written(code, gaps, data.draw(st.sampled_from(WAYS)))
    assert units(entity, text) == units(entity, code)
    made = surrogate(entity, text)
    assert re.sub(r"\w", "", made) == re.sub(r"\w", "", text)
    assert len(made) == len(text)
    assert read_back(entity, made) == looked_up(entity, code)


@pytest.mark.parametrize("entity", CODES)
@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_different_codes_stay_different(entity: str, data: st.DataObject) -> None:
    one, other = (data.draw(st.from_regex(CODES[entity], fullmatch=True)) for _ in range(2))
    same = one == other
    if entity in ("CREDIT_CARD", "IBAN_CODE"):  # one digit of cards and two of IBANs check the rest
        cut = -5 if entity == "CREDIT_CARD" else None
        same = (one[:cut], one[-4:]) == (other[:cut], other[-4:])
        same = same if cut else one[:2] + one[4:] == other[:2] + other[4:]
    assert (units(entity, one) == units(entity, other)) == same


@pytest.mark.parametrize(
    ("entity", "forms"),
    [
        ("OTHER_ID", ["INV-20931", "INV 20931", "INV20931", "INV No. 20931", "IN\u200bV-20931", "20931"]),
        ("OTHER_ID", ["LMB-D-2969412", "LMBD2969412", "LMB/D 2969412", "2969412"]),
        ("IBAN_CODE", ["DE89 3704 0044 0532 0130 00", "IBAN: DE89370400440532013000", "DE89 37O4 OO44 O532 O13O OO"]),
        ("CREDIT_CARD", ["5500 0055 5555 5559", "55OO OO55 5555 5559", "5500|0055|5555|5559", "Visa 5500005555555559"]),
        ("CREDIT_CARD", ["5559", "**** 5559", "xxxx-xxxx-xxxx-5559", "ending in 5559", "\u2026 5559"]),
        ("PHONE_NUMBER", ["+1 604 555 0188", "+1 6O4-555-O188", "+1 604 555 ol88"]),
        ("NATIONAL_ID", ["6789", "XXX-XX-6789", "***-**-6789"]),
    ],
)  # fmt: skip
def test_labels_masks_and_letters_for_digits(entity: str, forms: list[str]) -> None:
    assert len({tuple(units(entity, form)) for form in forms}) == 1
    for form in forms:
        assert read_back(entity, surrogate(entity, form)) == looked_up(entity, form)


def test_a_number_in_a_mailbox_or_path_is_the_id() -> None:
    new = surrogate("OTHER_ID", "20931")
    assert new in surrogate("EMAIL_ADDRESS", "cust-20931@posta.example")
    assert surrogate("URL", "https://posta.example/orders/20931").endswith(f"/orders/{new}")
    assert surrogate("URL", "https://posta.example/t/INV-20931").endswith(f"/t/INV-{new}")
    student = surrogate("OTHER_ID", "s2201934")
    assert surrogate("USERNAME", "@s2201934") == f"@{student}"
    assert surrogate("USERNAME", "CAMPUS\\s2201934").endswith(f"\\{student}")
    assert surrogate("EMAIL_ADDRESS", "S2201934@posta.example").startswith(student.upper() + "@")


def test_a_name_before_a_number_does_not_stay() -> None:
    assert "ana" not in surrogate("URL", "https://posta.example/users/ana1985")
    assert "ana" not in surrogate("EMAIL_ADDRESS", "ana19850@posta.example")
