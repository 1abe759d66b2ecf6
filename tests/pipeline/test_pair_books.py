"""Pairs over a whole run: kept without a value, holding after replacement, broken by a change."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.pair_books import broken_pairs, pair_rows
from pipeline.places import place_of
from pipeline.replace import Located, Surrogates, replace
from pipeline.violations import Tally
from scrubbers.finding import Finding
from scrubbers.jsontext import leaves
from tests.conftest import write_rows
from tests.pipeline.rows import IDENTIFIERS, WORD, chat, plain
from tests.pipeline.runs import configure, prep, rows
from validators.pairs import judged, pairs

# Forms of one value, of each type; the first one is a user's, any of them an answer's.
FORMS: dict[str, list[list[str]]] = {
    "PERSON": [
        ["Ottilie Zqberg", "ZQBERG, Ottilie", "Zqberg", "OTTILIE ZQBERG", "Ottilie"],
        ["José García Vqdal", "GARCÍA VQDAL, JOSÉ", "Jose Garcia Vqdal", "José"],
        ["Jürgen Krüger", "Juergen Krueger", "Krüger", "Krüger, Jürgen"],
        ["Анна Зкберг", "ЗКБЕРГ Анна", "Анна"],
    ],
    "PHONE_NUMBER": [
        ["07700 900 123", "+447700900123", "+44 (0)7700 900123", "07700900123"],
        ["+33 6 39 98 01 23", "0639980123", "0033639980123", "06.39.98.01.23"],
        ["0 2 3 5 5 5 0 1 0 4", "0235550104"],
    ],
    "IBAN_CODE": [["DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "de89 3704 0044 0532 0130 00"]],
    "CREDIT_CARD": [["4111 1111 1111 1111", "4111111111111111", "4111-1111-1111-1111"]],
    "DATE_OF_BIRTH": [
        ["4 March 1985", "1985-03-04", "04/03/1985", "4. März 1985", "4 mars 1985"],
        ["22/JUN/2014", "2014-06-22", "22.06.2014", "22 de junio de 2014"],
    ],
    "EMAIL_ADDRESS": [["Otti.Zqberg@Mail.Example", "otti.zqberg@mail.example"]],
    "OTHER_ID": [["INV-20931", "INV 20931", "inv-20931"], ["A0A28F1E-F424", "a0a28f1e-f424"]],
    "MEDICAL_ID": [["77 l403-X", "77 L403-X"]],
}  # fmt: skip
WORDS = ("", "Hi, I am ", "Guten Tag: ", "c'est ", "número ", "我叫")


def talk(user: str, answer: dict[str, Any]) -> str:
    said = [{"role": "user", "content": user}, {"role": "assistant", "content": json.dumps(answer)}]
    return json.dumps({"messages": said})


@st.composite
def agreeing(draw: st.DrawFn) -> tuple[str, list[Located]]:
    """A record in which an answer says a user's value in another form, and both findings."""
    kind = draw(st.sampled_from(sorted(FORMS)))
    forms = draw(st.sampled_from(FORMS[kind]))
    said, answered = forms[0], draw(st.sampled_from(forms))
    before = draw(st.sampled_from(WORDS))
    text = talk(before + said + ".", {"n": 1, "it": answered})
    found: list[Located] = []
    for number, leaf in enumerate(leaves(text)):
        for value, shown in ((before + said + ".", said), (answered, answered)):
            if leaf.text == value and not any(number == other for other, _ in found):
                start = value.index(shown)
                found.append((number, Finding(start, start + len(shown), kind, 1.0, "given")))
    assert len(found) == 2
    return text, found


def marks_of(found: list[Located]) -> dict[int, list[tuple[int, int, str]]]:
    return {number: [(one.start, one.end, one.type)] for number, one in found}


