"""The guide's invoice row, with a person, an address and an account added: the whole promise.

The number of the invoice is one as well, by its cue: it says whose invoice this is.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Run, privatune

pytestmark = pytest.mark.slow

USER = (
    "Invoice 4471 from Norden AB, due 12 March, total 1,250 EUR. Contact person: Ingrid Solberg, "
    "ingrid.solberg@norden.example, please pay to IBAN SE45 5000 0000 0583 9825 7466 by then."
)
ANSWER = (
    '{"supplier": "Norden AB", "invoice_number": "4471", "due_date": "12 March", "total": 1250, '
    '"currency": "EUR", "contact": "Ingrid Solberg", "email": "ingrid.solberg@norden.example", '
    '"iban": "SE4550000000058398257466"}'
)
SYSTEM = "Extract the invoice fields as JSON."
CHANGED = {
    "invoice_number": "4471",
    "contact": "Ingrid Solberg",
    "email": "ingrid.solberg@norden.example",
    "iban": "SE4550000000058398257466",
}


def row() -> str:
    turns = [("system", SYSTEM), ("user", USER), ("assistant", ANSWER)]
    return json.dumps({"messages": [{"role": r, "content": c} for r, c in turns]})


def prepare(work: Path, *more: str) -> Run:
    return privatune("prep", "--json", *more, cwd=work)


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, dict[str, Any], Path]:
    """The row as it was written, the run's report, and the folder."""
    work = tmp_path_factory.mktemp("guide")
    (work / "invoices.jsonl").write_text(row() + "\n")
    (work / "privatune.yaml").write_text("data: {inputs: [invoices.jsonl], output: out}\n")
    from tests.conftest import KEY

    done = privatune("prep", "--json", cwd=work, PRIVATUNE_KEY=KEY)
    assert done.returncode == 0, done.stderr
    return (work / "out/ship/train.jsonl").read_text(), json.loads(done.stdout), work


def test_four_values_change_and_agree(prepared: tuple[str, dict[str, Any], Path]) -> None:
    text, _, _ = prepared
    system, user, assistant = (m["content"] for m in json.loads(text)["messages"])
    old, new = json.loads(ANSWER), json.loads(assistant)
    assert list(new) == list(old)
    assert {key for key in old if old[key] != new[key]} == set(CHANGED)
    assert system == SYSTEM
    expected = USER
    for key in ("invoice_number", "contact", "email"):
        expected = expected.replace(CHANGED[key], new[key])
    grouped = " ".join(re.findall(".{1,4}", new["iban"]))
    assert user == expected.replace("SE45 5000 0000 0583 9825 7466", grouped)


def test_every_other_byte_is_as_it_was(prepared: tuple[str, dict[str, Any], Path]) -> None:
    text, _, _ = prepared
    holes = "|".join(map(re.escape, [*CHANGED.values(), "SE45 5000 0000 0583 9825 7466"]))
    pattern = "(.+?)".join(map(re.escape, re.split(holes, row())))
    assert re.fullmatch(pattern, text.removesuffix("\n"))


def test_the_values_are_right_in_form(prepared: tuple[str, dict[str, Any], Path]) -> None:
    new = json.loads(json.loads(prepared[0])["messages"][2]["content"])
    assert re.fullmatch(r"SE\d{22}", new["iban"])
    assert re.fullmatch(r"[A-Z]\w+ [A-Z]\w+", new["contact"])
    given, surname = new["contact"].lower().split()
    assert re.fullmatch(rf"{given}\.{surname}@[\w.-]+\.example", new["email"])
    assert not {given, surname} & {"ingrid", "solberg"}
    assert "norden" not in new["email"]


def test_the_report_counts_them(prepared: tuple[str, dict[str, Any], Path]) -> None:
    counted = prepared[1]["replaced_by_type"]
    assert counted == {"EMAIL_ADDRESS": 2, "IBAN_CODE": 2, "OTHER_ID": 2, "PERSON": 2}


def test_two_runs_give_the_same_bytes(prepared: tuple[str, dict[str, Any], Path]) -> None:
    text, _, work = prepared
    done = prepare(work, "--force")
    assert done.returncode == 0, done.stderr
    assert (work / "out/ship/train.jsonl").read_text() == text
