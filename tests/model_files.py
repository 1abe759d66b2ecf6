"""A tiny Llama-shaped model folder with random weights, made without torch."""

import json

import numpy as np
from safetensors.numpy import save_file

from tests.trainer.conftest import write_tokenizer

CONFIG = {
    "model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 16,
    "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 2,
    "num_key_value_heads": 1, "vocab_size": 400, "max_position_embeddings": 128,
    "rms_norm_eps": 1e-6, "tie_word_embeddings": False, "dtype": "float16",
}  # fmt: skip


def weights(dtype="float16"):
    random = np.random.default_rng(7)
    shapes = {"model.embed_tokens.weight": (400, 16), "lm_head.weight": (400, 16)}
    shapes["model.norm.weight"] = (16,)
    for i in range(2):
        at = f"model.layers.{i}."
        shapes |= {
            at + "self_attn.q_proj.weight": (16, 16),
            at + "self_attn.o_proj.weight": (16, 16),
        }
        shapes |= {at + f"self_attn.{k}_proj.weight": (8, 16) for k in "kv"}
        shapes |= {at + f"mlp.{k}_proj.weight": (32, 16) for k in ("gate", "up")}
        shapes |= {at + "mlp.down_proj.weight": (16, 32), at + "input_layernorm.weight": (16,)}
        shapes[at + "post_attention_layernorm.weight"] = (16,)
    return {name: random.normal(0, 0.02, shape).astype(dtype) for name, shape in shapes.items()}


def write_model(folder, *, shards=1, tokenizer=True, **changes):
    """Write the model; `changes` go into config.json, one that is None is left out."""
    folder.mkdir(parents=True, exist_ok=True)
    config = {key: value for key, value in (CONFIG | changes).items() if value is not None}
    (folder / "config.json").write_text(json.dumps(config))
    write_weights(folder, weights(), shards)
    if tokenizer:
        write_tokenizer(folder)
    return folder


def write_weights(folder, tensors, shards=1):
    if shards == 1:
        save_file(tensors, folder / "model.safetensors", {"format": "pt"})
        return
    index = {}
    for i in range(shards):
        name = f"model-{i + 1:05}-of-{shards:05}.safetensors"
        part = {key: tensors[key] for key in list(tensors)[i::shards]}
        save_file(part, folder / name, {"format": "pt"})
        index |= dict.fromkeys(part, name)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}))
