"""`plan` over a real prepared folder: counts, steps, memory, hours, cost, and what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.config import Config, ConfigError, load
from pipeline.errors import UsageFault
from pipeline.estimate import Estimate, verb
from pipeline.estimate_data import measured
from pipeline.folder import FolderError
from tests.conftest import write_rows
from tests.pipeline.runs import configure, prep
from tests.trainer.conftest import write_tokenizer
from trainer.prices import PricesError
from trainer.shape import ShapeError
from trainer.templates import counter

ANSWERS = ("It parses one file.", "It parses two files, and then it stops by itself.", "No.")
QWEN3_8B = {
    "model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288,
    "num_hidden_layers": 36, "num_attention_heads": 32, "num_key_value_heads": 8,
    "head_dim": 128, "vocab_size": 151936, "tie_word_embeddings": False,
}  # fmt: skip


def record(number: int) -> dict[str, object]:
    return {
        "messages": [
            {"role": "user", "content": f"Explain version 2.{number} of the JSON parser. " * 3},
            {"role": "assistant", "content": ANSWERS[number % 3]},
        ]
    }


@pytest.fixture
def rows(work: Path) -> list[dict[str, object]]:
    made = [record(number) for number in range(40)]
    write_rows(work / "rows.jsonl", made)
    return made


@pytest.fixture
def model(work: Path) -> Path:
    folder = write_tokenizer(work / "model")
    (folder / "config.json").write_text(json.dumps(QWEN3_8B))
    return folder


@pytest.fixture
def prepared(work: Path, rows: list[object]) -> Path:
    configure(["rows.jsonl"])
    assert prep() == 0
    return work / "out"


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def body(estimate: Estimate) -> dict:
    return json.loads(estimate.as_json())


def test_tokens_are_those_of_the_training_split(prepared: Path, model: Path) -> None:
    train = lines(prepared / "ship" / "train.jsonl")
    found = body(verb(prepared, Config(), model=model))
    lengths = counter(model)(train)
    data = found["data"]
    assert (data["train"], data["tokens"], data["longest"]) == (
        len(train), sum(lengths), max(lengths)
    )  # fmt: skip
    assert data["train"] + data["holdout"] == 40
    assert found["run"]["tokens"] == 3 * sum(lengths)
    assert found["run"]["steps"] == 3 * -(-len(train) // 16)


def test_without_a_tokenizer_the_manifests_counts_are_shared_out(work: Path, rows: list) -> None:
    write_tokenizer(work / "words")
    configure(["rows.jsonl"], tokens={"tokenizer": "words"})
    assert prep() == 0
    exact = body(verb(work / "out", load(work / "privatune.yaml")))["data"]
    told = body(verb(work / "out", Config()))["data"]
    assert "manifest" in told["counted"]
    assert told["tokens"] == pytest.approx(exact["tokens"], rel=0.05)
    assert (told["train"], told["holdout"]) == (exact["train"], exact["holdout"])


def test_without_any_count_it_says_what_to_give(prepared: Path) -> None:
    with pytest.raises(UsageFault, match=r"--model FOLDER.*tokens\.tokenizer"):
        verb(prepared, Config())


def test_a_folder_that_was_changed_is_refused(prepared: Path, model: Path) -> None:
    with (prepared / "ship" / "train.jsonl").open("a", encoding="utf-8") as file:
        file.write("{}\n")
    with pytest.raises(FolderError, match="changed"):
        verb(prepared, Config(), model=model)


def test_ship_alone_is_enough(prepared: Path, model: Path) -> None:
    whole = body(verb(prepared, Config(), model=model))
    alone = body(verb(prepared / "ship", Config(), model=model))
    assert alone["data"] == whole["data"]


def test_the_preset_and_what_is_set_over_it_decide_the_run(prepared: Path, model: Path) -> None:
    train = {"preset": "compact", "epochs": 2, "lora": {"r": 32, "targets": ["q_proj"]}}
    configure(["rows.jsonl"], train=train)
    run = body(verb(prepared, load("privatune.yaml"), model=model))
    assert (run["run"]["batch_size"], run["run"]["epochs"]) == (2, 2)
    assert run["run"]["steps"] == 2 * -(-run["data"]["train"] // 8)
    assert run["model"]["adapter"] == 32 * 36 * (4096 + 4096)


def test_memory_grows_along_both_tables(prepared: Path, model: Path) -> None:
    memory = body(verb(prepared, Config(), model=model))["memory"]
    for batch in (1, 2, 4, 8):
        peaks = [c["peak_gib"] for c in memory["padded"] if c["batch"] == batch]
        assert peaks == sorted(peaks)
    by_row = {(c["tokens"], c["checkpointed"]): c["peak_gib"] for c in memory["packed"]}
    assert by_row[4096, 36] < by_row[4096, 18] < by_row[4096, 0]
    assert by_row[2048, 36] < by_row[16384, 36]


def test_the_first_guides_cards_get_hours_and_cost(prepared: Path, model: Path) -> None:
    found = body(verb(prepared, Config(), model=model, card="rtx 4090"))
    (card,) = found["cards"]
    seconds = found["run"]["tokens"] / 3500
    assert card["training_seconds"] == round(seconds)
    assert card["hours"]["planned"] == round((seconds / 60 + 50) / 60, 2)
    assert card["hours"]["optimistic"] <= card["hours"]["planned"] <= card["hours"]["pessimistic"]
    assert [o["provider"] for o in card["offers"]] == ["Vast.ai", "RunPod"]
    assert card["padded"] == "roomy"
    assert card["offers"][0]["cost"]["planned"] == round((seconds / 60 + 50) / 60 * 0.31, 2)


def test_a_rate_that_is_given_is_taken(prepared: Path, model: Path) -> None:
    found = body(verb(prepared, Config(), model=model, card="A40", tokens_per_second=10))
    (card,) = found["cards"]
    assert card["training_seconds"] == round(found["run"]["tokens"] / 10)
    with pytest.raises(UsageFault, match="more than 0"):
        verb(prepared, Config(), model=model, tokens_per_second=0)
    with pytest.raises(UsageFault, match="one of"):
        verb(prepared, Config(), model=model, tokens_per_second=1, probe=prepared)


def metrics(path: Path, steps: int, seconds: float = 2.0) -> Path:
    """What `train` writes: tokens and seconds from the start; the first two steps are slow."""
    path.parent.mkdir(exist_ok=True)
    made = [
        {"step": n, "loss": 1.0, "tokens": 1000 * n, "seconds": 60 + seconds * n}
        for n in range(1, steps + 1)
    ]
    made[0]["seconds"] = 30.0
    return write_rows(path, list(made))


def test_fifty_steps_then_multiply(work: Path, prepared: Path, model: Path) -> None:
    file = metrics(work / "run" / "metrics.jsonl", 52)
    found = measured(file)
    assert (found.tokens_per_second, found.seconds_per_step, found.steps) == (500, 2.0, 50)
    for more in ({"steps_file": file}, {"probe": file.parent}):
        (card,) = body(verb(prepared, Config(), model=model, card="A40", **more))["cards"]
        assert card["basis"] == "500 tokens/s, 2.00 s a step, measured over 50 steps"
        assert card["hours"]["optimistic"] == card["hours"]["planned"]
        assert card["offers"][0]["cost"]["planned"] > 0


def test_evaluations_and_new_starts_are_no_part_of_the_pace(work: Path) -> None:
    rows = [{"step": n, "tokens": 100 * n, "seconds": 1.0 * n} for n in range(1, 11)]
    rows += [{"step": 10, "holdout_loss": 1.5}]
    rows += [{"step": n, "tokens": 100 * n, "seconds": 500.0 + n} for n in range(11, 21)]
    rows += [{"step": n, "tokens": 100 * n, "seconds": 1.0 * (n - 20)} for n in range(21, 31)]
    found = measured(write_rows(work / "metrics.jsonl", list(rows)))
    assert (found.tokens_per_second, found.spread) == (100, (1.0, 1.0))
    assert found.steps == 8 + 9 + 9


def test_rows_of_ten_steps_each_do_as_well(work: Path) -> None:
    rows = [{"step": 10 * n, "tokens": 5000 * n, "seconds": 4.0 * n} for n in range(1, 6)]
    found = measured(write_rows(work / "metrics.jsonl", list(rows)))
    assert (found.tokens_per_second, found.seconds_per_step, found.steps) == (1250, 0.4, 40)


def test_a_run_that_was_too_short_is_told(work: Path) -> None:
    with pytest.raises(UsageFault, match="too few steps"):
        measured(metrics(work / "run" / "metrics.jsonl", 4))
    with pytest.raises(UsageFault, match="not there"):
        measured(work / "nowhere")
    (work / "run" / "metrics.jsonl").write_bytes(b"\xff\xfe")
    with pytest.raises(UsageFault, match="cannot be read"):
        measured(work / "run")


def test_a_few_steps_are_taken_and_said(work: Path, prepared: Path, model: Path) -> None:
    file = metrics(work / "run" / "metrics.jsonl", 9)
    with file.open("a", encoding="utf-8") as torn:
        torn.write('{"step": 10, "tok')
    (card,) = body(verb(prepared, Config(), model=model, card="A40", steps_file=file))["cards"]
    assert "measured over 7 steps; the guide reads 50" in card["basis"]


def test_a_price_file_of_ones_own(work: Path, prepared: Path, model: Path) -> None:
    mine = """
