"""What a key says of the whole value under it. All values are made up or published for tests."""

import pytest

from scrubbers.passage import Passage
from scrubbers.rules.cues import before
from scrubbers.rules.labelled import whole_values

NONE = [
    ("text", "2024-12-28"),
    ("text", "12345678 + 1 = 12345679"),
    ("content", "4111111111111111"),
    ("call_id", "2125550142"),
    ("sms", "2125550142"),
    ("phone", "2024-12-28"),
    ("phone", "12500.00"),
    ("phone", "1.250.000"),
    ("phone", "10.31.70.205"),
    ("phone", "call 2125550142 or 2125550143"),
    ("account", "total 1250.00"),
    ("account", "1250.00"),
    ("patient", "total 1250.00"),
    ("pass", "total 1250.00"),
    ("street", "May 2025, 3 units, 1,250.00"),
    ("address", "3 units"),
    ("address", "in 2 weeks"),
    ("plate", "2024-12-28 to"),
    ("login", "delayed"),
    ("handle", "pending"),
    ("pass", "delayed"),
    ("pass", "12"),
    ("dob", "19853104"),
]
SOME = [
    ("phone", "(212) 555-0142", "PHONE_NUMBER"),
    ("phone", "+44 20 7946 0958 ext 12", "PHONE_NUMBER"),
    ("tel", "600.123.456", "PHONE_NUMBER"),
    ("phone", "Tel: 600 123 456 (casa)", "PHONE_NUMBER"),
    ("account", "20-00-00 55779911", "BANK_ACCOUNT"),
    ("street", "12 Mill Lane", "ADDRESS"),
    ("address", "Hauptstraße 5b, 02826 Görlitz", "ADDRESS"),
    ("address", "Calle Mayor 5,2º", "ADDRESS"),
    ("plate", "AB12 CDE", "LICENCE_PLATE"),
    ("login", "areyes", "USERNAME"),
    ("pass", "hunter22", "PASSWORD"),
    ("password", "hunter", "PASSWORD"),
    ("user", "Ana Reyes", "PERSON"),
    ("dob", "19850304", "DATE_OF_BIRTH"),
    ("birthDate", "03251985", "DATE_OF_BIRTH"),
    ("geburtsdatum", "25031985", "DATE_OF_BIRTH"),
]


@pytest.mark.parametrize(("label", "value"), NONE)
def test_a_label_takes_nothing_without_the_full_form(label: str, value: str) -> None:
    assert list(whole_values(Passage(value, "en", label))) == []


@pytest.mark.parametrize(("label", "value", "kind"), SOME)
def test_a_label_takes_the_whole_value_in_full_form(label: str, value: str, kind: str) -> None:
    found = [(f.type, value[f.start : f.end]) for f in whole_values(Passage(value, "en", label))]
    assert found == [(kind, value)]


def test_a_key_in_quotes_is_no_call() -> None:
    quoted, said = '{"type": "text", "text": "', "please text "
    assert before(quoted, len(quoted)) is None
    assert before(said, len(said)) is not None
