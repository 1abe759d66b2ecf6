"""Invariants 3 and 4 over generated records: only findings change, and they agree."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from pipeline import cli
from tests.conftest import privatune, read_rows, write_rows
from tests.pipeline.runs import configure, own_folder, prep, report, rows, shipped, texts

MAILS = ("anna.zqberg@mail.example", "jo@zq-works.example", "anna.zqberg@zq-works.example")
IBANS = ("DE89 3704 0044 0532 0130 00", "DE89370400440532013000", "GB82 WEST 1234 5698 7654 32")
CARDS = ("4111 1111 1111 1111", "4111-1111-1111-1111", "5555555555554444")
PHONES = ("+44 7700 900123", "+44 7700 900456", "+44 (0)7700 900123")
VALUES = (*MAILS, *IBANS, *CARDS, *PHONES)
# As they stand in the file: escapes of every kind, two alphabets, an emoji as a pair.
WORDS = (
    "the meter hums", "caf\\u00e9", "Gr\u00fc\u00dfe", "a\\/b", "\\ud83d\\ude00", "\U0001f600", "\\n", "\\t",
    '\\"so\\"', "50 %", "\\\\", "\\u2028", "\u2028", "v2.10", "{x}", "[3]", "\\u000A",
)  # fmt: skip
NUMBERS = ("123456789012345678901234567890", "-0", "1E+2", "0.10", "3", "1e-7", "true", "null")


@dataclass(frozen=True)
class Piece:
    """A part of a record as it stands in the file; `value`: it is an identifier.

    `depth`: how many JSON strings it stands in.
    """

    raw: str
    value: str = ""
    depth: int = 1


def literal(text: str) -> list[Piece]:
    return [Piece(text)]


INSIDE = str.maketrans({"\\": "\\\\", '"': '\\"', "\t": "\\t"})


def wrap(pieces: list[Piece]) -> list[Piece]:
    """The pieces as they stand inside one more JSON string."""
    return [replace(p, raw=p.raw.translate(INSIDE), depth=p.depth + 1) for p in pieces]


def planted(value: str, escape: str) -> Piece:
    """An identifier, plain or with some or all of its characters as escapes."""
    raw = {
        "plain": value,
        "some": "".join(f"\\u{ord(c):04x}" if i % 3 == 1 else c for i, c in enumerate(value)),
        "all": "".join(f"\\u{ord(c):04X}" for c in value),
    }[escape]
    return Piece(raw, value)


WORD = st.sampled_from(WORDS).map(Piece)
PLANTED = st.builds(planted, st.sampled_from(VALUES), st.sampled_from(("plain", "some", "all")))


@st.composite
def prose(draw: st.DrawFn) -> list[Piece]:
    """Words and identifiers, apart by a space or a line break."""
    found: list[Piece] = []
    for piece in draw(st.lists(st.one_of(WORD, PLANTED), min_size=1, max_size=5)):
        found += [piece, Piece(draw(st.sampled_from((" and ", "; the ", " \\n "))))]
    return found


SPACE = st.sampled_from(("", " ", "  ", "\t"))


@st.composite
def member(draw: st.DrawFn, key: str, value: list[Piece]) -> list[Piece]:
    space, more = draw(SPACE), draw(SPACE)
    return [Piece(f'{space}"{key}"{more}:{draw(SPACE)}'), *value, Piece(draw(SPACE))]


def joined(members: list[list[Piece]]) -> list[Piece]:
    found = [Piece("{")]
    for index, one in enumerate(members):
        found += [*([Piece(",")] if index else []), *one]
    return [*found, Piece("}")]


def quoted(pieces: list[Piece]) -> list[Piece]:
    return [Piece('"'), *pieces, Piece('"')]


@st.composite
def fields(draw: st.DrawFn) -> list[Piece]:
    """An answer object: texts, numbers, and numbers that are cards."""
    members = []
    for index in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(("text", "number", "card", "phone", "key")))
        if kind == "text":
            members.append(draw(member(f"note{index}", quoted(draw(prose())))))
        elif kind == "number":
            members.append(draw(member(f"amount{index}", literal(draw(st.sampled_from(NUMBERS))))))
        elif kind == "key":
            key = planted(draw(st.sampled_from(MAILS)), "plain")
            owner = [*quoted([key]), Piece(draw(SPACE) + ": "), *quoted(draw(prose()))]
            members.append(draw(member(f"owner{index}", joined([owner]))))
        else:
            number = {"card": CARDS[0], "phone": PHONES[0]}[kind]
            digits = Piece(re.sub(r"\D", "", number), number, depth=0)
            members.append(draw(member(kind, [digits])))
    return joined(members)


@st.composite
def record(draw: st.DrawFn) -> list[Piece]:
    """A chat whose answer is text or JSON in a string, once or twice encoded."""
    answer = draw(fields())
    for _ in range(draw(st.integers(0, 1))):
        answer = quoted(wrap(answer))
    contents = [draw(prose()), draw(st.one_of(prose(), st.just(wrap(answer))))]
    turns = []
    for role, content in zip(("user", "assistant"), contents, strict=True):
        parts = [
            draw(member("role", literal(f'"{role}"'))),
            draw(member("content", quoted(content))),
        ]
        turns.append(joined(parts))
    messages = [Piece("["), *turns[0], Piece(","), *turns[1], Piece("]")]
    more = draw(st.sampled_from(NUMBERS))
    return joined([draw(member("id", literal(more))), draw(member("messages", messages))])


def unquoted(text: str, depth: int) -> str:
    for _ in range(depth):
        text = json.loads(f'"{text}"')
    return text


def norm(text: str) -> str:
    """The value without separators, trunk zero, plus sign and case."""
    return re.sub(r"\(0\)|[\s()+.-]", "", text).casefold()


def kind(value: str) -> str:
    names = {"mail": MAILS, "iban": IBANS, "card": CARDS, "phone": PHONES}
    return next(name for name, values in names.items() if value in values)


# Each example is a whole run: a failing one is shown as it was found, without minutes of shrinking.
@settings(
    max_examples=40, deadline=None, suppress_health_check=list(HealthCheck),
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
)  # fmt: skip
@given(
    records=st.lists(record(), min_size=1, max_size=4),
    end=st.sampled_from(("\n", "\r\n")),
)
def test_only_findings_change_and_they_agree(records: list[list[Piece]], end: str) -> None:
    with own_folder() as work:
        source = "".join("".join(p.raw for p in pieces) + end for pieces in records)
        (work / "rows.jsonl").write_bytes(source.encode())
        configure(["rows.jsonl"])
        assert prep() == 0, (source, report("out.refused")["reasons"])
        written = shipped()
        assert len(written) == len(records), (source, rows("quarantine.jsonl"))
        surrogates: dict[tuple[str, str], set[str]] = defaultdict(set)
        for number, pieces in enumerate(records, 1):
            new = written["rows.jsonl", number]
            assert new.endswith(end) == (end == "\r\n" or not new.endswith("\r\n"))
            pattern = "".join("(.+?)" if p.value else re.escape(p.raw) for p in pieces)
            match = re.fullmatch(pattern + re.escape(end), new, re.DOTALL)
            assert match, f"a byte outside the findings changed: {source!r} {new!r}"
            holes = [p for p in pieces if p.value]
            for piece, raw in zip(holes, match.groups(), strict=True):
                text = unquoted(raw, piece.depth)
                surrogates[kind(piece.value), norm(piece.value)].add(norm(text))
                if piece.depth == 0:
                    assert re.fullmatch(r"[1-9][0-9]{11}([0-9]{4})?", raw)
        assert {key: found for key, found in surrogates.items() if len(found) > 1} == {}, source
        firsts = [(key[0], next(iter(found))) for key, found in surrogates.items()]
        assert len(set(firsts)) == len(firsts)
        assert not {norm(v) for v in VALUES} & {text for _, text in firsts}
        assert cli.run(["check", "out", "--quiet"]) == 0


def said(number: int, *texts: str) -> dict[str, object]:
    """A chat of two turns, of its own kind by its number."""
    user, answer = texts
    return {
        "messages": [
            {"role": "user", "content": f"Case {number}: {user}"},
            {"role": "assistant", "content": answer},
        ]
    }


MAIL = "write to anna.zqberg@mail.example please"


@pytest.mark.parametrize(("scope", "surrogates"), [("dataset", 1), ("record", 6)])
def test_scope_says_where_one_value_has_one_surrogate(
    work: Path, scope: str, surrogates: int
) -> None:
    write_rows(work / "rows.jsonl", [said(n, MAIL, MAIL.upper()) for n in range(6)])
    configure(["rows.jsonl"], privacy={"scope": scope})
    assert prep() == 0
    found = [re.findall(r"[\w.]+@[\w.-]+", text) for text in texts()]
    assert all(len(pair) == 2 and pair[0] == pair[1].lower() for pair in found)
    assert len({pair[0] for pair in found}) == surrogates
    assert cli.run(["check", "out", "--quiet"]) == 0


def test_an_equal_record_gets_equal_surrogates_under_scope_record(work: Path) -> None:
    """Else a duplicate would no longer be one; the record's text is all that its key takes."""
    write_rows(work / "rows.jsonl", [said(1, MAIL, "Done."), said(1, MAIL, "Done.")])
    configure(["rows.jsonl"], privacy={"scope": "record"})
    assert prep() == 0
    first, second = texts()
    assert first == second


