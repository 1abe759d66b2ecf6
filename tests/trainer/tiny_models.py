"""Tiny random models of several families as folders, made-up examples for them, and jobs."""

import random
from dataclasses import replace

from tests.trainer.conftest import write_tokenizer
from trainer.examples import Examples, Stats
from trainer.labels import IGNORED, Example

VOCABULARY = 400
_COMMON = {
    "vocab_size": VOCABULARY, "hidden_size": 64, "intermediate_size": 128, "num_hidden_layers": 2,
    "num_attention_heads": 4, "num_key_value_heads": 2, "max_position_embeddings": 2048,
    "bos_token_id": None, "eos_token_id": 1, "pad_token_id": 0,
}  # fmt: skip
_SLIDES = {"sliding_window": 8, "layer_types": ["sliding_attention", "full_attention"]}
# name -> class, what differs from the common shape; windows are shorter than the examples
SHAPES = {
    "llama": ("Llama", {}),
    "llama-tied": ("Llama", {"tie_word_embeddings": True}),
    "qwen3": ("Qwen3", {"head_dim": 16}),
    "qwen3-window": ("Qwen3", {"head_dim": 16, "use_sliding_window": True, **_SLIDES}),
    "mistral": ("Mistral", {"sliding_window": 8, "head_dim": 16}),
    "phi3": ("Phi3", {"sliding_window": 8}),
    "gemma2": ("Gemma2", {"head_dim": 16, "query_pre_attn_scalar": 16, **_SLIDES,
                          "attn_logit_softcapping": None, "final_logit_softcapping": 5.0}),
    "gemma3": ("Gemma3", {"head_dim": 16, "query_pre_attn_scalar": 16, **_SLIDES}),
    # what flat rows are not for
    "gemma2-bent": ("Gemma2", {"head_dim": 16, "query_pre_attn_scalar": 16,
                               "attn_logit_softcapping": 5.0, "final_logit_softcapping": 5.0}),
    "mixture": ("Qwen3Moe", {"head_dim": 16, "num_experts": 4, "num_experts_per_tok": 2,
                             "moe_intermediate_size": 64, "decoder_sparse_step": 1}),
    "convolution": ("Lfm2", {"layer_types": ["conv", "full_attention"], "conv_L_cache": 3,
                             "block_multiple_of": 16}),
}  # fmt: skip
FLAT = [name for name in SHAPES if name not in ("gemma2-bent", "mixture", "convolution")]


def make_model(kind="qwen3", *, size=0.1, seed=3, **more):
    """Weights of a size at which attention, 4 bits and an adapter all show."""
    import torch
    import transformers

    name, own = SHAPES[kind]
    if name == "Gemma3":
        name, config = "Gemma3", transformers.Gemma3TextConfig(**{**_COMMON, **own, **more})
    else:
        config = getattr(transformers, f"{name}Config")(**{**_COMMON, **own, **more})
    torch.set_num_threads(1)  # several are slower at this size
    torch.manual_seed(seed)
    model = getattr(transformers, f"{name}ForCausalLM")(config)
    for parameter in model.parameters():
        if parameter.dim() > 1:
            torch.nn.init.normal_(parameter, std=size)
    return model.eval()


def write_model(folder, kind="qwen3", **more):
    """A model folder with weights in bfloat16 and a tokenizer; returns the folder."""
    import torch

    write_tokenizer(folder)
    make_model(kind, **more).to(torch.bfloat16).save_pretrained(folder)
    return folder


def example(length, draw, number=1, *, prompt=0.4, low=2, high=VOCABULARY):
    """An example whose first part is not trained on; in the others, holes too."""
    ids = [draw.randrange(low, high) for _ in range(length)]
    start = min(length - 1, max(1, int(prompt * length)))
    labels = [IGNORED] * start + [
        token if i == start or draw.random() < 0.9 else IGNORED
        for i, token in enumerate(ids[start:], start=start)
    ]
    return Example(ids, labels, number, (1,))


def examples(lengths, seed=1, **more):
    draw = random.Random(seed)
    return as_set([example(length, draw, i, **more) for i, length in enumerate(lengths, start=1)])


def as_set(rows):
    return Examples(
        rows,
        Stats(
            len(rows), len(rows), sum(len(one.ids) for one in rows),
            sum(one.trained for one in rows), max((len(one.ids) for one in rows), default=0), 0, 0,
        ),
    )  # fmt: skip


NONE = as_set([])
LENGTHS = (5, 40, 7, 90, 12, 33, 3, 61, 20, 2, 15, 48)


def make_job(run, folder, train=None, holdout=NONE, *, quiet=True, **settings):
    """A job on a CPU; `settings` are the recipe's and the job's own, by name."""
    from transformers import AutoTokenizer

    from trainer.job import Job
    from trainer.model_folder import read_model
    from trainer.recipe import REFERENCE, Recipe

    run.mkdir(exist_ok=True)
    recipe = {"batch_size": 2, "gradient_accumulation": 2, "epochs": 2, "warmup_steps": 1, "r": 4,
              "learning_rate": 5e-3}  # fmt: skip
    recipe |= {name: settings.pop(name) for name in list(settings) if name in Recipe.__slots__}
    said = settings.pop("said", [])
    return Job(
        run, read_model(folder), AutoTokenizer.from_pretrained(folder),
        train or examples(LENGTHS), holdout, replace(REFERENCE, **recipe),
        **{"device": "cpu", "say": said.append, **settings},
    )  # fmt: skip


def grads(model):
    """The gradients of all trained weights, by name."""
    return {
        name: weight.grad.detach().clone().float()
        for name, weight in model.named_parameters()
        if weight.requires_grad and weight.grad is not None
    }


def apart(first, second):
    """Relative distance of two dicts of tensors, over all of them together."""
    import torch

    assert first.keys() == second.keys()
    flat = [
        torch.cat([value.flatten().float() for value in one.values()]) for one in (first, second)
    ]
    return float((flat[0] - flat[1]).norm() / flat[1].norm())


def stir(model, seed=9, size=0.05):
    """Give lora_B values, so that all gradients are there from the first step."""
    import torch

    draw = torch.Generator().manual_seed(seed)
    for name, weight in model.named_parameters():
        if "lora_B" in name:
            weight.data.copy_(torch.randn(weight.shape, generator=draw) * size)
