"""The base's values in 16 bits are the values in 4 bits."""

from __future__ import annotations

import random

import pytest

from tests.trainer.tiny_models import apart, example, grads, stir, write_model

pytestmark = pytest.mark.train


def tuned(folder, dtype=None):
    import torch
    from peft import LoraConfig, get_peft_model

    from trainer.base import load_base
    from trainer.model_folder import read_model

    base = load_base(read_model(folder), "qlora", "cpu", dtype)
    torch.manual_seed(1)
    model = get_peft_model(base, LoraConfig(r=4, target_modules="all-linear", lora_dropout=0.0))
    stir(model)
    return model


def step(model, ids):
    """Logits and gradients of one step."""
    model.zero_grad()
    out = model.train()(input_ids=ids, labels=ids)
    out.loss.backward()
    return out.logits.detach(), grads(model)


@pytest.mark.parametrize("dtype", ["bfloat16", "float32"])
def test_logits_and_gradients_stay(tmp_path, dtype):
    import torch

    from trainer.values import dequantise, extra_bytes, quantised_layers

    model = tuned(write_model(tmp_path / "m"), getattr(torch, dtype))
    ids = torch.tensor([example(40, random.Random(1)).ids])
    logits, slopes = step(model, ids)
    layers = len(quantised_layers(model))
    assert layers == 14
    weights = 2 * (64 * 64 * 2 + 64 * 32 * 2 + 3 * 64 * 128)
    assert extra_bytes(model) == pytest.approx(1.484 * weights, rel=1e-3)
    assert dequantise(model) == layers
    assert not quantised_layers(model)
    assert extra_bytes(model) == 0
    after, now = step(model, ids)
    assert float((after - logits).norm() / logits.norm()) < (1e-6 if dtype == "float32" else 0.01)
    assert apart(now, slopes) < (1e-5 if dtype == "float32" else 0.02)


def test_what_was_in_4_bits_is_frozen_in_the_compute_type(tmp_path):
    import torch

    from trainer.values import dequantise

    model = tuned(write_model(tmp_path / "m"))
    dequantise(model)
    assert all("lora" in name for name, w in model.named_parameters() if w.requires_grad)
    layer = model.get_base_model().model.layers[0].self_attn.q_proj.base_layer
    assert type(layer) is torch.nn.Linear
    assert layer.weight.dtype == torch.bfloat16
    assert layer.weight.unique().numel() > 16  # blocks have scales of their own
