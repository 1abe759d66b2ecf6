"""`train --show`: what the model reads, what is trained in it, and nothing else done."""

import json

import pytest

from pipeline.show import CLOSE, OPEN
from tests.conftest import privatune
from tests.pipeline.small import FACT

pytestmark = [pytest.mark.train, pytest.mark.slow]


def test_records_are_shown_as_the_template_writes_them(home):
    done = privatune("train", "--show", "2", cwd=home.root)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("record ") == 2
    first = done.stdout.split("record 2")[0]
    assert first.startswith("record 1\n<|im_start|>system\n")
    assert f"<|im_start|>assistant\n{OPEN}{FACT}<|im_end|>{CLOSE}" in first
    assert first.count(OPEN) == 1
    assert not (home.root / "run").exists()


def test_machines_get_the_pieces(home):
    done = privatune("train", "--show", "1", "--json", cwd=home.root)
    (shown,) = json.loads(done.stdout)
    assert [piece["text"] for piece in shown["pieces"] if piece["trained"]] == [f"{FACT}<|im_end|>"]


def test_a_folder_that_was_changed_is_not_shown(home):
    rows = home.root / "prepared" / "ship" / "train.jsonl"
    rows.write_text(rows.read_text().replace("owl", "cat"))
    done = privatune("train", "--show", "1", cwd=home.root)
    assert done.returncode == 1
    assert "changed after" in done.stderr
