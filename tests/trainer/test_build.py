"""What a trainer is built from: layers that are there, a warm-up that fits into the run."""

import json
import os
import stat

import pytest

from tests.trainer.tiny_models import examples, make_job, write_model

pytestmark = [pytest.mark.train, pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("build") / "model")


def said(job):
    from dataclasses import replace

    from trainer.fit import fit

    words = []
    outcome = fit(replace(job, say=words.append))
    return " ".join(words), outcome


def test_a_layer_that_is_not_there_is_named_and_those_that_are(folder, tmp_path):
    from trainer.base import BaseError
    from trainer.fit import fit

    job = make_job(tmp_path, folder, targets=("q_proj", "nosuch"))
    with pytest.raises(BaseError, match=r"no layer nosuch\. It has: .*k_proj.*q_proj"):
        fit(job)


def test_a_warmup_longer_than_the_run_is_shortened_and_said(folder, tmp_path):
    job = make_job(tmp_path, folder, examples([20] * 8), warmup_steps=500, epochs=2)
    words, outcome = said(job)
    assert "too short for train.warmup_steps 500" in words
    rates = [json.loads(line).get("learning_rate") for line in
             (tmp_path / "metrics.jsonl").read_text().splitlines()]  # fmt: skip
    peak = max(rate for rate in rates if rate is not None)
    assert peak > 0.5 * job.recipe.learning_rate
    assert outcome.steps < 500


def test_a_warmup_that_fits_is_left_alone(folder, tmp_path):
    words, _ = said(make_job(tmp_path, folder, examples([20] * 8), warmup_steps=1, epochs=2))
    assert "warmup" not in words


def test_what_is_written_is_in_order_and_may_be_read_by_others(folder, tmp_path):
    before = os.umask(0o022)
    try:
        said(make_job(tmp_path, folder, targets=("v_proj", "q_proj")))
    finally:
        os.umask(before)
    adapter = tmp_path / "adapter"
    body = json.loads((adapter / "adapter_config.json").read_text())
    assert body["target_modules"] == ["q_proj", "v_proj"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in adapter.iterdir()} == {0o644}