@settings(deadline=None)
@given(agreeing(), st.binary(min_size=32, max_size=32))
def test_pairs_hold_after_replacement_and_break_where_one_side_is_left(
    record: tuple[str, list[Located]], key: bytes
) -> None:
    text, found = record
    old = leaves(text)
    (pair,) = pairs(old, marks_of(found))
    both = replace(text, old, found, Surrogates(key, {}))
    assert judged([pair], both.leaves) == [True]
    assert both.leaves[pair.inner].text != old[pair.inner].text
    for one in found:
        half = replace(text, old, [one], Surrogates(key, {}))
        assert judged([pair], half.leaves) == [False]


def test_a_row_says_places_and_kind_and_whether_the_value_is_a_surrogate() -> None:
    text = talk(
        "I am Ottilie Zqberg, 12345678-B", {"a": {"name": "ottilie zqberg"}, "c": "12345678-B"}
    )
    old = leaves(text)
    number = next(n for n, leaf in enumerate(old) if leaf.text == "ottilie zqberg")
    rows_ = list(pair_rows(old, old, [(number, Finding(0, 14, "PERSON", 1.0, "x"))], place_of))
    assert [(r["path"], r["inner"], r["earlier"], r["kind"], r["replaced"]) for r in rows_] == [
        ("messages[1].content", "$.a.name", {"path": "messages[0].content"}, "case", True),
        ("messages[1].content", "$.c", {"path": "messages[0].content"}, "exact", False),
    ]
    assert [old[n].text for n in rows_[0]["leaves"]] == ["ottilie zqberg", old[4].text]


@pytest.fixture
def ran(work: Path) -> Path:
    write_rows(work / "rows.jsonl", [*(chat(n) for n in range(1, 6)), plain(7)])
    configure(["rows.jsonl"], gates={"volume": "off"})
    assert prep() == 0
    return work / "out"


def test_a_run_keeps_its_pairs_and_no_value_of_them(ran: Path) -> None:
    kept = rows("pairs.jsonl")
    assert {(r["inner"], r["kind"], r["replaced"]) for r in kept} >= {
        ("$.email", "exact", True), ("$.iban", "spacing", True),
    }  # fmt: skip
    assert {(r["split"], r["record"]) for r in kept} <= {
        (r["split"], r["record"]) for r in rows("lineage.jsonl")
    }
    text = (ran / "keep" / "pairs.jsonl").read_text()
    assert not any(value in text for value in (*IDENTIFIERS, WORD))
    tally = Tally()
    assert list(broken_pairs(ran, tally)) == []
    assert tally.judged["pair-broken"] == len(kept)


def changed(ran: Path, old: str, new: str) -> None:
    for file in (ran / "ship").glob("*.jsonl"):
        file.write_text(re.sub(old, new, file.read_text()))


def test_a_pair_that_no_longer_agrees_is_named_with_its_record(ran: Path) -> None:
    changed(ran, r"IBAN [A-Z]{2}(\d)", r"IBAN XX\1")
    found = list(broken_pairs(ran, Tally()))
    assert {name for name, _, _ in found} == {"pair-broken"}
    assert [place["inner"] for _, _, place in found] == ["$.iban"] * 5
    sources = {(r["split"], r["record"]): r["source"] for r in rows("lineage.jsonl")}
    assert all(sources[p["split"], p["record"]] == p["source"] for _, _, p in found)


def test_rows_that_fit_no_record_are_broken_pairs(ran: Path) -> None:
    file = ran / "keep" / "pairs.jsonl"
    head, first, *rest = file.read_text().splitlines()
    odd = json.loads(first) | {"leaves": [10_000, 1]}
    gone = json.loads(rest[-1]) | {"record": 99}
    file.write_text("\n".join([head, json.dumps(odd), *rest, json.dumps(gone)]) + "\n")
    found = [(place["record"], place.get("inner")) for _, _, place in broken_pairs(ran, Tally())]
    assert found == [(odd["record"], odd["inner"]), (99, None)]
