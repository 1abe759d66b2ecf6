"""The decision between the models, on made-up evidence."""

from __future__ import annotations

import re

import pytest

from scrubbers import name_guards, names, onnx_names, spacy_names
from scrubbers.evidence import Hit
from scrubbers.finding import Finding
from scrubbers.passage import Passage


def decide(
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    onnx: dict[str, float] | None = None,
    spacy: tuple[str, ...] = (),
    language: str = "en",
    group: str = "PERSON",
) -> list[str]:
    """What is found in `text`: the onnx probability of words, the spans spaCy calls PERSON."""
    by_onnx = [
        Hit(m.start(), m.end(), group, (onnx or {})[m.group()])
        for m in name_guards.WORD.finditer(text)
        if m.group() in (onnx or {})
    ]
    by_spacy = [
        Hit(m.start(), m.end(), "PERSON", 0.85)
        for s in spacy
        for m in re.finditer(re.escape(s), text)
    ]
    monkeypatch.setattr(onnx_names, "evidence", lambda _: [by_onnx])
    monkeypatch.setattr(spacy_names, "evidence", lambda _: [by_spacy])
    monkeypatch.setattr(spacy_names, "native", lambda language: language == "en")
    wanted = [name for name, used in (("onnx", onnx is not None), ("spacy", bool(spacy))) if used]
    found: list[Finding] = names.build(wanted)([Passage(text, language)])[0]
    return [text[f.start : f.end] for f in found if f.type in ("PERSON", "ADDRESS")]


@pytest.mark.parametrize(
    ("text", "onnx", "spacy", "expected"),
    [
        ("I met Ana Reyes today", {"Ana": 0.99, "Reyes": 0.4}, (), ["Ana Reyes"]),
        (
            "I met Ines da Costa today",
            {"Ines": 0.9, "da": 0.9, "Costa": 0.9},
            (),
            ["Ines da Costa"],
        ),
        ("I met Ines da Costa today", {"Ines": 0.9, "Costa": 0.9}, (), ["Ines da Costa"]),
        ("call Mr. Baker now", {"Mr": 0.6, "Baker": 0.9}, (), ["Baker"]),
        ("call Baker's office", {"Baker's": 0.9}, (), ["Baker"]),
        ("J. R. Okonkwo wrote", {"J": 0.3, "R": 0.3, "Okonkwo": 0.9}, (), ["J. R. Okonkwo"]),
        ("so Reyes said", {"Reyes": 0.1}, ("Reyes",), ["Reyes"]),
        ("so Reyes said", {"Reyes": 0.1}, (), []),
        ("please send JSON now", {"JSON": 0.9}, ("JSON",), []),
        ("Extract the total", {"Extract": 0.4}, ("Extract",), []),
        ("Hello {{Name}} and <Customer>", {"Name": 0.9, "Customer": 0.9}, (), []),
        ("call getUser or user_ana", {"getUser": 0.9, "user_ana": 0.9}, (), []),
        ("in May we met May", {"May": 0.5}, (), []),
        ("for Ana. Reyes came", {"Ana": 0.9, "Reyes": 0.9}, (), ["Ana", "Reyes"]),
        ("Ana Reyes\nOmar", {"Ana": 0.9, "Reyes": 0.9, "Omar": 0.9}, (), ["Ana Reyes", "Omar"]),
        ("the loyal friend of Trina", {"loyal": 0.95, "Trina": 0.9}, (), ["Trina"]),
        ("i am ana reyes", {"ana": 0.9, "reyes": 0.6}, (), ["ana reyes"]),
        ("the EUR rate for Ana", {"EUR": 0.8, "Ana": 0.9}, (), ["Ana"]),
        ('{"Ana": 1}', {"Ana": 0.9}, (), []),
        ("mail ana@acme.example", {"ana": 0.99}, (), []),
    ],
)
def test_who_is_a_person(
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    onnx: dict[str, float],
    spacy: tuple[str, ...],
    expected: list[str],
) -> None:
    assert decide(monkeypatch, text, onnx, spacy) == expected


def test_greetings_are_not_names(monkeypatch: pytest.MonkeyPatch) -> None:
    onnx = {"Gruß": 0.9, "Kerstin": 0.9, "Herr": 0.9}
    assert decide(monkeypatch, "Gruß Kerstin, Herr Doktor", onnx, language="de") == ["Kerstin"]


def test_two_people_are_two_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    found = decide(monkeypatch, "for Ana, Omar and Eva", {"Ana": 0.9, "Omar": 0.9, "Eva": 0.9})
    assert found == ["Ana", "Omar", "Eva"]


def test_spacy_alone_acts_only_in_its_own_language(monkeypatch: pytest.MonkeyPatch) -> None:
    assert decide(monkeypatch, "so Reyes said", None, ("Reyes",)) == ["Reyes"]
    assert decide(monkeypatch, "so Reyes said", None, ("Reyes",), "de") == []


@pytest.mark.parametrize(
    ("text", "onnx", "expected"),
    [
        ("at 12 Mill Lane, Ely", {"12": 0.9, "Mill": 0.9, "Lane": 0.9}, ["12 Mill Lane"]),
        ("the number 12 is even", {"12": 0.9}, []),
        ("counter 884213 then 884214", {"884213": 0.9, "884214": 0.9}, []),
        ("step H1, part B43", {"step": 0.9, "H1": 0.9, "part": 0.9, "B43": 0.9}, []),
        ("UNITS 101-105", {"UNITS": 0.9, "101-105": 0.9}, []),
        ("at Mill Lane | 62704", {"Mill": 0.9, "Lane": 0.9, "62704": 0.9}, ["Mill Lane", "62704"]),
        ("he paid the price", {"price": 0.9}, []),
    ],
)
def test_addresses_need_a_street(
    monkeypatch: pytest.MonkeyPatch, text: str, onnx: dict[str, float], expected: list[str]
) -> None:
    assert decide(monkeypatch, text, onnx, group="ADDRESS") == expected
