"""`init`: what it sees, what it writes, and what it never writes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.answer_form import Form, answer_schema
from pipeline.config import load
from pipeline.errors import UsageFault
from pipeline.init import STDOUT, InitResult, init
from pipeline.init_file import quoted
from pipeline.strict_yaml import parse
from pipeline.survey import MAX_PROMPTS

if TYPE_CHECKING:
    from pathlib import Path

SYSTEM = 'Extract the "fields": as JSON. # exactly\nOne line.'


def chat(answer: str, system: str | None = SYSTEM, user: str = "Please read this invoice.") -> Any:
    head = [{"role": "system", "content": system}] if system is not None else []
    return {
        "messages": [
            *head,
            {"role": "user", "content": user},
            {"role": "assistant", "content": answer},
        ]
    }


def rows(path: Path, *values: object) -> Path:
    path.write_text("".join(json.dumps(one) + "\n" for one in values), encoding="utf-8")
    return path


def nothing(_: str) -> bool:
    return False


def run(folder: Path, *files: Path, requests: Path | None = None, **more: Any) -> InitResult:
    find = more.get("find", nothing)
    return init(list(files), requests, folder / "privatune.yaml", find)


def test_a_constant_prompt_and_json_answers_become_the_contract(tmp_path: Path) -> None:
    answers = ({"total": n, "paid": bool(n % 2), "Ana Reyes": 1} for n in range(3))
    data = rows(tmp_path / "a.jsonl", *(chat(json.dumps(one)) for one in answers))
    result = run(tmp_path, data)
    config = load(tmp_path / "privatune.yaml")
    assert config.system_text() == SYSTEM
    assert config.contract.turns == "single"
    assert config.data.format == "messages"
    assert config.input_files() == (data,)
    assert (config.tokens.max_length, config.holdout.fraction) == (2048, 0.1)
    schema = config.answer_schema()
    assert schema is not None
    assert schema["properties"] == {"total": {"type": "number"}, "paid": {"type": "boolean"}}
    assert schema["required"] == ["total", "paid"]
    assert "Ana" not in json.dumps(schema) + result.text
    assert result.schema_path == tmp_path / "answer.schema.json"


def test_the_guides_question_and_volume_are_in_words(tmp_path: Path) -> None:
    result = run(tmp_path, rows(tmp_path / "a.jsonl", chat("Yes.")))
    for text in (result.text, result.as_text()):
        for word in ("retrieval", "better prompt", "300", "1,000", "10,000", "too few"):
            assert word in text
    assert result.text.startswith("# Written by `privatune init` after a look at 1 record")
    assert "No answer" not in result.text
    assert json.loads(result.as_json())["records"] == 1


def test_a_prompt_with_an_identifier_is_not_written(tmp_path: Path) -> None:
    system = "You work for Ana Reyes."
    data = rows(tmp_path / "a.jsonl", chat("Yes.", system), chat("No.", system))
    result = run(tmp_path, data, find=lambda text: "Ana" in text)
    assert "Ana" not in result.text + result.as_text() + result.as_json()
    assert "looks like an identifier" in result.as_text()
    assert load(tmp_path / "privatune.yaml").contract.system is None


@pytest.mark.parametrize("count", [2, MAX_PROMPTS + 5])
def test_prompts_that_differ_are_counted_not_written(tmp_path: Path, count: int) -> None:
    data = [chat("Yes.", f"Prompt number {n}.") for n in range(count)]
    result = run(tmp_path, rows(tmp_path / "a.jsonl", *data))
    assert "Prompt number" not in result.text
    assert "different system prompts" in result.text
    assert load(tmp_path / "privatune.yaml").contract.system is None


def test_production_that_differs_is_told_and_left_inactive(tmp_path: Path) -> None:
    data = rows(tmp_path / "a.jsonl", chat("Yes."), chat("No.", "Other."))
    body = {"model": "m", "messages": chat("x")["messages"][:-1]}
    asked = rows(tmp_path / "r.jsonl", {"body": body}, body)
    result = run(tmp_path, data, requests=asked)
    config = load(tmp_path / "privatune.yaml")
    assert config.contract.requests == asked
    assert config.contract.system is None
    assert f"# system: {quoted(SYSTEM)}" in result.text
    assert "stands in 1 of 2 records" in result.as_text()


@pytest.mark.parametrize(
    "body",
    [
        {"messages": chat("x")["messages"][:-1]},
        {"custom_id": "1", "body": {"messages": chat("x")["messages"][:-1]}},
        {"request": json.dumps({"messages": chat("x")["messages"][:-1]})},
        {"model": "m", "system": SYSTEM, "prompt": "Read this."},
        chat("x")["messages"][:-1],
    ],
)
def test_requests_in_every_wrapping_agree_with_the_data(tmp_path: Path, body: object) -> None:
    data = rows(tmp_path / "a.jsonl", chat("Yes."))
    result = run(tmp_path, data, requests=rows(tmp_path / "r.jsonl", body))
    assert load(tmp_path / "privatune.yaml").system_text() == SYSTEM
    assert "Production" not in "".join(result.notes)


def test_plain_prompts_are_requests_too(tmp_path: Path) -> None:
    data = rows(tmp_path / "a.jsonl", chat("Yes."))
    asked = tmp_path / "r.txt"
    asked.write_text("Read this.\nAnd this.\n", encoding="utf-8")
    result = run(tmp_path, data, requests=asked)
    assert "Production sends no system prompt" in result.as_text()
    assert load(tmp_path / "privatune.yaml").contract.system is None


def test_mixed_formats_stay_auto(tmp_path: Path) -> None:
    one = rows(tmp_path / "a.jsonl", chat("Yes.", None))
    two = rows(tmp_path / "b.jsonl", {"instruction": "Say yes.", "input": "", "output": "Yes."})
    result = run(tmp_path, one, two)
    assert load(tmp_path / "privatune.yaml").data.format == "auto"
    assert result.formats == {"messages": 1, "alpaca": 1}
    assert "No record has a system prompt" in result.text


def test_languages_are_told_and_unknown_ones_warned_of(tmp_path: Path) -> None:
    data = rows(
        tmp_path / "a.jsonl",
        chat(
            "Claro, enseguida le envío la factura corregida.", None, "Necesito la factura de mayo."
        ),
        chat(
            "Persze, holnap reggel elküldöm önnek az új számlát.",
            None,
            "Új számlára van szükségem.",
        ),
    )
    result = run(tmp_path, data)
    assert "es" in result.languages
    assert "hu" in result.languages
    assert "Records in hu are quarantined" in result.as_text()


def test_records_of_no_known_format_still_have_a_language(tmp_path: Path) -> None:
    row = {"question": "Where is the parcel that I ordered?", "notes": ["It left us on Monday."]}
    result = run(tmp_path, rows(tmp_path / "a.jsonl", row))
    assert result.languages == {"en": 1}
    assert "no format that is known" in result.as_text()
    assert load(tmp_path / "privatune.yaml").data.format == "auto"


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    data = rows(tmp_path / "a.jsonl", chat('{"a": 1}'))
    (tmp_path / "privatune.yaml").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageFault, match="exists"):
        run(tmp_path, data)
    (tmp_path / "privatune.yaml").unlink()
    (tmp_path / "answer.schema.json").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageFault, match=r"answer\.schema\.json: exists"):
        run(tmp_path, data)
    assert (tmp_path / "answer.schema.json").read_text(encoding="utf-8") == "mine"
    assert not (tmp_path / "privatune.yaml").exists()


def test_standard_output_writes_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows(tmp_path / "a.jsonl", chat('{"a": 1}'))
    monkeypatch.chdir(tmp_path)
    result = init([], None, STDOUT, nothing)
    assert [one.name for one in tmp_path.iterdir()] == ["a.jsonl"]
    assert '    - "a.jsonl"\n' in result.text
    assert result.as_text() == result.text.rstrip("\n")
    (tmp_path / "privatune.yaml").write_text(result.text, encoding="utf-8")
    assert load("privatune.yaml").contract.answer_schema is None


def test_no_data_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UsageFault, match="init FILES"):
        init([], None, STDOUT, nothing)
    (tmp_path / "a.jsonl").write_text("", encoding="utf-8")
    with pytest.raises(Exception, match=r"a\.jsonl|no record"):
        init([], None, STDOUT, nothing)


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.text(min_size=1, max_size=30))
def test_any_prompt_is_written_exactly(tmp_path: Path, system: str) -> None:
    data = rows(tmp_path / "a.jsonl", chat("Yes.", system))
    result = init([data], None, STDOUT, nothing)
    (tmp_path / "p.yaml").write_text(result.text, encoding="utf-8", newline="")
    assert load(tmp_path / "p.yaml").system_text() == system


@given(st.text(max_size=40))
def test_quoting_is_exact(text: str) -> None:
    assert parse(f"a: {quoted(text)}".encode()).value == {"a": text}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["a", "b", "c d", "Ana", "é"]), inner, max_size=3)
    ),
    max_leaves=10,
)


@given(st.lists(JSON, min_size=1, max_size=6))
def test_every_answer_satisfies_its_schema_and_no_value_is_in_it(values: list[Any]) -> None:
    form = Form()
    for value in values:
        form.add(value)
    schema = answer_schema(form, lambda name: name == "Ana")
    validator = jsonschema.Draft202012Validator(schema)
    assert all(validator.is_valid(value) for value in values)
    text = json.dumps(schema)
    assert "c d" not in text
    assert "Ana" not in text


def test_keys_that_are_data_are_no_fields() -> None:
    form = Form()
    for number in range(300):
        form.add({f"name{number}": {"x": 1}, "total": 2})
    assert answer_schema(form, nothing).get("properties", {}).keys() <= {"total"}
    wide = Form()
    wide.add({f"name{number}": 1 for number in range(500)})
    assert "properties" not in answer_schema(wide, nothing)
