"""A step over flat rows is the guides' step: same loss, same gradient, whatever the layout."""

from __future__ import annotations

import pytest

from tests.trainer.tiny_models import (
    LENGTHS,
    apart,
    examples,
    grads,
    make_job,
    make_model,
    stir,
    write_model,
)

pytestmark = pytest.mark.train


def seen_steps():
    """A callback that keeps the losses of the steps, and the gradients of the first."""
    from transformers import TrainerCallback

    class Seen(TrainerCallback):
        losses: tuple = ()
        grads = None

        def on_pre_optimizer_step(self, args, state, control, model=None, **_):
            self.grads = self.grads or grads(model)

        def on_log(self, args, state, control, logs=None, **_):
            if "loss" in logs:
                self.losses = (*self.losses, logs["loss"])

    return Seen()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("sft") / "model")


def plain_base(kind="qwen3"):
    import torch

    return make_model(kind).to(torch.float32).requires_grad_(False)


def trained(trainer):
    from trainer.quiet import quiet

    quiet()
    seen = seen_steps()
    stir(trainer.model)
    trainer.add_callback(seen)
    trainer.train()
    return seen


def flat(job, base=None, budget=None):
    """The trainer of a job over a base of 32 bits, with rows of at most `budget` tokens."""
    import torch

    from trainer import attention
    from trainer.build import trainer_of
    from trainer.flat import Collator
    from trainer.sft import FlatTrainer

    attention.register()
    trainer, layout = trainer_of(job, base or plain_base(), torch.device("cpu"))
    assert layout["kind"] == "flat"
    assert isinstance(trainer, FlatTrainer)
    if budget:
        trainer.data_collator = Collator(budget, job.longest, kernel=False)
    return trainer


def guides(job, base=None):
    """Plain TRL over padded batches, the records in the order that ours takes."""
    import torch
    from transformers import set_seed
    from trl import SFTConfig, SFTTrainer

    from trainer.arguments import adapter
    from trainer.examples import to_dataset

    recipe = job.recipe
    draw = torch.Generator().manual_seed(recipe.seed)
    order = torch.randperm(len(job.train.rows), generator=draw).tolist()
    set_seed(recipe.seed)
    args = SFTConfig(
        output_dir=str(job.run), per_device_train_batch_size=recipe.batch_size,
        gradient_accumulation_steps=recipe.gradient_accumulation, num_train_epochs=1,
        learning_rate=recipe.learning_rate, lr_scheduler_type=recipe.schedule,
        warmup_steps=recipe.warmup_steps, train_sampling_strategy="sequential", use_cpu=True,
        bf16=False, logging_steps=1, save_strategy="no", report_to="none", max_length=None,
        dataset_kwargs={"skip_prepare_dataset": True}, disable_tqdm=True,
    )  # fmt: skip
    return SFTTrainer(
        model=base or plain_base(), args=args, processing_class=job.tokenizer,
        train_dataset=to_dataset([job.train.rows[i] for i in order]),
        peft_config=adapter(recipe),
    )  # fmt: skip


VERY_DIFFERENT = (200, 3, 5, 90, 2, 2, 61, 7, 150, 4, 33, 12, 3, 3, 80, 6, 9, 40, 5, 70)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["qwen3", "llama-tied", "mistral", "gemma2"])
def test_a_step_is_that_of_padded_batches(tmp_path, folder, kind):
    job = make_job(
        tmp_path / "run", folder, examples(VERY_DIFFERENT), batch_size=4, gradient_accumulation=4,
        epochs=1, dropout=0.0, learning_rate=2e-4,
    )  # fmt: skip
    theirs = trained(guides(job, plain_base(kind)))
    ours = trained(flat(job, plain_base(kind)))
    assert len(ours.losses) == 2  # 16 records and the rest
    assert ours.losses == pytest.approx(theirs.losses, rel=1e-4)
    assert apart(ours.grads, theirs.grads) < 1e-4


@pytest.mark.slow
def test_the_token_budget_changes_nothing(tmp_path, folder):
    job = make_job(
        tmp_path / "run", folder, examples(VERY_DIFFERENT), batch_size=4, gradient_accumulation=4,
        epochs=1, dropout=0.0, learning_rate=2e-4,
    )  # fmt: skip
    found = [trained(flat(job, budget=budget)) for budget in (200, 257, 400, 5000)]
    for one in found[1:]:
        assert one.losses == pytest.approx(found[0].losses, rel=1e-5)
        assert apart(one.grads, found[0].grads) < 1e-5


@pytest.mark.slow
def test_four_at_once_is_one_at_a_time_four_times(tmp_path, folder):
    import torch

    from trainer.build import _padded

    losses = []
    for batch, times in ((4, 1), (1, 4), (2, 2)):
        job = make_job(
            tmp_path / "run", folder, batch_size=batch, gradient_accumulation=times, dropout=0.0
        )
        losses.append(trained(flat(job)).losses)
        losses.append(trained(_padded(job, plain_base(), torch.device("cpu"))).losses)
    assert losses[0] == losses[2] == losses[4]  # rows do not know
    assert losses[1] == pytest.approx(losses[3], rel=1e-4)
    assert losses[1] == pytest.approx(losses[5], rel=1e-4)


def test_each_epoch_has_every_record_once_in_an_order_of_its_own(tmp_path, folder):
    job = make_job(tmp_path / "run", folder)
    trainer = flat(job)
    steps = trainer.get_train_dataloader()
    orders = []
    for epoch in range(2):
        trainer.state.global_step = epoch * len(steps)
        rows = [row for step in steps for row in step["rows"]]
        firsts = [row.ids[0, start].item() for row in rows for start in row.blocks.bounds[:-1]]
        orders.append(firsts)
    assert len(steps) == 3
    assert sorted(orders[0]) == sorted(orders[1]) == sorted(one.ids[0] for one in job.train.rows)
    assert orders[0] != orders[1]


def test_the_holdout_loss_is_per_trained_token_in_both_layouts(tmp_path, folder):
    import torch

    from trainer.build import _padded

    held = examples((80, 3, 9, 40), seed=8)
    job = make_job(tmp_path / "run", folder, holdout=held)
    trainers = [flat(job), _padded(job, plain_base(), torch.device("cpu"))]
    total = 0.0
    model = plain_base()
    for one in held.rows:
        ids, labels = torch.tensor([one.ids]), torch.tensor([one.labels])
        total += float(model(input_ids=ids, labels=labels).loss) * one.trained
    for trainer in trainers:
        found = trainer.evaluate()["eval_loss"]
        assert found == pytest.approx(total / held.stats.trained, rel=1e-5)
        assert trainer.model.training


def test_a_step_without_a_trained_token_stops_the_run(tmp_path, folder):
    from dataclasses import replace

    from tests.trainer.tiny_models import as_set
    from trainer.advice import advice
    from trainer.guard import RunStopped

    mute = [replace(one, labels=[-100] * len(one.ids)) for one in examples(LENGTHS).rows]
    trainer = flat(make_job(tmp_path / "run", folder, as_set(mute)))
    with pytest.raises(RunStopped) as told:
        trainer.train()
    assert str(told.value) == advice("no-signal")
