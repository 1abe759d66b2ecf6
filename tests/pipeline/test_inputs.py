"""What `prep` reads: packed files, tables, saved sets, folders; formats turned into `messages`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
import zstandard

from pipeline.inputs import expand, labels
from pipeline.reading import InputError
from tests.conftest import write_rows
from tests.pipeline.rows import chat, plain
from tests.pipeline.runs import configure, counts, prep, report, rows, shipped, texts

ROWS = [chat(n) for n in range(3)] + [plain(n) for n in range(3)]


def written(name: str) -> list[Any]:
    """What `prep` makes of one input file, whatever its name."""
    configure([name], privacy={"dataset": "d"})
    assert prep("--force") == 0
    return [json.loads(text) for text in texts()]


@pytest.fixture
def expected(work: Path) -> list[Any]:
    write_rows(work / "rows.jsonl", ROWS)
    found = written("rows.jsonl")
    assert len(found) == 6
    assert "zqcanary1@mail.example" not in json.dumps(found)
    return found


@pytest.mark.parametrize("name", ["p.jsonl.gz", "p.jsonl.zst", "p.json", "p.json.gz", "p.ndjson"])
def test_packed_files_and_arrays_give_the_same_records(
    work: Path, expected: list[Any], name: str
) -> None:
    text = (work / "rows.jsonl").read_bytes()
    if ".json." in name or name.endswith(".json"):
        text = json.dumps(ROWS, indent=1).encode()
    pack = {".gz": gzip.compress, ".zst": zstandard.ZstdCompressor().compress}
    (work / name).write_bytes(pack.get(Path(name).suffix, bytes)(text))
    assert written(name) == expected


def test_a_table_and_a_saved_set_give_the_same_values(work: Path, expected: list[Any]) -> None:
    import datasets

    alpaca = datasets.Dataset.from_list(ROWS[3:])
    alpaca.to_parquet(str(work / "p.parquet"))
    alpaca.save_to_disk(str(work / "saved"))
    assert written("p.parquet") == expected[3:]
    assert written("saved") == expected[3:]


def test_a_table_of_chats_is_prepared(work: Path) -> None:
    import datasets

    datasets.Dataset.from_list(ROWS[:3]).to_parquet(str(work / "chats.parquet"))
    found = written("chats.parquet")
    assert [list(record) for record in found] == [["messages"]] * 3
    for record in found:
        asked, answered = (m["content"] for m in record["messages"][1:])
        answer = json.loads(answered)
        assert list(answer) == ["name", "email", "iban", "nr"]
        assert answer["email"] in asked
        assert "zqcanary" not in answer["email"]
    assert {row.get("inner") for row in rows("edits.jsonl")} == {
        None,
        "$.name",
        "$.email",
        "$.iban",
    }


@pytest.mark.parametrize(
    "more", [{}, {"input": None}, {"input": ""}], ids=["none", "null", "empty"]
)
def test_alpaca_rows_without_input_keep_their_form(work: Path, more: dict[str, object]) -> None:
    row = {"instruction": "Write to jo@zq.example.", **more, "output": "Sent."}
    write_rows(work / "rows.jsonl", [row])
    (found,) = written("rows.jsonl")
    assert list(found) == list(row)
    assert {k: v for k, v in found.items() if k != "instruction"} == {
        k: v for k, v in row.items() if k != "instruction"
    }
    assert "jo@zq.example" not in found["instruction"]


@pytest.mark.parametrize(
    "more", [{}, {"input": None}, {"input": ""}], ids=["none", "null", "empty"]
)
def test_alpaca_becomes_messages(work: Path, more: dict[str, object]) -> None:
    write_rows(work / "rows.jsonl", [{"instruction": "Count.", **more, "output": "3"}])
    configure(["rows.jsonl"], data={"output_format": "messages"})
    assert prep() == 0
    turns = [{"role": "user", "content": "Count."}, {"role": "assistant", "content": "3"}]
    assert [json.loads(text) for text in texts()] == [{"messages": turns}]


def test_other_formats_become_messages_and_are_listed(work: Path) -> None:
    mail = "Mail jo@zq.example."
    share = {
        "conversations": [
            {"from": "system", "value": "Be short."},
            {"from": "human", "value": mail},
            {"from": "gpt", "value": "Sent to jo@zq.example."},
        ],
        "source": "desk",
    }
    alpaca = {"instruction": "Summarise.", "input": mail, "output": "A mail."}
    pair = {"prompt": mail, "completion": "Sent."}
    write_rows(work / "rows.jsonl", [share, alpaca, pair])
    configure(["rows.jsonl"], data={"output_format": "messages"})
    assert prep() == 0
    first, second, third = (json.loads(text) for text in texts())
    surrogate = third["messages"][0]["content"]
    assert surrogate != mail
    address = surrogate.removeprefix("Mail ").removesuffix(".")
    assert first == {
        "messages": [
            {"role": "system", "content": "Be short."},
            {"role": "user", "content": surrogate},
            {"role": "assistant", "content": f"Sent to {address}."},
        ],
        "source": "desk",
    }
    assert second["messages"] == [
        {"role": "user", "content": f"Summarise.\n\n{surrogate}"},
        {"role": "assistant", "content": "A mail."},
    ]
    assert report()["read_with_repairs"] == {"rows.jsonl": {"converted": 3}}


def test_what_cannot_become_messages_is_quarantined(work: Path) -> None:
    write_rows(work / "rows.jsonl", [plain(1), {"text": "The meter hums."}, plain(2)])
    configure(["rows.jsonl"], data={"output_format": "messages"})
    assert prep() == 0
    assert counts() == (3, 2, 0, 1, 0)
    assert report()["reasons"] == {"unreadable:cannot-convert": 1}
    (lost,) = rows("quarantine.jsonl")
    assert (lost["file"], lost["record"], lost["line"]) == ("rows.jsonl", 2, 2)


def test_a_folder_names_its_data_files_once(work: Path) -> None:
    (work / "data" / "deep").mkdir(parents=True)
    for name in ("b.jsonl", "a.json.gz", "deep/c.ndjson.zst", "notes.txt", "d.parquet"):
        (work / "data" / name).touch()
    found = expand([Path("data"), Path("data/b.jsonl")])
    assert found == ["data/a.json.gz", "data/b.jsonl", "data/d.parquet", "data/deep/c.ndjson.zst"]


def test_a_folder_without_data_is_told(work: Path) -> None:
    (work / "data").mkdir()
    with pytest.raises(InputError, match="without data files"):
        expand([Path("data")])


def test_files_of_one_name_stay_apart(work: Path) -> None:
    assert labels(["a/x.jsonl", "b/y.jsonl"]) == ["x.jsonl", "y.jsonl"]
    for name in ("a", "b"):
        (work / name).mkdir()
        write_rows(work / name / "rows.jsonl", [plain(ord(name))])
    configure(["a", "b"])
    assert prep() == 0
    files = {file for file, _ in shipped()}
    assert len(files) == 2
    assert {Path(file).parent.name for file in files} == {"a", "b"}


def test_a_file_that_changes_during_the_run_stops_it(
    work: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from pipeline import prep as prep_module

    write_rows(work / "rows.jsonl", ROWS)
    settle = prep_module.settle

    def swap(*arguments: Any, **more: Any) -> object:
        write_rows(work / "rows.jsonl", [*ROWS[1:], ROWS[0]])
        return settle(*arguments, **more)

    monkeypatch.setattr(prep_module, "settle", swap)
    configure(["rows.jsonl"])
    assert prep() == 1
    assert "changed while" in capsys.readouterr().err
    assert not (work / "out").exists()
