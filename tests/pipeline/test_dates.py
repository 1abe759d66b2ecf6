"""`privacy.dates` over whole runs: kept, shifted, made coarse; what cannot be read is quarantined."""

from __future__ import annotations

import json
import re
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from pipeline import cli
from scrubbers.keys import digest, subkey
from scrubbers.surrogates.shift import offset
from tests.conftest import KEY
from tests.pipeline.runs import configure, counts, prep, rows, shipped, texts

ISO = re.compile(r"\d{4}-\d\d-\d\d")


def chat(*turns: str, **fields: Any) -> dict[str, Any]:
    roles = ("user", "assistant")
    messages = [{"role": roles[n % 2], "content": turn} for n, turn in enumerate(turns)]
    return {"messages": messages, **fields}


def run(records: list[dict[str, Any]], dates: str = "shift", **privacy: Any) -> list[str]:
    """The records as they are written, without those that are quarantined."""
    Path("in.jsonl").write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    configure(
        ["in.jsonl"], data={"max_quarantine": 1}, privacy={"dates": dates, **privacy},
        holdout={"fraction": 0, "group_by": ["patient"]},
    )  # fmt: skip
    assert prep("--force") == 0
    assert cli.run(["check", "out", "--json"]) == 0
    return texts()


def days_between(text: str) -> int:
    first, last = (date.fromisoformat(found) for found in ISO.findall(text)[:2])
    return (last - first).days


@pytest.mark.usefixtures("work")
def test_a_stay_over_new_year_keeps_its_length_in_every_form() -> None:
    answer = '{"arrival": "28 Dec 2024", "left": 20250103, "created_at": 1735344000, "nights": 6}'
    turn = "in 2024-12-28, out 2025-01-03, booked Saturday, 28 December 2024, 10:30"
    first, second = run([chat(f"case {n}: {turn}", answer) for n in "ab"])
    assert days_between(first) == days_between(second) == 6
    start, end = (date.fromisoformat(found) for found in ISO.findall(first)[:2])
    told = json.loads(json.loads(first)["messages"][1]["content"])
    assert told["arrival"] == f"{start.day} {start:%b %Y}"
    assert told["left"] == int(f"{end:%Y%m%d}")
    assert datetime.fromtimestamp(told["created_at"], UTC).date() == start
    assert told["nights"] == 6
    assert f"Saturday, {start.day} {start:%B %Y}, 10:30" in first
    assert "2024-12-28" not in first + second
    assert ISO.findall(first) != ISO.findall(second)


@pytest.mark.usefixtures("work")
def test_records_of_one_person_move_together_and_others_do_not() -> None:
    seen = [chat("seen 2025-03-04", f"noted {n}", patient=who) for n, who in enumerate("aabb")]
    found = [ISO.findall(text)[0] for text in run([*seen, chat("seen 2025-03-04", "noted")])]
    assert found[0] == found[1]
    assert found[2] == found[3]
    assert len(set(found)) == 3
    books = rows("lineage.jsonl")
    assert books[0]["dates"] == books[1]["dates"] != books[2]["dates"]


@pytest.mark.usefixtures("work")
def test_the_interval_comes_from_the_key_and_the_group_alone() -> None:
    text = run([chat("seen 2025-03-04", "noted", patient="a")])[0]
    secret = bytes.fromhex(KEY)
    group = digest(subkey(secret, "value", "out"), "group", "patient", "a").hex()
    days = offset(subkey(secret, "surrogate", "out"), group)
    assert (date.fromisoformat(ISO.findall(text)[0]) - date(2025, 3, 4)).days == days


@pytest.mark.usefixtures("work")
def test_what_cannot_be_shifted_is_quarantined_by_name() -> None:
    turns = ["seen Fri 3rd, due 30.02.2025", "due Feb 30", "at Easter 2025", "in 2024-W54"]
    written = run([*(chat(turn, "noted") for turn in turns), chat("next Friday, 8 years", "noted")])
    assert counts() == (5, 1, 0, 4, 0)
    assert {tuple(row["reasons"]) for row in rows("quarantine.jsonl")} == {("date-unreadable",)}
    assert "next Friday, 8 years" in written[0]


