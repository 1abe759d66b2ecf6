"""What is noticed while a run goes on, and what its books survive."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from tests.conftest import read_rows

pytestmark = pytest.mark.train
ARGS = SimpleNamespace(warmup_steps=0, output_dir="none", fp16=False)


def state(step, epoch=0.5, **more):
    return SimpleNamespace(global_step=step, epoch=epoch, max_steps=100, is_world_process_zero=True,
                           best_global_step=None, **more)  # fmt: skip


def books(path, said=None):
    from trainer.watch import Books

    said = [] if said is None else said
    return Books(path / "metrics.jsonl", lambda: 7, said.append, lambda *_: None)


def run(watch, losses, start=1):
    for step, loss in enumerate(losses, start=start):
        watch.on_log(ARGS, state(step), None, {"loss": loss, "learning_rate": 1e-4})


def end_epoch(watch, step, loss):
    watch.on_log(ARGS, state(step, 1.0), None, {"eval_loss": loss})
    watch.on_evaluate(ARGS, state(step, 1.0), None, {"eval_loss": loss})


def test_a_loss_that_does_not_fall_is_said_once(tmp_path):
    from trainer.advice import advice

    said = []
    run(books(tmp_path, said), [2.0] * 120)
    assert said == [advice("not-falling")]


@pytest.mark.parametrize("losses", [[2 - 0.01 * i for i in range(100)], [2.0] * 40])
def test_one_that_falls_or_has_hardly_begun_is_not(tmp_path, losses):
    said = []
    run(books(tmp_path, said), losses)
    assert said == []


def test_of_a_short_run_it_is_said_at_its_end(tmp_path):
    from trainer.advice import advice

    said = []
    watch = books(tmp_path, said)
    run(watch, [2.0] * 30)
    assert said == []
    watch.on_train_end(ARGS, state(30), None)
    assert said == [advice("not-falling")]


@pytest.mark.parametrize(
    ("training", "holdout", "warned"),
    [((2.0, 1.5), (1.8, 1.9), True), ((2.0, 1.5), (1.8, 1.7), False),
     ((2.0, 2.1), (1.8, 1.9), False)],
)  # fmt: skip
def test_over_fitting_is_a_holdout_that_rises_while_training_falls(
    tmp_path, training, holdout, warned
):
    from trainer.advice import advice

    said = []
    watch = books(tmp_path, said)
    for epoch, (loss, held) in enumerate(zip(training, holdout, strict=True)):
        run(watch, [loss] * 3, start=1 + 3 * epoch)
        end_epoch(watch, 3 + 3 * epoch, held)
    assert said == ([advice("over-fitting")] if warned else [])
    assert watch.best_epoch == (1 if holdout[0] < holdout[1] else 2)


def test_books_go_on_after_the_step_of_the_checkpoint(tmp_path):
    first = books(tmp_path)
    run(first, [3.0, 2.0])
    end_epoch(first, 2, 2.5)
    run(first, [1.0, 0.5], start=3)
    second = books(tmp_path)
    assert second.resume(3) == 7
    assert second.losses == [3.0, 2.0, 1.0]
    assert second.epochs == [(2.5, 2.5)]
    assert second.train_loss == 2.0
    assert [row["step"] for row in read_rows(tmp_path / "metrics.jsonl")] == [1, 2, 2, 3]


@pytest.mark.parametrize(
    "torn", [b'{"step": 3, "ep', b"\xff\xfe{", b"3\n", b'{"other": 1}\n', b"\x00" * 40]
)
def test_a_torn_last_line_is_dropped(tmp_path, torn):
    run(books(tmp_path), [3.0, 2.0])
    path = tmp_path / "metrics.jsonl"
    path.write_bytes(path.read_bytes() + torn)
    again = books(tmp_path)
    again.resume(9)
    assert again.losses == [3.0, 2.0]
    run(again, [1.0], start=3)
    assert [row["loss"] for row in read_rows(path)] == [3.0, 2.0, 1.0]


def test_books_of_a_new_run_are_empty(tmp_path):
    run(books(tmp_path), [3.0])
    assert books(tmp_path).resume(0) == 0
    assert (tmp_path / "metrics.jsonl").read_text() == ""


def test_books_hold_numbers_only(tmp_path):
    watch = books(tmp_path)
    run(watch, [3.0])
    end_epoch(watch, 1, 2.0)
    watch.on_log(ARGS, state(1), None, {"train_runtime": 3.0})
    rows = read_rows(tmp_path / "metrics.jsonl")
    assert [sorted(row) for row in rows] == [
        ["epoch", "learning_rate", "loss", "seconds", "step", "tokens"],
        ["epoch", "holdout_loss", "step"],
    ]
    assert all(isinstance(value, int | float) for row in rows for value in row.values())


def saves(every, seconds, ends):
    control = SimpleNamespace(should_save=False)
    for step, epoch in enumerate(ends, start=1):
        control.should_save = False
        every.on_step_end(ARGS, state(step, epoch), control)
        if control.should_save:
            yield step


def test_checkpoints_come_by_steps_but_not_before_an_epochs_evaluation():
    from trainer.watch import SaveEvery

    ends = [i / 4 for i in range(1, 9)]  # epochs end at steps 4 and 8
    assert list(saves(SaveEvery(1e9, 2), 0, ends)) == [2, 6]
    assert list(saves(SaveEvery(1e9, 1), 0, ends)) == [1, 2, 3, 5, 6, 7]
    assert list(saves(SaveEvery(1e9), 0, ends)) == []
    assert list(saves(SaveEvery(-1.0), 0, ends)) == [1, 2, 3, 5, 6, 7]


@pytest.mark.parametrize("moved", [False, True])
def test_the_best_checkpoint_is_found_where_the_run_lies_now(tmp_path, moved):
    from tests.trainer.test_checkpoints import checkpoint

    folder = tmp_path / "now"
    checkpoint(folder, 4)
    args = SimpleNamespace(output_dir=str(folder))
    old = str(tmp_path / "before" / "checkpoint-4") if moved else str(folder / "checkpoint-4")
    found = SimpleNamespace(best_global_step=4, best_metric=1.0, best_model_checkpoint=old)
    books(tmp_path).on_train_begin(args, found, None)
    assert found.best_model_checkpoint == str(folder / "checkpoint-4")
    assert found.best_metric == 1.0


def test_a_best_checkpoint_that_is_damaged_is_said_and_no_longer_the_best(tmp_path):
    from tests.trainer.test_checkpoints import checkpoint
    from trainer.watch import BEST_LOST

    said = []
    watch = books(tmp_path, said)
    run(watch, [2.0])
    end_epoch(watch, 1, 1.0)
    (checkpoint(tmp_path, 1) / "optimizer.pt").write_bytes(b"")
    found = SimpleNamespace(best_global_step=1, best_metric=1.0, best_model_checkpoint="x")
    watch.on_train_begin(SimpleNamespace(output_dir=str(tmp_path)), found, None)
    assert (found.best_global_step, found.best_metric, said) == (None, None, [BEST_LOST])
    assert watch.best_epoch is None
    end_epoch(watch, 2, 3.0)
    assert watch.best_epoch == 2


def test_lines_are_json_whatever_the_numbers(tmp_path):
    watch = books(tmp_path)
    run(watch, [1e-300, 12345.678])
    for line in (tmp_path / "metrics.jsonl").read_text().splitlines():
        json.loads(line, parse_constant=pytest.fail)
