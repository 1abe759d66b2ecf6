"""Only a checkpoint that is whole is gone on from."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trainer.checkpoints import MARK, drop, is_whole, latest, mark, step_of

NAMES = ("adapter_model.safetensors", "optimizer.pt", "trainer_state.json")


def checkpoint(folder, step, *, marked=True):
    made = folder / f"checkpoint-{step}"
    made.mkdir(parents=True)
    for name in NAMES:
        (made / name).write_bytes(f"{name} {step} ".encode() * 20)
    if marked:
        mark(made)
    return made


def test_the_newest_is_by_number_and_not_by_name(tmp_path):
    for step in (2, 10, 9):
        checkpoint(tmp_path, step)
    found, spoiled = latest(tmp_path)
    assert (step_of(found), spoiled) == (10, [])


def test_none_at_all(tmp_path):
    assert latest(tmp_path / "none") == (None, [])
    assert step_of(None) == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.sampled_from([*NAMES, MARK]), st.sampled_from(["cut", "flip", "gone"]), st.data())
def test_whatever_happens_to_one_file_the_one_before_is_taken(tmp_path_factory, name, how, data):
    folder = tmp_path_factory.mktemp("checkpoints")
    checkpoint(folder, 3)
    path = checkpoint(folder, 6) / name
    content = path.read_bytes()
    place = data.draw(st.integers(0, len(content) - 1))
    if how == "cut":
        path.write_bytes(content[:place])
    elif how == "flip":
        changed = bytes([content[place] ^ (1 << data.draw(st.integers(0, 7)))])
        path.write_bytes(content[:place] + changed + content[place + 1 :])
    else:
        path.unlink()
    found, spoiled = latest(folder)
    if name == MARK and is_whole(folder / "checkpoint-6"):
        return  # a mark that says the same with other bytes
    assert (step_of(found), spoiled) == (3, ["checkpoint-6"])
    drop(folder, spoiled)
    assert latest(folder) == (folder / "checkpoint-3", [])


def test_one_that_was_never_marked_is_not_whole(tmp_path):
    checkpoint(tmp_path, 1)
    checkpoint(tmp_path, 2, marked=False)
    assert latest(tmp_path) == (tmp_path / "checkpoint-1", ["checkpoint-2"])


def test_a_second_mark_over_the_first_counts(tmp_path):
    made = checkpoint(tmp_path, 4)
    (made / NAMES[0]).write_bytes(b"written again at the epoch's end")
    assert not is_whole(made)
    mark(made)
    assert is_whole(made)


@pytest.mark.parametrize("content", ["[]", "{}", '{"files": {}}', '{"files": 3}', "null", "\x00"])
def test_a_mark_of_another_form_is_none(tmp_path, content):
    made = checkpoint(tmp_path, 1)
    (made / MARK).write_text(content)
    assert not is_whole(made)