@pytest.mark.usefixtures("work")
def test_birthdays_and_ages_stay_together_under_shift() -> None:
    turn = "date of birth 01/15/2020, seen on 07/17/2025, aged 5"
    text = run([chat(turn, "noted")])[0]
    born, seen = (
        date(int(year), int(month), int(day))
        for month, day, year in re.findall(r"(\d\d)/(\d\d)/(\d{4})", text)
    )
    assert (seen - born) == date(2025, 7, 17) - date(2020, 1, 15)
    assert "aged 5" in text


@pytest.mark.usefixtures("work")
def test_under_keep_a_birthday_keeps_its_year_and_other_dates_stay() -> None:
    turn = "date of birth 01/15/2020, seen on 07/17/2025, 30.02.2025, aged 5"
    text = run([chat(turn, "noted")], "keep")[0]
    assert "07/17/2025, 30.02.2025, aged 5" in text
    assert re.search(r"birth \d\d/\d\d/2020", text)
    assert "01/15/2020" not in text


@pytest.mark.usefixtures("work")
def test_coarse_dates() -> None:
    turn = "date of birth 04/22/1967, seen Friday, 14 March 2025 and 2025-03-14T10:15:00Z, aged 93"
    answer = '{"born": "1967-04-22", "seen": "2025-03", "day": 20250314, "age": 93}'
    text = run([chat(turn, answer)], "generalise")[0]
    assert "date of birth 1967, seen March 2025 and 2025-03, aged 90" in text
    told = json.loads(json.loads(text)["messages"][1]["content"])
    assert told == {"born": "1967", "seen": "2025-03", "day": 20250301, "age": 90}


@pytest.mark.usefixtures("work")
def test_types_say_otherwise() -> None:
    turn = "date of birth 04/22/1967, seen on 2025-03-14"
    kept = run([chat(turn, "noted")], types={"DATE_TIME": "keep"})[0]
    assert "2025-03-14" in kept
    assert "04/22/1967" not in kept
    run([chat(turn, "noted"), chat("hello", "there")], types={"DATE_TIME": "quarantine"})
    assert rows("quarantine.jsonl")[0]["reasons"] == ["policy:DATE_TIME"]


@pytest.mark.usefixtures("work")
def test_the_order_of_the_record_is_kept_for_the_check() -> None:
    run([chat("on 25/04/2025 and on 03/05/2025", "The 3rd of May 2025")])
    assert rows("lineage.jsonl")[0]["order"] == "dmy"


@pytest.mark.usefixtures("work")
def test_a_date_that_moved_otherwise_is_seen_by_check() -> None:
    from tests.pipeline.runs import seal_again

    text = run([chat("seen 2025-03-04, out 2025-03-09", "noted")])[0]
    first = ISO.findall(text)[0]
    other = f"{int(first[:4]) + 1}{first[4:]}" if first[5:] != "02-29" else "2030-03-01"
    ship = Path("out/ship/train.jsonl")
    ship.write_text(ship.read_text().replace(first, other), encoding="utf-8")
    seal_again()
    assert cli.run(["check", "out", "--json"]) == 1


@pytest.mark.usefixtures("work")
def test_nothing_that_was_a_date_is_left_in_any_record() -> None:
    forms = ["4 March 2025", "March 4th, 2025", "2025-03-04", "04.03.2025", "4 de marzo de 2025"]
    written = run([chat(f"seen {form}, noted", "on 2025-03-04") for form in forms])
    assert len(written) == len(forms)
    assert all(not any(form in text for form in forms) for text in written)
    assert len(shipped()) == len(forms)


@pytest.mark.usefixtures("work")
def test_a_given_date_is_shifted_and_a_given_weekday_stays() -> None:
    text = "seen on 2025-03-14, again next Friday, then 28.02"
    spans = [(text.index(one), len(one)) for one in ("2025-03-14", "next Friday", "28.02")]
    told = [
        {"file": "in.jsonl", "record": 1, "path": "messages[0].content", "start": start,
         "end": start + length, "type": "DATE_TIME"}
        for start, length in spans
    ]  # fmt: skip
    body = {"version": 1, "findings": told, "inputs": {"in.jsonl": None}}
    Path("found.json").write_text(json.dumps(body), encoding="utf-8")
    Path("in.jsonl").write_text(json.dumps(chat(text, "noted")) + "\n", encoding="utf-8")
    configure(["in.jsonl"], privacy={"dates": "shift"}, holdout={"fraction": 0})
    assert prep("--findings", "found.json") == 0
    written = texts()[0]
    assert "again next Friday, then " in written
    assert "2025-03-14" not in written
    assert "28.02" not in written
