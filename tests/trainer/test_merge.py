import json

import pytest

from tests.trainer.tiny_run import write_adapter, write_model
from trainer.adapter import AdapterError, read_adapter
from trainer.labels import Example
from trainer.model_folder import read_model

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("models") / "tiny")


@pytest.fixture(scope="module")
def adapter(tmp_path_factory, model):
    return read_adapter(write_adapter(tmp_path_factory.mktemp("adapter"), model))


ROWS = [Example([5 + i, 9, 30, 40 + i, 50, 1], [-100, -100, -100, 40 + i, 50, 1], i, (1,))
        for i in range(8)]  # fmt: skip


def merge():
    from trainer import merge

    return merge


def test_the_merged_weights_are_base_plus_scaled_product(model, adapter):
    import torch
    from safetensors.torch import load_file

    merged = merge().merged(read_model(model), adapter, "bf16")
    base = load_file(model / "model.safetensors")
    lora = load_file(adapter.root / "adapter_model.safetensors")
    name = "model.layers.1.mlp.up_proj"
    a, b = (lora[f"base_model.model.{name}.lora_{side}.weight"].float() for side in "AB")
    wanted = base[f"{name}.weight"].float() + 16 / 8 * b @ a
    got = merged.get_submodule(name).weight.float()
    assert torch.allclose(got, wanted, rtol=2**-7, atol=1e-3)


def test_a_merge_on_the_dequantised_base_is_nearer_to_what_was_trained(model, adapter):
    found = merge().measure(read_model(model), adapter, ROWS)
    assert found["nf4"].positions == found["bf16"].positions == 24
    assert found["nf4"].kl < found["bf16"].kl / 2
    assert found["nf4"].agreement >= found["bf16"].agreement
    assert merge().choose(found) == "nf4"


def test_equal_merges_leave_the_sixteen_bit_weights():
    drift = merge().Drift(0.1, 0.9, 3)
    assert merge().choose({"bf16": drift, "nf4": drift}) == "bf16"
    assert merge().choose({"nf4": drift}) == "nf4"


def test_a_model_without_difference_does_not_drift(model):
    network = merge().load_plain(read_model(model), "bf16")
    found = merge().answers(network, ROWS)
    drift = merge().drift(found, found)
    assert (drift.kl, drift.agreement) == (pytest.approx(0, abs=1e-6), 1.0)


def test_long_answers_are_bounded(model):
    row = Example(list(range(2, 202)), [-100] * 10 + list(range(12, 202)), 1, (1,))
    network = merge().load_plain(read_model(model), "bf16")
    (one,) = merge().answers(network, [row])
    assert one.shape == (merge().POSITIONS, 400)


@pytest.mark.parametrize("tied", [True, False])
def test_the_folder_can_be_loaded_and_names_no_path(tmp_path, tied):
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = write_model(tmp_path / "tiny", tied=tied)
    (folder / "generation_config.json").write_text(
        '{"eos_token_id": [7, 1], "temperature": 0.6, "do_sample": false}'
    )
    model = read_model(folder)
    adapter = read_adapter(write_adapter(tmp_path / "adapter", folder))
    network = merge().merged(model, adapter, "nf4")
    out = tmp_path / "merged"
    merge().write_merged(network, out, tokenizer=folder, stops=[1, 0], model=model)
    again = AutoModelForCausalLM.from_pretrained(out, dtype="auto", local_files_only=True)
    assert again.dtype == torch.bfloat16
    ids = torch.tensor([[5, 9, 30]])
    with torch.inference_mode():
        assert torch.equal(again(ids).logits, network(ids).logits)
    assert again.get_input_embeddings().weight.shape == (400, 64)
    settings = json.loads((out / "generation_config.json").read_text())
    assert settings == {"eos_token_id": [1, 0, 7], "temperature": 0.6, "do_sample": False}
    assert str(tmp_path) not in (out / "config.json").read_text()
    assert "quantization_config" not in (out / "config.json").read_text()
    read_model(out)  # whole, as the other verbs want it
    tokenizer = AutoTokenizer.from_pretrained(out)
    assert "im_start" in tokenizer.chat_template


def test_a_template_is_written_in_both_places(tmp_path, model):
    from transformers import AutoTokenizer

    for name in ("tokenizer.json", "tokenizer_config.json"):
        (tmp_path / name).write_bytes((model / name).read_bytes())
    merge().place_template(tmp_path, "{{ 'é\r\n' }}")
    assert (tmp_path / "chat_template.jinja").read_bytes() == "{{ 'é\r\n' }}".encode()
    assert json.loads((tmp_path / "tokenizer_config.json").read_text())["chat_template"] == (
        "{{ 'é\r\n' }}"
    )
    assert AutoTokenizer.from_pretrained(tmp_path).chat_template


def test_broken_numbers_stop_the_merge(tmp_path, model):
    import torch
    from safetensors.torch import load_file, save_file

    write_adapter(tmp_path, model)
    path = tmp_path / "adapter_model.safetensors"
    weights = load_file(path)
    name = next(iter(weights))
    weights[name][0, 0] = torch.nan
    save_file(weights, path)
    with pytest.raises(AdapterError, match="not finite"):
        merge().check_finite(read_adapter(tmp_path))
    with pytest.raises(AdapterError, match="not finite"):
        merge().merged(read_model(model), read_adapter(tmp_path), "bf16")


def test_adapters_that_are_none_are_refused(tmp_path, model):
    from safetensors.torch import load_file, save_file

    with pytest.raises(AdapterError, match="no adapter"):
        read_adapter(tmp_path)
    write_adapter(tmp_path, model)
    assert read_adapter(tmp_path).parameters == sum(
        2 * 8 * (rows + columns) for rows, columns in [(64, 64), (32, 64)] * 2 + [(128, 64)] * 3
    )
    path, config = tmp_path / "adapter_model.safetensors", tmp_path / "adapter_config.json"
    weights = load_file(path)
    embedding = load_file(model / "model.safetensors")["model.embed_tokens.weight"]
    save_file(weights | {"base_model.model.model.embed_tokens.weight": embedding}, path)
    with pytest.raises(AdapterError, match=r"1 whole layers .*embed_tokens"):
        read_adapter(tmp_path)
    save_file(weights, path)
    config.write_text(json.dumps(json.loads(config.read_text()) | {"r": 4}))
    with pytest.raises(AdapterError, match="rank 8"):
        read_adapter(tmp_path)
    config.write_text(json.dumps(json.loads(config.read_text()) | {"r": 8}))
    path.write_bytes(path.read_bytes()[:-10])
    with pytest.raises(AdapterError, match="truncated"):
        read_adapter(tmp_path)
