"""Token lengths with a real tokenizer and chat template: counted, refused, dropped, shown."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from pipeline import cli
from tests.conftest import write_rows
from tests.pipeline.runs import configure, counts, gates, prep, report, rows, shipped

CHATML = (
    "{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
# Without merges the tokenizer gives one token a byte, so lengths can be told by hand:
# <|im_start|> user \n CONTENT <|im_end|> \n <|im_start|> assistant \n ok <|im_end|> \n
AROUND = (1 + 4 + 1 + 1 + 1) + (1 + 9 + 1 + 2 + 1 + 1)


@pytest.fixture
def tokenizer(work: Path) -> Path:
    made = Tokenizer(models.BPE())
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    trainer = trainers.BpeTrainer(
        vocab_size=258, special_tokens=["<|im_start|>", "<|im_end|>"], show_progress=False,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
    )  # fmt: skip
    made.train_from_iterator(["the meter hums"], trainer)
    folder = work / "tokenizer"
    folder.mkdir()
    made.save(str(folder / "tokenizer.json"))
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast", "eos_token": "<|im_end|>",
        "chat_template": CHATML,
    }  # fmt: skip
    (folder / "tokenizer_config.json").write_text(json.dumps(config))
    return folder


def chat_of(length: int) -> dict[str, object]:
    return {
        "messages": [
            {"role": "user", "content": "x" * length},
            {"role": "assistant", "content": "ok"},
        ]
    }


LENGTHS = (10, 40, 64 - AROUND, 65 - AROUND, 200)  # two are over 64 tokens, one is exactly 64


@pytest.fixture
def data(work: Path, tokenizer: Path) -> Path:
    write_rows(work / "rows.jsonl", [chat_of(n) for n in LENGTHS])
    return work


def limit(over: str, most: int = 64) -> None:
    tokens = {"tokenizer": "tokenizer", "max_length": most, "over_length": over}
    configure(["rows.jsonl"], tokens=tokens)


def test_long_records_fail_the_run(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limit("fail")
    assert prep() == 1
    assert "2 records are longer than 64 tokens" in capsys.readouterr().err
    assert not (data / "out").exists()
    told = report("out.refused")["tokens"]
    assert (told["over"], told["longest"]) == (2, 200 + AROUND)
    assert told["total"] == sum(LENGTHS) + 5 * AROUND
    assert gates("out.refused")["over_length"] == "failed"
    page = (data / "out.refused" / "report.html").read_text()
    assert f"longest {200 + AROUND}" in page


def test_long_records_are_dropped_and_counted(data: Path) -> None:
    limit("drop")
    assert prep() == 0
    assert counts() == (5, 3, 0, 0, 2)
    body = report()
    assert body["reasons"] == {"over-length": 2}
    assert sorted(number for _, number in shipped()) == [1, 2, 3]
    lost = [(row["record"], row["status"]) for row in rows("quarantine.jsonl")]
    assert lost == [(4, "dropped"), (5, "dropped")]
    assert body["tokens"]["histogram"] == [
        {"from": 32, "to": 36, "records": 1},
        {"from": 60, "to": 64, "records": 1},
        {"from": 64, "to": 68, "records": 1},
    ]
    assert body["tokens"]["percentiles"]["50"] == 40 + AROUND
    assert gates()["over_length"] == "passed"


def test_a_set_within_the_limit_passes(data: Path) -> None:
    limit("fail", 1000)
    assert prep() == 0
    assert counts() == (5, 5, 0, 0, 0)
    manifest = json.loads((data / "out" / "ship" / "manifest.json").read_text())
    assert manifest["tokens"] == report()["tokens"]


def test_check_counts_again(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    limit("fail", 1000)
    assert prep() == 0
    limit("fail")
    assert cli.run(["check", "out", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["violations"]
    assert [(v["violation"], v["record"]) for v in found] == [
        ("over_length", 4),
        ("over_length", 5),
    ]


def test_what_the_trainer_would_refuse_is_told_before(
    work: Path, tokenizer: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    calls = [
        {"role": "user", "content": "März?"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "rain", "tool_call_id": "c1"},
        {"role": "assistant", "content": "Rain."},
    ]
    write_rows(work / "rows.jsonl", [chat_of(10), {"messages": calls}, chat_of(20)])
    limit("fail", 1000)
    assert prep() == 0
    told = report()["faults"]["template-format"]
    assert (told["count"], told["places"][0]["record"]) == (1, 2)
    assert "knows no tools" in told["message"]
    assert gates()["format"] == "warned"
    capsys.readouterr()
    assert cli.run(["check", "out", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["violations"]
    assert [(v["violation"], v["record"]) for v in found] == [("not_trainable", 2)]


def test_nothing_is_counted_without_a_tokenizer(data: Path) -> None:
    configure(["rows.jsonl"])
    assert prep() == 0
    assert report()["tokens"] is None
    assert "Not counted" in (data / "out" / "keep" / "report.html").read_text()


def test_a_folder_without_a_tokenizer_is_told(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (data / "tokenizer" / "tokenizer.json").unlink()
    limit("fail")
    assert prep() == 2
    assert "tokenizer" in capsys.readouterr().err


@pytest.mark.usefixtures("tokenizer")
def test_the_drift_is_told_in_tokens_of_the_text_before_and_after(work: Path) -> None:
    """One token a byte: the ratio is known from the lengths of the two texts."""
    said = "Mail zq@mail.example"
    mail = chat_of(0) | {"messages": [{"role": "user", "content": said}, *_answer()]}
    write_rows(work / "rows.jsonl", [mail, *map(chat_of, LENGTHS)])
    configure(["rows.jsonl"], tokens={"tokenizer": "tokenizer"}, holdout={"fraction": 0})
    assert prep() == 0
    (written,) = [t for (_, number), t in shipped().items() if number == 1]
    now = json.loads(written)["messages"][0]["content"]
    assert now != said
    drift = report()["drift"]
    assert drift["measure"] == "tokens"
    assert drift["mean"] == round((AROUND + len(now)) / (AROUND + len(said)), 3)
    before = sum((AROUND + n for n in LENGTHS), AROUND + len(said))
    assert drift["set"] == round((len(now) - len(said)) / before, 4)


def _answer() -> list[dict[str, str]]:
    return [{"role": "assistant", "content": "ok"}]
