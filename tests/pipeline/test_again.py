"""A full name that one record confirms is found in the records where it stands bare."""

import json
from pathlib import Path

from tests.conftest import privatune, read_rows, write_rows
from tests.pipeline.rows import plain


def test_a_name_confirmed_in_one_record_goes_from_all(work: Path) -> None:
    bare = {"instruction": "Sort: apples, Ottilie Brandmeister, pears.", "output": "Done."}
    told = {"instruction": "My name is Ottilie Brandmeister.", "output": "Hello."}
    unlike = {"instruction": "Ottilie Brand meister and Brandmeister Lane stay.", "output": "Yes."}
    write_rows(work / "rows.jsonl", [bare, told, unlike, *map(plain, range(30))])
    (work / "privatune.yaml").write_text(
        "data: {inputs: [rows.jsonl], output: out}\n"
        "privacy: {detectors: [rules]}\nholdout: {fraction: 0}\n"
    )
    assert privatune("prep", cwd=work).returncode == 0
    first, second, third, *_ = read_rows(work / "out" / "ship" / "train.jsonl")
    surrogate = str(second["instruction"]).removeprefix("My name is ").removesuffix(".")
    assert surrogate != "Ottilie Brandmeister"
    assert first["instruction"] == f"Sort: apples, {surrogate}, pears."
    assert third == unlike
    report = json.loads((work / "out" / "keep" / "report.json").read_text())
    assert report["detectors"]["set"] == 1
    assert privatune("check", "out", cwd=work).returncode == 0


def test_a_number_confirmed_in_one_record_goes_from_all(work: Path) -> None:
    """Bare, grouped otherwise, and as a JSON number; another number of the kind stays."""
    told = {"instruction": "My customer number is 48213377.", "output": "Thanks."}
    bare = {"instruction": "Look at 48 213 377 again.", "output": '{"nr": 48213377}'}
    other = {"instruction": "Add 48213378 and 5.", "output": "48213383"}
    write_rows(work / "rows.jsonl", [bare, told, other, *map(plain, range(30))])
    (work / "privatune.yaml").write_text(
        "data: {inputs: [rows.jsonl], output: out}\n"
        "privacy: {detectors: [rules]}\nholdout: {fraction: 0}\n"
    )
    assert privatune("prep", cwd=work).returncode == 0
    first, second, third, *_ = read_rows(work / "out" / "ship" / "train.jsonl")
    new = str(second["instruction"]).removeprefix("My customer number is ").removesuffix(".")
    assert len(new) == 8
    assert new != "48213377"
    assert first["instruction"] == f"Look at {new[:2]} {new[2:5]} {new[5:]} again."
    assert first["output"] == f'{{"nr": {new}}}'
    assert third == other
    assert privatune("check", "out", cwd=work).returncode == 0
