"""Parameter counts from `config.json`, against published models and against transformers itself."""

import json

import pytest

from trainer.shape import Shape, ShapeError, read_shape, shape_of

SIZES = ("hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads",
         "num_key_value_heads", "vocab_size")  # fmt: skip
# The published configurations of these models, and what they come to: parameters in linear layers
# (billions), in the adapter of rank 16 on all linear layers (millions), checkpoints in MB a token.
PUBLISHED = {
    "qwen2.5-0.5b": ("qwen2", (896, 4864, 24, 14, 2, 151936), True, 0.36, 8.8, 0.043),
    "llama-3.2-1b": ("llama", (2048, 8192, 16, 32, 8, 128256), True, 0.97, 11.3, 0.066),
    "llama-3.2-3b": ("llama", (3072, 8192, 28, 24, 8, 128256), True, 2.82, 24.3, 0.172),
    "mistral-7b": ("mistral", (4096, 14336, 32, 32, 8, 32768), False, 6.98, 41.9, 0.262),
    "qwen2.5-7b": ("qwen2", (3584, 18944, 28, 28, 4, 152064), False, 6.53, 40.4, 0.201),
    "llama-3.1-8b": ("llama", (4096, 14336, 32, 32, 8, 128256), False, 6.98, 41.9, 0.262),
    "qwen2.5-14b": ("qwen2", (5120, 13824, 48, 40, 8, 152064), False, 13.21, 68.8, 0.492),
    "qwen2.5-32b": ("qwen2", (5120, 27648, 64, 40, 8, 152064), False, 31.21, 134.2, 0.655),
    "llama-3.1-70b": ("llama", (8192, 28672, 80, 64, 8, 128256), False, 68.45, 207.1, 1.311),
}
SMALL = dict(zip(SIZES, (64, 96, 4, 4, 2, 320), strict=True))
FAMILIES = [
    ("Llama", {}),
    ("Llama", {"attention_bias": True, "mlp_bias": True, "tie_word_embeddings": True}),
    ("Mistral", {"head_dim": 32}),
    ("Ministral", {"head_dim": 32}),
    ("Qwen2", {}),
    ("Qwen3", {"head_dim": 32}),
    ("Gemma", {"head_dim": 32}),
    ("Gemma2", {"head_dim": 32}),
    ("Gemma3Text", {"head_dim": 32}),
    ("Phi3", {"pad_token_id": 0}),
    ("SmolLM3", {"pad_token_id": 0}),
    ("Granite", {}),
    ("Qwen3_5Text", {"head_dim": 32, "linear_num_key_heads": 2, "linear_num_value_heads": 4}),
]


def config_of(name: str) -> dict[str, object]:
    family, sizes, tied, *_ = PUBLISHED[name]
    sizes = dict(zip(SIZES, sizes, strict=True))
    return {"model_type": family, "tie_word_embeddings": tied} | sizes


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_models_come_to_their_known_counts(name: str) -> None:
    shape = shape_of(config_of(name))
    linear, lora, checkpoint = PUBLISHED[name][3:]
    assert round(shape.linear / 1e9, 2) == linear
    assert round(shape.lora(16) / 1e6, 1) == lora
    assert round(2 * shape.layers * shape.hidden / 1e6, 3) == checkpoint
    assert shape.notes == ()


def test_qwen3_8b_weighs_what_the_guide_downloads() -> None:
    sizes = dict(zip(SIZES, (4096, 12288, 36, 32, 8, 151936), strict=True))
    shape = shape_of({"model_type": "qwen3", "head_dim": 128, **sizes})
    assert round(2 * shape.total / 1e9, 1) == 16.4  # GB in 16 bits
    assert shape.head == shape.embeddings == 151936 * 4096


@pytest.mark.train
@pytest.mark.parametrize(("family", "more"), FAMILIES)
def test_counts_are_those_of_the_model_that_transformers_builds(family: str, more: dict) -> None:
    import torch
    import transformers

    config = getattr(transformers, f"{family}Config")(**SMALL | more)
    with torch.device("meta"):
        model = transformers.AutoModelForCausalLM.from_config(config)
    shape = shape_of(json.loads(config.to_json_string(use_diff=False)))
    layers = {
        name: module
        for name, module in model.named_modules()
        if isinstance(module, torch.nn.Linear) and name != "lm_head"
    }
    assert shape.linear == sum(module.weight.numel() for module in layers.values())
    assert shape.total == sum(parameter.numel() for parameter in model.parameters())
    assert {one.name for one in shape.linears} == {name.split(".")[-1] for name in layers}


def test_an_adapter_on_some_layers_counts_those_alone() -> None:
    shape = shape_of(SMALL | {"model_type": "llama"})
    # q: 64 -> 64, v: 64 -> 32 (two of four heads), in four layers.
    assert shape.lora(8, ("q_proj", "v_proj")) == 8 * 4 * ((64 + 64) + (64 + 32))


def test_an_unknown_target_is_told_with_the_nearest_name() -> None:
    shape = shape_of(SMALL | {"model_type": "phi3"})
    with pytest.raises(ShapeError, match=r"did you mean `qkv_proj`\?"):
        shape.lora(8, ("kv_proj",))
    with pytest.raises(ShapeError, match="down_proj, gate_up_proj"):
        shape.targeted(("zzz",))


def test_an_unknown_gated_family_is_counted_with_a_note() -> None:
    known = shape_of(SMALL | {"model_type": "llama"})
    unknown = shape_of(SMALL | {"model_type": "newcomer", "hidden_act": "silu"})
    assert unknown.total == known.total
    assert "llama family" in unknown.notes[0]


def test_of_a_model_that_sees_the_text_part_is_counted() -> None:
    inner = SMALL | {"model_type": "gemma3_text", "head_dim": 16}
    shape = shape_of({"model_type": "gemma3", "text_config": inner})
    assert (shape.family, shape.tied) == ("gemma3_text", True)
    assert "text part" in shape.notes[0]
    assert not shape_of(
        {"model_type": "gemma3", "text_config": inner, "tie_word_embeddings": False}
    ).tied


@pytest.mark.parametrize(
    ("config", "words"),
    [
        (SMALL | {"model_type": "mixtral", "num_local_experts": 8}, "mixture of experts"),
        (SMALL | {"model_type": "newcomer", "hidden_act": "gelu"}, "unknown family"),
        (SMALL | {"model_type": "gemma4_text"}, "not counted yet"),
        ({"model_type": "gpt2", "n_embd": 768}, "not counted yet"),
        (SMALL | {"model_type": "llama", "vocab_size": "many"}, "`vocab_size`"),
        (SMALL | {"model_type": "llama", "num_hidden_layers": True}, "`num_hidden_layers`"),
    ],
)
def test_what_cannot_be_counted_is_refused_with_a_way_on(config: dict, words: str) -> None:
    with pytest.raises(ShapeError, match=words) as caught:
        shape_of(config)
    assert "--model" in str(caught.value)


@pytest.mark.parametrize("content", [None, b"{", b"[1]", b"\xff"])
def test_a_folder_without_a_readable_config_is_told(tmp_path, content: bytes | None) -> None:
    if content is not None:
        (tmp_path / "config.json").write_bytes(content)
    with pytest.raises(ShapeError, match=r"config\.json"):
        read_shape(tmp_path)


def test_a_folder_is_read(tmp_path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(config_of("llama-3.1-8b")))
    assert isinstance(read_shape(tmp_path), Shape)
