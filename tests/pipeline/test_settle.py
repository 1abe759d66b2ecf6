"""The second pass: surrogates that meet nothing, and a split that parts no person."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from pipeline import cli
from tests.conftest import privatune, write_rows
from tests.pipeline.rows import plain
from tests.pipeline.runs import configure, prep, report, rows, shipped, texts
from tests.pipeline.test_given import at, give, of

MAIL = re.compile(r"[\w.+-]+@[\w.-]+\w")


def pair(prompt: str, **more: Any) -> dict[str, Any]:
    return {"prompt": prompt, "completion": "Yes.", **more}


def prompts(work: Path, told: list[str], **sections: Any) -> list[str]:
    write_rows(work / "rows.jsonl", [pair(text) for text in told])
    configure(["rows.jsonl"], **sections)
    assert prep("--force") == 0
    return [json.loads(text)["prompt"] for text in texts()]


def card(number: int) -> str:
    """A made-up card number of one bank, with its check digit."""
    body = f"411111{number:09d}"
    total = sum(
        digit if place % 2 else digit * 2 - 9 * (digit > 4)
        for place, digit in enumerate(map(int, reversed(body)))
    )
    return body + str(-total % 10)


MANY = {
    "mail": [f"zq{n}@mail{n % 7}.example" for n in range(400)],
    "card": [card(n * 7919) for n in range(400)],
    "ip": [f"203.0.113.{n % 250}" if n < 250 else f"198.51.100.{n - 250}" for n in range(400)],
    "phone": [f"+44 7700 900{n:03d}" for n in range(400)],
}


@pytest.mark.parametrize("kind", MANY)
def test_different_values_get_different_surrogates_and_no_original(work: Path, kind: str) -> None:
    values = MANY[kind]
    told = prompts(work, [f"Contact {value} now" for value in values])
    found = [text.removeprefix("Contact ").removesuffix(" now") for text in told]
    assert len(set(found)) == len(values)
    assert not set(found) & set(values)
    assert cli.run(["check", "out", "--quiet"]) == 0


def test_a_surrogate_that_is_an_original_of_the_set_is_drawn_again(work: Path) -> None:
    """The surrogates of a first run are planted as originals of the second."""
    values = [f"zq{n}@mail.example" for n in range(30)]
    dataset = {"privacy": {"dataset": "d"}}
    first = prompts(work, [f"Mail {value}" for value in values], **dataset)
    taken = [text.removeprefix("Mail ") for text in first]
    second = prompts(work, [f"Mail {value}" for value in (*values, *taken)], **dataset)
    found = [text.removeprefix("Mail ") for text in second]
    assert not set(found) & {*values, *taken}
    assert len(set(found)) == 60
    assert report()["surrogates"]["redraws"] >= 30
    assert cli.run(["check", "out", "--quiet"]) == 0


def test_a_full_name_that_is_someone_elses_is_drawn_again(work: Path) -> None:
    names = [f"Ottilie Zq{word}" for word in ("berg", "mann", "hauer", "stein", "feld", "bach")]
    dataset = {"privacy": {"dataset": "d"}}
    first = prompts(work, [f"My name is {name}." for name in names], **dataset)
    taken = [text.removeprefix("My name is ").removesuffix(".") for text in first]
    second = prompts(work, [f"My name is {name}." for name in (*names, *taken)], **dataset)
    found = [text.removeprefix("My name is ").removesuffix(".") for text in second]
    assert not set(found) & {*names, *taken}
    assert len(set(found)) == 12


def test_redraws_do_not_depend_on_the_order_of_the_records(work: Path) -> None:
    values = MANY["phone"][:200]
    dataset = {"privacy": {"dataset": "d"}}
    forward = prompts(work, [f"Call {value}" for value in values], **dataset)
    backward = prompts(work, [f"Call {value}" for value in values[::-1]], **dataset)
    assert forward == backward[::-1]


# ---- the split


def sides(out: str = "out") -> dict[int, str]:
    """Record number -> split."""
    return {row["source"]["record"]: row["split"] for row in rows("lineage.jsonl", out)}


def held(work: Path, records: list[Any], **sections: Any) -> dict[int, str]:
    write_rows(work / "rows.jsonl", records)
    configure(["rows.jsonl"], **sections)
    assert prep("--force") == 0
    return sides()


def together(found: dict[int, str], groups: list[list[int]]) -> bool:
    return all(len({found[number] for number in group}) == 1 for group in groups)


def test_records_of_one_person_stand_on_one_side(work: Path) -> None:
    """100 people with three records each, which share a mail, an account or a full name."""
    iban = [f"DE{98 - int(f'37040044{n:010d}131400') % 97:02d}37040044{n:010d}" for n in range(100)]
    records, groups = [], []
    for n in range(100):
        name = f"Zq{'aeiou'[n % 5]}{'rnlst'[n // 5 % 5]}{'kmbd'[n // 25]}ing"
        tie = [f"mail zq{n}@mail.example", f"IBAN {iban[n]}", f"my name is Ottilie {name}"][n % 3]
        groups.append([len(records) + 1, len(records) + 2, len(records) + 3])
        records += [pair(f"Case {n}.{i}: {tie}") for i in range(3)]
    found = held(work, records)
    assert together(found, groups)
    share = sum(side == "holdout" for side in found.values())
    assert 15 <= share <= 30


def test_equal_and_named_groups_stand_on_one_side(work: Path) -> None:
    records = [pair(f"Question {n % 50}", ticket=f"T{n % 40}") for n in range(200)]
    found = held(work, records)
    assert together(found, [list(range(n + 1, 201, 50)) for n in range(50)])
    found = held(work, records, holdout={"group_by": ["ticket"]})
    assert together(found, [list(range(n + 1, 201, 40)) for n in range(40)])


def test_a_value_of_many_records_joins_none_and_is_listed(work: Path) -> None:
    records = [pair(f"Case {n}: reply to desk@zq.example") for n in range(200)]
    found = held(work, records)
    assert 10 <= sum(side == "holdout" for side in found.values()) <= 20
    assert report()["holdout"]["hubs"] == 1


@pytest.mark.parametrize(("number", "count"), [(19, 0), (20, 2), (200, 20)])
def test_small_sets_go_on_without_a_holdout(work: Path, number: int, count: int) -> None:
    found = held(work, [plain(n) for n in range(number)])
    assert sum(side == "holdout" for side in found.values()) == count
    assert bool(report()["holdout"]["reason"]) == (count == 0)
    assert len(shipped()) == number


def test_no_holdout_is_made_where_none_was_asked_for(work: Path) -> None:
    found = held(work, [plain(n) for n in range(50)], holdout={"fraction": 0})
    assert set(found.values()) == {"train"}
    assert report()["holdout"]["reason"] is None


def test_a_mailbox_has_one_surrogate_whether_its_owner_stands_beside_it_or_not(work: Path) -> None:
    mail = "o.zqberg@mail.example"
    beside = {"prompt": f"I am Ottilie Zqberg, {mail}", "completion": "Noted."}
    alone = {"prompt": f"Ask {mail} again.", "completion": "Noted."}
    name = at(beside["prompt"], "Ottilie Zqberg")
    for number, lines in enumerate(([beside], [beside, alone])):
        write_rows(Path("rows.jsonl"), list(lines))
        configure(["rows.jsonl"], f"out{number}", privacy={"dataset": "letters"})
        mails = [
            {**at(line["prompt"], mail, "EMAIL_ADDRESS"), "record": n}
            for n, line in enumerate(lines, 1)
        ]
        assert prep("--findings", give(of(name, *mails))) == 0
        assert privatune("check", f"out{number}").returncode == 0
    (owned,) = (json.loads(text)["prompt"] for text in texts("out0"))
    _, _, given, _, mailbox = owned.split()
    assert mailbox[0] == given[0].lower()
    first, second = (json.loads(text)["prompt"] for text in texts("out1"))
    assert first.split()[-1] == second.split()[1] != owned.split()[-1]
