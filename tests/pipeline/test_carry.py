"""What an answer's JSON gives away is replaced where it was said, and the other way round."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import write_rows
from tests.pipeline.runs import configure, counts, prep, report, rows, texts

pytestmark = pytest.mark.usefixtures("work")


def talk(said: str, answer: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    turns = [
        {"role": "user", "content": said},
        {"role": "assistant", "content": json.dumps(answer, ensure_ascii=False)},
    ]
    write_rows(Path("rows.jsonl"), [{"messages": turns}])
    configure(["rows.jsonl"])
    assert prep() == 0
    assert counts()[1] == 1, report()["reasons"]
    new = json.loads(texts()[0])["messages"]
    return new[0]["content"], json.loads(new[1]["content"])


def test_a_birth_that_only_the_answer_tells_is_moved_in_the_question() -> None:
    said, answer = talk("He came on 14 March 1985, they say.", {"date_of_birth": "1985-03-14"})
    year, month, day = answer["date_of_birth"].split("-")
    assert answer["date_of_birth"] != "1985-03-14"
    (written,) = re.findall(r"came on (\d+ \w+ \d{4}),", said)
    assert written.startswith(f"{int(day)} ")
    assert written.endswith(f" {year}")
    assert "March" not in written or month == "03"


def test_a_number_that_only_the_question_tells_is_replaced_in_the_answer() -> None:
    said, answer = talk("My passport number is X48151623.", {"ref": "X48151623"})
    assert answer["ref"] != "X48151623"
    assert said == f"My passport number is {answer['ref']}."


def test_what_both_sides_call_something_else_has_one_surrogate() -> None:
    said, answer = talk("My order number is 48151623.", {"phone": "48151623"})
    assert answer["phone"] != "48151623"
    assert said == f"My order number is {answer['phone']}."


def test_the_books_name_the_carrier() -> None:
    talk("He came on 14 March 1985, they say.", {"date_of_birth": "1985-03-14"})
    assert report()["detectors"]["pairs"] == 1
    assert [row["replaced"] for row in rows("pairs.jsonl")] == [True]
