"""The proof before each run: holds where examples are apart, fails by far where they are not."""

from __future__ import annotations

import pytest

from tests.trainer.tiny_models import FLAT, SHAPES, make_model, write_model

pytestmark = pytest.mark.train


def proof_of(model, **more):
    from trainer.attention import register
    from trainer.isolation import prove
    from trainer.parts import parts_of

    register()
    return prove(model, parts_of(model), kernel=False, **more)


@pytest.fixture
def without_boundaries(monkeypatch):
    """Rows that say they are one example, with places that start anew: what packing gone wrong is."""
    from dataclasses import replace

    from trainer import isolation
    from trainer.attention import Blocks

    whole = isolation.flat_row

    def dropped(*args, **more):
        row = whole(*args, **more)
        return replace(
            row, blocks=Blocks(row.blocks.bounds[[0, -1]], (row.ids.numel(),), row.ids.numel())
        )

    monkeypatch.setattr(isolation, "flat_row", dropped)


@pytest.mark.parametrize("kind", FLAT)
def test_it_holds_for_each_family(kind):
    proof = proof_of(make_model(kind), longest=500)
    assert proof.holds
    assert proof.logits < 1e-5


@pytest.mark.parametrize("kind", FLAT)
@pytest.mark.usefixtures("without_boundaries")
def test_it_fails_by_far_when_examples_see_each_other(kind):
    assert not proof_of(make_model(kind, size=0.3)).holds
    # Windows as long as the rows, as published models have them, let all of them be seen.
    longer = {"sliding_window": 128} if "sliding_window" in SHAPES[kind][1] else {}
    proof = proof_of(make_model(kind, size=0.3, **longer))
    assert proof.logits > (0.4 if kind.startswith("gemma") else 0.5)  # tolerance: 0.15 at most


@pytest.mark.parametrize("method", ["qlora", "lora"])
def test_a_base_as_it_is_trained_is_within_rounding(tmp_path, method):
    import torch

    from trainer.base import load_base
    from trainer.model_folder import read_model

    base = load_base(read_model(write_model(tmp_path / "m", size=0.3)), method, "cpu")
    proof = proof_of(base)
    assert base.lm_head.weight.dtype == torch.bfloat16
    assert proof.holds
    assert proof.logits < 0.05


@pytest.mark.parametrize(("longest", "count"), [(40, 3), (500, 4)])
def test_records_longer_than_the_window_bring_an_example_that_is(monkeypatch, longest, count):
    from trainer import isolation

    seen = []
    whole = isolation.flat_row
    monkeypatch.setattr(
        isolation, "flat_row", lambda rows, *a, **m: (seen.extend(rows), whole(rows, *a, **m))[1]
    )
    assert proof_of(make_model("mistral", sliding_window=100), longest=longest).holds
    assert len(seen) == count
    assert max(len(one["input_ids"]) for one in seen) == (123 if count == 4 else 64)


def test_layers_that_mix_tokens_without_attention_are_not_proven():
    """A convolution runs over the seams of a flat row, whatever the attention does."""
    from trainer.parts import parts_of

    model = make_model("convolution", size=0.3)
    assert parts_of(model) is None or not proof_of(model).holds


def test_the_model_is_left_as_it_was():
    from trainer.attention import NAME

    model = make_model("qwen3").train()
    proof_of(model)
    assert model.training
    assert model.config._attn_implementation == NAME
