"""The run folder: what is there is never lost by mistake, and never taken for another run."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import run_folder
from pipeline.errors import Refused, UsageFault

BODY = {
    "manifest": "a" * 64, "base": {"name": "tiny", "hash": "b" * 64}, "stop_after": None,
    "tokenizer": {"template": "chat", "max_length": 256}, "recipe": {"r": 8, "seed": 42},
}  # fmt: skip


def files(root: Path) -> dict[str, bytes]:
    return {
        str(p.relative_to(root)): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file()
    }


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run that is under way, with what it has written so far."""
    root = tmp_path / "run"
    run_folder.start(root, BODY, restart=False)
    for name in ("checkpoints/checkpoint-4", "adapter"):
        (root / name).mkdir(parents=True)
        (root / name / "weights").write_text("w")
    (root / "metrics.jsonl").write_text("{}\n")
    return root


def finish(root: Path) -> None:
    run_folder.write(root, {**run_folder.read(root), "status": "done"})


@pytest.mark.parametrize("there", [False, True], ids=["nothing there", "an empty folder"])
def test_a_new_run_is_noted_as_under_way(tmp_path: Path, there: bool) -> None:
    root = tmp_path / "runs" / "one"
    if there:
        (root / "cache-own").mkdir(parents=True)  # the seal's, made before
    assert run_folder.start(root, BODY, restart=False) is None
    assert run_folder.read(root) == {"version": 1, **BODY, "status": "running"}


def test_an_unfinished_run_goes_on_with_what_it_had(run: Path) -> None:
    run_folder.stop(run, {"reason": "interrupted", "notes": ["seen"]})
    before = run_folder.start(run, BODY, restart=False)
    assert before is not None
    assert (before["status"], before["reason"]) == ("stopped", "interrupted")
    assert (run / "checkpoints/checkpoint-4/weights").exists()
    assert run_folder.read(run)["status"] == "running"


def test_a_done_run_stays(run: Path) -> None:
    finish(run)
    before = files(run)
    with pytest.raises(Refused, match=r"this run is done.*--restart"):
        run_folder.start(run, BODY, restart=False)
    assert files(run) == before


CHANGES = {
    "manifest": ({"manifest": "c" * 64}, "manifest"),
    "base": ({"base": {"name": "tiny", "hash": "d" * 64}}, "base.hash"),
    "template": ({"tokenizer": {"template": "alpaca", "max_length": 256}}, "tokenizer.template"),
    "a number of the recipe": ({"recipe": {"r": 8, "seed": 7}}, "recipe.seed"),
    "a probe": ({"stop_after": 5}, "stop_after"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_another_run_is_refused_and_the_place_is_named(run: Path, change: str) -> None:
    other, place = CHANGES[change]
    before = files(run)
    with pytest.raises(Refused) as refused:
        run_folder.start(run, {**BODY, **other}, restart=False)
    assert f"another kind ({place} differ)" in str(refused.value)
    assert files(run) == before


FOREIGN = {
    "some file": {"notes.txt": "mine"},
    "another tool's run.json": {"run.json": '{"run": "mine"}', "adapter/a": "x"},
    "another version": {"run.json": json.dumps({**BODY, "version": 99})},
    "a version alone": {"run.json": '{"version": 1}'},
    "a torn run.json": {"run.json": '{"version": 1, "mani', "checkpoints/c": "x"},
    "a list": {"run.json": "[1]"},
}


@pytest.mark.parametrize("restart", [False, True])
@pytest.mark.parametrize("kind", FOREIGN)
def test_a_foreign_folder_is_refused_whatever_is_asked(
    tmp_path: Path, kind: str, restart: bool
) -> None:
    for name, text in FOREIGN[kind].items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    before = files(tmp_path)
    with pytest.raises(UsageFault, match="no run folder of this version"):
        run_folder.start(tmp_path, BODY, restart=restart)
    assert files(tmp_path) == before


def test_restart_removes_what_is_ours_alone(run: Path, tmp_path: Path) -> None:
    finish(run)
    (run / "notes.txt").write_text("mine")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "model").write_text("dear")
    (run / "export").symlink_to(elsewhere)
    run_folder.start(run, {**BODY, "recipe": {"r": 4}}, restart=True)
    assert set(files(run)) == {"notes.txt", "run.json"}
    assert not (run / "export").is_symlink()
    assert (elsewhere / "model").read_text() == "dear"


@given(cut=st.integers(0, len(run_folder.OURS)))
def test_a_removal_that_is_cut_off_can_go_on(
    tmp_path_factory: pytest.TempPathFactory, cut: int
) -> None:
    """Whatever was removed before the cut, what is left is a run folder or an empty one."""
    root = tmp_path_factory.mktemp("run")
    run_folder.start(root, BODY, restart=False)
    for name in run_folder.OURS:
        if name != run_folder.FILE:
            (root / name).write_text("x")
    for name in run_folder.OURS[:cut]:
        (root / name).unlink()
    run_folder.start(root, BODY, restart=True)
    assert set(files(root)) == {"run.json"}


def test_a_second_run_at_the_same_folder_waits(run: Path) -> None:
    again = run_folder.held(run)
    with run_folder.held(run), pytest.raises(UsageFault, match="another `train` is at work there"):
        again.__enter__()
    with run_folder.held(run):
        pass


def test_how_it_ended_is_noted_on_a_run_that_is_under_way_alone(run: Path) -> None:
    run_folder.stop(run, {"reason": "nan"})
    run_folder.stop(run, {"reason": "later"})
    assert run_folder.read(run)["reason"] == "nan"
    finish(run)
    run_folder.stop(run, {"reason": "later"})
    assert run_folder.read(run)["status"] == "done"


def test_a_place_where_no_folder_can_be_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for root in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(UsageFault, match="--output"):
            run_folder.start(root, BODY, restart=False)
    assert (tmp_path / "file").read_text() == "mine"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_told(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(UsageFault, match="Permission denied"):
        run_folder.start(tmp_path / "run", BODY, restart=False)


def test_caches_of_a_killed_run_are_swept_and_the_own_one_stays(run: Path) -> None:
    for name in ("cache-old", "cache-own"):
        (run / name / "datasets").mkdir(parents=True)
        (run / name / "datasets" / "rows.arrow").write_text("rows")
    run_folder.tidy(run, (run / "cache-own").resolve())
    assert not (run / "cache-old").exists()
    assert (run / "cache-own/datasets/rows.arrow").exists()


def test_what_the_other_processes_leave_comes_into_the_books(run: Path) -> None:
    run_folder.write(run, {**run_folder.read(run), "seal": {"level": "namespace"}})
    for rank in (2, 1):
        run_folder.leave_rank(run, rank, {"level": "namespace", "attempts": []})
    run_folder.add_ranks(run, {"parent": {"level": "namespace"}}, ["a note"])
    seal = run_folder.read(run)["seal"]
    assert [one["rank"] for one in seal["ranks"]] == [1, 2]
    assert (seal["level"], seal["parent"]["level"]) == ("namespace", "namespace")
    assert not list(run.glob(".rank-*"))
