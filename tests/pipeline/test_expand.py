"""What a folder given as input stands for: data files and saved sets, never the tool's own books."""

from pathlib import Path

import pytest

from pipeline.inputs import expand, labels
from pipeline.look import name_is_plain
from pipeline.sources import InputError
from tests.conftest import privatune


def touch(*paths: Path) -> None:
    for path in paths:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("{}\n")


def test_a_saved_set_below_a_folder_is_one_input(tmp_path: Path) -> None:
    touch(tmp_path / "a.jsonl", tmp_path / "saved" / "state.json")
    touch(tmp_path / "saved" / "dataset_info.json", tmp_path / "z" / "b.json")
    found = expand([tmp_path], tmp_path / "out")
    assert found == [str(tmp_path / n) for n in ("a.jsonl", "saved", "z/b.json")]


def test_what_prep_writes_is_no_input(tmp_path: Path) -> None:
    books = ("out/ship/manifest.sig", "out/keep/report.json", "out.refused/report.json")
    touch(*(tmp_path / name for name in books), tmp_path / ".out.partial" / "spool.jsonl")
    touch(tmp_path / "old" / "ship" / "manifest.sig", tmp_path / "old" / "ship" / "train.jsonl")
    touch(tmp_path / "old" / "ship" / "holdout.jsonl", tmp_path / "a.jsonl")
    assert expand([tmp_path], tmp_path / "out") == [str(tmp_path / "a.jsonl")]
    audited = expand([tmp_path / "old", tmp_path / "a.jsonl"])
    assert str(tmp_path / "old" / "ship" / "train.jsonl") in audited
    with pytest.raises(InputError, match="prepared folder"):
        expand([tmp_path / "old"], tmp_path / "out")


def test_a_file_is_read_once_whatever_it_is_called(tmp_path: Path) -> None:
    touch(tmp_path / "a.jsonl")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "a.jsonl")
    assert expand([tmp_path, tmp_path / "a.jsonl"], tmp_path / "out") == [str(tmp_path / "a.jsonl")]
    (tmp_path / "lost.jsonl").symlink_to(tmp_path / "nowhere")
    with pytest.raises(InputError, match="link to nothing"):
        expand([tmp_path], tmp_path / "out")


def test_a_file_name_that_tells_is_shown_by_number() -> None:
    files = [
        "d/rows.jsonl",
        "d/ottilie@zq.example.jsonl",
        "d/Ana Reyes.jsonl",
        "d/two\nlines.jsonl",
    ]
    told = labels(files, name_is_plain)
    assert told == ["rows.jsonl", "[file 2]", "[file 3]", "[file 4]"]


def test_a_folder_with_half_a_seal_is_read_like_any_other(tmp_path: Path) -> None:
    for name in ("manifest.json", "run.json"):
        (tmp_path / name).write_text("{}\n")
    rows = tmp_path / "rows.jsonl"
    rows.write_text('{"text": "Write to ana.reyes@example.org"}\n')
    done = privatune("audit", str(rows), "--fast")
    assert done.returncode == 1
    assert "EMAIL_ADDRESS" in done.stdout
