"""What a key says of the name below it."""

import json
from collections.abc import Sequence

import pytest

from scrubbers.detect import Detector
from scrubbers.finding import Finding
from scrubbers.jsontext import leaves
from scrubbers.labels import is_organisation, is_place
from scrubbers.passage import Passage
from scrubbers.record_scan import scan_records


@pytest.mark.parametrize(
    ("label", "text", "value"),
    [
        ("city", "Reyes", "Reyes"),
        ("billingCity", "San Ortiz", "San Ortiz"),
        ("city_name", "Reyes", "Reyes"),
        ("Wohnort", "Bad Ortiz", "Ortiz"),
        ("municipio", "Ortiz de la Reyes", "Reyes"),
        ("woonplaats", "reyes", "reyes"),
        ("state", "Reyes, Ortiz (RO)", "Ortiz"),
    ],
)
def test_the_key_of_a_place(label: str, text: str, value: str) -> None:
    start = text.index(value)
    assert is_place(text, start, start + len(value), label)


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("state", "waiting for Ana Reyes"),
        ("location", "Reyes's house"),
        ("place", "Ana Reyes said on the phone that she moved to Ortiz"),
        ("capacity", "Reyes"),
        ("name", "Reyes"),
        ("city_manager", "Reyes"),
        ("", "Reyes"),
    ],
)
def test_a_person_stays_one(label: str, text: str) -> None:
    start = text.index("Reyes")
    assert not is_place(text, start, start + len("Reyes"), label)


def test_the_key_of_a_company() -> None:
    assert is_organisation("Reyes", 0, 5, "vendorName") is False
    assert is_organisation("Reyes", 0, 5, "companyName")
    assert is_organisation("Reyes & Söhne GmbH", 0, 5, "") is False
    assert is_organisation("Reyes GmbH", 0, 5, "")


def test_a_name_confirmed_elsewhere_is_a_place_below_a_place_s_key() -> None:
    def notes_alone(passages: Sequence[Passage]) -> list[list[Finding]]:
        found = Finding(0, len("Okonkwo"), "PERSON", 0.9, "made-up")
        return [[found] if passage.label == "note" else [] for passage in passages]

    text = json.dumps({"note": "Okonkwo called", "city": "Okonkwo", "user": "Okonkwo"})
    result = scan_records([leaves(text)], Detector(notes_alone), ("en",))[0]
    named = {result.leaves[index].label: found.type for index, found in result.findings}
    assert named == {"note": "PERSON", "city": "LOCATION", "user": "PERSON"}