currency: €
offers:
  - {card: A40, provider: Own cellar, per_hour: 0.1, source: electricity bill, date: 2026-11-30}
minutes: []
"""
    (work / "prices.yaml").write_text(mine, encoding="utf-8")
    configure(["rows.jsonl"], prices="prices.yaml")
    config = load("privatune.yaml")
    estimate = verb(prepared, config, model=model, card="A40", tokens_per_second=1)
    (card,) = body(estimate)["cards"]
    assert card["offers"][0]["provider"] == "Own cellar"
    assert card["hours"]["planned"] == round(card["training_seconds"] / 3600, 2)
    assert "Own cellar €0.10" in estimate.as_text()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ofers: []", "did you mean `offers`"),
        ("offers:\n  - {card: A40, provider: X, per_hour: -1, source: s, date: 2026-11}",
         r"mine\.yaml:2: offers\[0\]\.per_hour: must be at least 0"),
        ("offers:\n  - {card: A40, provider: X, per_hour: 1, date: 2026-11}",
         r"offers\[0\]\.source: is required"),
        ("a: [", "line|YAML|mine"),
    ],
)  # fmt: skip
def test_a_price_file_with_faults_is_told_in_words(
    work: Path, prepared: Path, model: Path, text: str, words: str
) -> None:
    (work / "mine.yaml").write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError, match=words):
        verb(prepared, Config(), model=model, prices=work / "mine.yaml")


def test_a_price_file_that_is_missing_or_names_no_card(
    work: Path, prepared: Path, model: Path
) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        verb(prepared, Config(), model=model, prices=work / "none.yaml")
    row = "offers: [{card: A4O, provider: X, per_hour: 1, source: s, date: 2026-11}]"
    (work / "mine.yaml").write_text(row, encoding="utf-8")
    with pytest.raises(PricesError, match=r"mine\.yaml: offers\[0\]\.card.*`A40`"):
        verb(prepared, Config(), model=model, prices=work / "mine.yaml")
    with pytest.raises(PricesError, match="no card of this name"):
        verb(prepared, Config(), model=model, card="abacus")


def test_without_a_model_the_guides_tables_stand_in(work: Path, rows: list) -> None:
    write_tokenizer(work / "words")
    configure(["rows.jsonl"], tokens={"tokenizer": "words"})
    assert prep() == 0
    estimate = verb(work / "out", Config())
    found = body(estimate)
    assert (found["model"], found["memory"]) == (None, None)
    held = {c["card"]: c["tables"]["with margin"] for c in found["cards"]}
    # 6 GB and a fifth is 7.2; 22 and a fifth is more than 24.
    assert (held["GTX 1660"], held["RTX 3060"], held["RTX 3090"]) == ("2-3B", "12B", "12B")
    assert "holds up to" in estimate.as_text()


def test_a_model_that_cannot_be_counted_is_told(work: Path, prepared: Path, model: Path) -> None:
    (model / "config.json").write_text(json.dumps(QWEN3_8B | {"num_experts": 64}))
    with pytest.raises(ShapeError, match="mixture of experts"):
        verb(prepared, Config(), model=model)


def test_a_card_too_small_gets_the_guides_way_out(prepared: Path, model: Path) -> None:
    found = body(verb(prepared, Config(), model=model, card="GTX 1660"))
    assert found["cards"][0]["packed"] is None
    assert any("train.batch_size 1" in line for line in found["advice"])


def test_a_limit_far_above_need_and_too_few_records_are_told(prepared: Path, model: Path) -> None:
    advice = " ".join(body(verb(prepared, Config(), model=model))["advice"])
    assert "far above need" in advice
    assert "under 300" in advice


def test_the_text_has_every_part_and_no_text_of_a_record(prepared: Path, model: Path) -> None:
    text = verb(prepared, Config(), model=model).as_text()
    for part in ("data", "run", "model", "memory", "tables", "cards", "time", "needs", "advice"):
        assert f"\n{part} " in f"\n{text}", part
    assert "parser" not in text
    assert all(line == line.rstrip() for line in text.splitlines())


@pytest.mark.parametrize(
    ("records", "words"),
    [(299, "under 300"), (300, "show an effect"), (1000, "solid tune, if"), (5001, "more than"),
     (10_000, "serious work")],
)  # fmt: skip
def test_how_much_data_does_what(records: int, words: str) -> None:
    from pipeline.estimate_advice import advice
    from pipeline.estimate_data import Data
    from trainer.recipe import REFERENCE

    data = Data(records, 10, records * 100, 1500, {"99": 1200}, 2048, "counted")
    assert [words in line for line in advice(data, REFERENCE)] == [True]