def test_a_key_that_holds_a_finding_changes_with_its_value_elsewhere(work: Path) -> None:
    answer = {"jo@zq.example": {"open": 3}, "total": 3}
    write_rows(
        work / "rows.jsonl",
        [{"prompt": "Count for jo@zq.example", "completion": json.dumps(answer)}],
    )
    configure(["rows.jsonl"])
    assert prep() == 0
    (record,) = map(json.loads, texts())
    mail = record["prompt"].removeprefix("Count for ")
    assert mail != "jo@zq.example"
    assert record["completion"] == json.dumps({mail: {"open": 3}, "total": 3})
    kinds = [(row["kind"], row.get("inner")) for row in rows("edits.jsonl")]
    assert kinds == [("string", None), ("key", "$[key 1]")]


def test_equal_keys_in_one_object_both_change(work: Path) -> None:
    text = '{"prompt": "a@zq.example", "prompt": "b@zq.example", "completion": "a@zq.example"}'
    (work / "rows.jsonl").write_text(text + "\n")
    configure(["rows.jsonl"])
    assert prep() == 0
    (new,) = texts()
    first, second, third = re.findall(r"[\w.]+@[\w.-]+", new)
    assert first == third != second
    assert not {first, second} & {"a@zq.example", "b@zq.example"}
    assert [row["path"] for row in rows("edits.jsonl")] == ["prompt", "prompt~2", "completion"]


