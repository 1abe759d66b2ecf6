"""The base as it is loaded: types of numbers, what is frozen, and gradients that stay right."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.trainer.tiny_models import apart, example, grads, stir, write_model

pytestmark = pytest.mark.train
BF16_CPU = "avx512_bf16" in Path("/proc/cpuinfo").read_text()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("base") / "model", "llama")


def read(folder):
    from trainer.model_folder import read_model

    return read_model(folder)


def loaded(folder, method="qlora", dtype=None):
    from trainer.base import load_base

    return load_base(read(folder), method, "cpu", dtype)


def with_adapter(base):
    import torch
    from peft import LoraConfig, get_peft_model

    torch.manual_seed(1)
    model = get_peft_model(base, LoraConfig(r=4, target_modules="all-linear", lora_dropout=0.0))
    stir(model)
    return model


@pytest.fixture(scope="module")
def quantised(folder, tmp_path_factory):
    """A folder whose weights are in 4 bits, made for float16, as others publish them."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, BitsAndBytesConfig

    out = tmp_path_factory.mktemp("quantised") / "model-4bit"
    four = BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_compute_dtype=torch.float16,
        bnb_4bit_use_double_quant=True,
    )  # fmt: skip
    model = AutoModelForCausalLM.from_pretrained(
        folder, dtype=torch.float16, quantization_config=four, device_map={"": "cpu"}
    )
    model.save_pretrained(out)
    AutoTokenizer.from_pretrained(folder).save_pretrained(out)
    return out


def kinds(model):
    """Types of numbers by the module's class."""
    found = {}
    for module in model.modules():
        for weight in module.parameters(recurse=False):
            found.setdefault(type(module).__name__, set()).add(str(weight.dtype).split(".")[1])
    return found


def test_in_4_bits_nothing_is_left_in_32(folder):
    assert kinds(loaded(folder)) == {
        "Embedding": {"bfloat16"}, "Linear4bit": {"uint8"}, "LlamaRMSNorm": {"bfloat16"},
        "Linear": {"bfloat16"},
    }  # fmt: skip


def test_it_is_nf4_with_double_quantisation(folder):
    import torch

    layer = loaded(folder).model.layers[0].mlp.up_proj
    state = layer.weight.quant_state
    assert (state.quant_type, state.nested, state.blocksize) == ("nf4", True, 64)
    assert layer.compute_dtype == torch.bfloat16


def test_in_16_bits_everything_is(folder):
    assert set().union(*kinds(loaded(folder, "lora")).values()) == {"bfloat16"}


def test_nothing_of_the_base_is_trained(folder):
    base = loaded(folder)
    assert not any(weight.requires_grad for weight in base.parameters())
    assert not base.training
    assert base.config.use_cache is False


def test_a_base_in_4_bits_computes_in_our_type_with_the_values_it_has(folder, quantised):
    import torch

    ours, theirs = loaded(folder), loaded(quantised)
    assert read(quantised).quantised == "bnb-4bit"
    assert kinds(theirs) == kinds(ours)
    assert theirs.model.layers[0].mlp.up_proj.compute_dtype == torch.bfloat16
    ids = torch.tensor([example(30, random.Random(2)).ids])
    with torch.no_grad():
        first, second = (model(input_ids=ids).logits.float() for model in (ours, theirs))
    assert float((first - second).norm() / first.norm()) < 0.03


def test_a_base_in_4_bits_is_not_for_plain_lora(quantised):
    from trainer.base import BaseError

    with pytest.raises(BaseError, match=r"train\.method"):
        loaded(quantised, "lora")


def test_a_folder_that_cannot_be_loaded_is_named_with_what_to_do(folder, tmp_path):
    import json
    import shutil

    from trainer.base import BaseError

    broken = shutil.copytree(folder, tmp_path / "broken")
    model = read(broken)
    config = json.loads((broken / "config.json").read_text())
    (broken / "config.json").write_text(json.dumps({**config, "model_type": "of-another-day"}))
    with pytest.raises(BaseError, match="privatune pull") as told:
        loaded_as(model)
    assert str(broken) in str(told.value)
    assert told.value.__suppress_context__


def loaded_as(model):
    from trainer.base import load_base

    return load_base(model, "qlora", "cpu")


def test_an_adapter_of_another_base_is_refused(folder, tmp_path):
    from trainer.base import BaseError, load_tuned

    with_adapter(loaded(folder)).save_pretrained(tmp_path / "adapter")
    other = write_model(tmp_path / "other", "llama", hidden_size=32)
    with pytest.raises(BaseError, match="trained on this base"):
        load_tuned(read(other), tmp_path / "adapter", "qlora", "cpu")
    tuned = load_tuned(read(folder), tmp_path / "adapter", "qlora", "cpu")
    assert not any(weight.requires_grad for weight in tuned.parameters())


def gradient(model, ids):
    model.zero_grad()
    model.train()(input_ids=ids, labels=ids).loss.backward()
    return grads(model)


def spoiled_by_evaluating(model):
    """How far the gradient after an evaluation is from the one before."""
    import torch

    ids = torch.tensor([example(40, random.Random(3)).ids])
    before = gradient(model, ids)
    with torch.no_grad():
        model.eval()(input_ids=ids)
    return apart(gradient(model, ids), before)


def test_an_evaluation_leaves_the_gradients_as_they_were(folder):
    assert spoiled_by_evaluating(with_adapter(loaded(folder))) == 0.0


@pytest.mark.skipif(not BF16_CPU, reason="only CPUs with AVX-512 bfloat16 repack the weights")
def test_without_our_care_an_evaluation_spoils_them(folder, monkeypatch):
    """When this fails the library has been mended and `_keep_layout` can go."""
    from trainer import base

    monkeypatch.setattr(base, "_keep_layout", lambda model: None)
    assert spoiled_by_evaluating(with_adapter(loaded(folder))) > 0.1


def test_no_gpu_is_said_before_anything_is_loaded(monkeypatch):
    import torch

    from trainer.base import BaseError, device_of

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert device_of("auto").type == device_of("cpu").type == "cpu"
    with pytest.raises(BaseError, match=r"train\.device"):
        device_of("cuda")
