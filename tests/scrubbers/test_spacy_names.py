from __future__ import annotations

from scrubbers import spacy_names
from scrubbers.passage import Passage
from tests.scrubbers.models_at_hand import need


def people(text: str) -> list[str]:
    hits = spacy_names.evidence([Passage(text, "en")])[0]
    return [text[h.start : h.end] for h in hits if h.group == "PERSON"]


def test_names_places_and_organisations_get_our_types() -> None:
    need("en-md")
    text = "Margaret Okonkwo moved from Lisbon to Berlin on 3 May 2021."
    groups = {h.group for h in spacy_names.evidence([Passage(text, "en")])[0]}
    assert {"PERSON", "LOCATION", "DATE_TIME"} <= groups


def test_a_million_characters_and_one_are_read() -> None:
    need("en-md")
    text = "-" * 1_000_000 + " Margaret Okonkwo called."
    assert people(text) == ["Margaret Okonkwo"]


def test_neighbours_change_nothing() -> None:
    need("en-md")
    passages = [Passage(t, "en") for t in ("Ana Reyes called Tom.", "", "Meet Wei Zhang at 5.")]
    alone = [spacy_names.evidence([passage])[0] for passage in passages]
    assert spacy_names.evidence(passages) == alone