def test_one_person_has_one_name_in_every_form(work: Path) -> None:
    user = "My name is Ottilie Zqberg. Mail: ottilie.zqberg@mail.example"
    answer = json.dumps({"name": "Zqberg, Ottilie", "login": "OTTILIE ZQBERG"})
    write_rows(work / "rows.jsonl", [said(1, user, answer)])
    configure(["rows.jsonl"])
    assert prep() == 0
    asked, answered = (m["content"] for m in json.loads(texts()[0])["messages"])
    name = re.search(r"My name is (\w+ \w+)\.", asked)
    assert name
    given, surname = name[1].split()
    assert {given, surname}.isdisjoint({"Ottilie", "Zqberg"})
    mail = f"{given}.{surname}@".lower()
    assert mail in asked
    assert json.loads(answered) == {
        "name": f"{surname}, {given}", "login": f"{given} {surname}".upper(),
    }  # fmt: skip


def test_forms_of_one_phone_agree_in_a_record(work: Path) -> None:
    """A form with its country code tells the plan of the bare ones; floors agree in any spelling."""
    user = (
        "Ring me: +351 912 345 678, tel. 912345678 or phone 912 345 678. Calle Mayor 12, 3.º izq."
    )
    answer = json.dumps({"phone": "912345678", "address": "Calle Mayor 12, 3º izq."})
    write_rows(work / "rows.jsonl", [{"prompt": user, "completion": answer}])
    (work / "privatune.yaml").write_text(
        "data: {inputs: [rows.jsonl], output: out}\nprivacy: {detectors: [rules]}\n"
    )
    assert privatune("prep", cwd=work).returncode == 0
    (row,) = read_rows(work / "out" / "ship" / "train.jsonl")
    found = re.search(r"\+351 ([\d ]+), tel\. ([\d ]+) or phone ([\d ]+)\. ", str(row["prompt"]))
    assert found
    new = json.loads(str(row["completion"]))
    forms = {form.replace(" ", "") for form in (*found.groups(), new["phone"])}
    assert len(forms) == 1
    assert forms != {"912345678"}
    assert privatune("check", "out", cwd=work).returncode == 0
