"""Which models have plain parts, so that a flat row gives their own loss."""

from __future__ import annotations

import pytest

from tests.trainer.test_attention import flat_row_of
from tests.trainer.tiny_models import FLAT, make_model

pytestmark = pytest.mark.train


@pytest.mark.parametrize("kind", FLAT)
def test_the_loss_of_a_row_is_the_librarys_own_over_its_examples(kind):
    import torch

    from trainer.attention import NAME, register
    from trainer.parts import parts_of, row_loss

    model = make_model(kind)
    ones, row = flat_row_of((9, 31, 17))
    expected = 0.0
    for one in ones:
        ids, labels = torch.tensor([one.ids]), torch.tensor([one.labels])
        expected += float(model(input_ids=ids, labels=labels).loss.detach()) * one.trained
    register()
    model.set_attn_implementation(NAME)
    found = row_loss(parts_of(model), row)
    assert float(found.detach()) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("kind", ["gemma2-bent", "mixture"])
def test_models_with_ways_of_their_own_have_none(kind):
    from trainer.parts import parts_of

    assert parts_of(make_model(kind)) is None


def test_scaled_logits_and_thinned_attention_are_ways_of_their_own():
    from trainer.parts import parts_of

    assert parts_of(make_model("llama", attention_dropout=0.1)) is None
    model = make_model("llama")
    model.config.logit_scale = 0.5
    assert parts_of(model) is None


@pytest.mark.parametrize(
    ("targets", "reached"),
    [(["all-linear"], False), (["q_proj", "up_proj"], False), (["q_proj", "lm_head"], True),
     (["head"], False)],
)  # fmt: skip
def test_an_adapter_on_the_head_is_seen(targets, reached):
    from trainer.parts import adapts_head

    assert adapts_head(make_model("llama"), targets) is reached
