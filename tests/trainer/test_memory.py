"""The memory estimate, held against measured peaks and against what autograd really keeps."""

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from trainer.memory import (
    COST,
    GIB,
    OUR_CHUNK,
    Setting,
    card_gib,
    guide,
    layer_bytes,
    ours,
    peak_gib,
    terms,
    verdict,
)
from trainer.shape import Shape, ShapeError, shape_of

PEAKS = yaml.safe_load(Path(__file__).with_name("peaks.yaml").read_text(encoding="utf-8"))
POINTS = PEAKS["points"]
QWEN = shape_of(PEAKS["shapes"]["qwen3-8b"])
NARROW = {"hidden_size": 256, "intermediate_size": 704, "num_attention_heads": 8,
          "num_key_value_heads": 2, "vocab_size": 512}  # fmt: skip


def shape_and_setting(point: dict) -> tuple[Shape, Setting]:
    like = Setting(0, **point.get("like", {}))
    made = (
        guide(point["batch"], point["length"], like)
        if point["way"] == "guide"
        else ours(point["tokens"], like=like)
    )
    return shape_of(PEAKS["shapes"][point["shape"]]), replace(made, **point.get("more", {}))


def off(point: dict) -> float:
    return peak_gib(*shape_and_setting(point)) / point["gib"] - 1


def named(point: dict) -> str:
    kernels = point.get("more", {}).get("kernels", "")
    return f"{point['shape']}-{point['run']}-{kernels}-{point['gib']}"


@pytest.mark.parametrize("point", POINTS, ids=named)
def test_estimates_are_near_measured_peaks(point: dict) -> None:
    assert set(PEAKS["runs"][point["run"]]) == {"card", "date", "versions", "about"}
    assert abs(off(point)) <= (0.05 if point["fit"] else 0.15)


def test_points_kept_from_the_fit_have_lengths_and_a_shape_of_their_own() -> None:
    held = [shape_and_setting(point) for point in POINTS if not point["fit"]]
    fitted = [shape_and_setting(point) for point in POINTS if point["fit"]]
    assert not [pair for pair in held if pair in fitted]
    assert {shape for shape, _ in held} - {shape for shape, _ in fitted}
    assert {setting.tokens for _, setting in held} - {setting.tokens for _, setting in fitted}
    assert {setting.kernels for _, setting in held} == {"compile", "liger", "none"}


def test_single_passes_of_every_kind_of_layer_are_told_closely() -> None:
    passes = [point for point in POINTS if point["run"] in ("passes", "probes")]
    assert max(abs(off(point)) for point in passes) <= 0.01


def test_our_chunk_is_the_losss() -> None:
    text = (Path(__file__).parents[2] / "trainer" / "loss.py").read_text(encoding="utf-8")
    assert f"\nCHUNK = {OUR_CHUNK}  #" in text


@pytest.mark.slow
@pytest.mark.train
@pytest.mark.parametrize("family", ["Llama", "Qwen3"])
@pytest.mark.parametrize(("dropout", "base"), [(0.0, "nf4"), (0.05, "nf4"), (0.05, "bf16")])
def test_a_layer_keeps_what_autograd_keeps(family: str, dropout: float, base: str) -> None:
    """Counted by torch itself on another shape: two layers more, divided by two."""
    few, _ = kept_bytes(family, 2, dropout, base)
    many, shape = kept_bytes(family, 4, dropout, base)
    measured = (many - few) / 2 / TOKENS
    told = layer_bytes(shape, Setting(TOKENS, 8, dropout=dropout, kernels="none", base=base))
    if dropout:  # on a CPU the mask is as wide as the adapter, on a GPU it has one byte
        told += ((2 if base == "nf4" else 4) - 1) * sum(one.inputs for one in shape.linears)
    assert told == pytest.approx(measured, rel=0.01)


TOKENS = 512


def kept_bytes(family: str, layers: int, dropout: float, base: str) -> tuple[int, Shape]:
    import peft
    import torch
    import transformers

    more = {"head_dim": 64} if family == "Qwen3" else {}
    config = getattr(transformers, f"{family}Config")(num_hidden_layers=layers, **NARROW, **more)
    model = transformers.AutoModelForCausalLM.from_config(config, dtype=torch.bfloat16)
    lora = peft.LoraConfig(r=8, lora_dropout=dropout, target_modules="all-linear")
    model = peft.get_peft_model(model, lora).train()  # the adapter in float32 so far
    if base == "nf4":  # TRL casts the adapter of a quantised base; nothing else differs here
        model = model.to(torch.bfloat16)
    own = {p.untyped_storage().data_ptr() for p in (*model.parameters(), *model.buffers())}
    kept = {}

    def pack(tensor):
        storage = tensor.untyped_storage()
        kept[storage.data_ptr()] = (storage.nbytes(), tensor)  # held, so that none is used again
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        held = model(input_ids=torch.randint(0, 512, (1, TOKENS)), use_cache=False)
    assert held is not None
    found = sum(size for place, (size, _) in kept.items() if place not in own)
    return found, shape_of(config.to_dict())


def test_what_stays_is_counted_by_hand() -> None:
    found = terms(QWEN, guide(1, 1))
    assert found["linear layers"] == pytest.approx(QWEN.linear * 0.51587 / GIB, rel=1e-4)
    assert found["embeddings and head"] * GIB == pytest.approx(2 * (2 * 151936 * 4096), rel=1e-3)
    adapter = QWEN.lora(16)
    assert found["adapter"] == found["gradients"] == 2 * adapter / GIB
    assert found["optimiser"] == 4 * adapter / GIB
    assert terms(QWEN, ours(1))["optimiser"] == 2 * adapter / GIB
    alone = terms(QWEN, replace(ours(1), optimiser="none"))
    assert alone["optimiser"] == alone["gradients"] == 0.0


def test_checkpoints_are_two_bytes_of_each_layer_and_channel() -> None:
    assert terms(QWEN, guide(4, 2048))["checkpoints"] * GIB == 2 * 36 * 4096 * 8192
    assert terms(QWEN, ours(8192, 18))["checkpoints"] * GIB == 2 * 18 * 4096 * 8192


def test_plain_logits_are_the_largest_need_of_short_models() -> None:
    small = shape_of({"model_type": "qwen2", "tie_word_embeddings": True, "hidden_size": 896,
                      "intermediate_size": 4864, "num_hidden_layers": 24, "vocab_size": 151936,
                      "num_attention_heads": 14, "num_key_value_heads": 2})  # fmt: skip
    plain = terms(small, replace(guide(4, 2048), logits="plain"))
    assert plain["logits"] == COST["plain logits"] * 151936 * 8192 / GIB
    assert plain["backward"] == 0.0
    assert terms(small, guide(4, 2048))["logits"] == 0.0


def test_values_in_16_bits_stand_in_for_those_in_4() -> None:
    wide = terms(QWEN, ours(2048, like=Setting(0, base="bf16")))
    copied = terms(QWEN, ours(2048, copy=True))
    assert wide["linear layers"] == copied["linear layers"] == 2 * QWEN.linear / GIB
    assert copied["adapter"] * 2 == wide["adapter"]


@given(
    tokens=st.integers(1, 60_000),
    more=st.integers(0, 4096),
    layers=st.integers(0, 36),
    rank=st.integers(1, 128),
    dropout=st.sampled_from([0.0, 0.05]),
)
def test_more_work_never_needs_less(
    tokens: int, more: int, layers: int, rank: int, dropout: float
) -> None:
    like = Setting(0, rank, dropout=dropout)
    peak = peak_gib(QWEN, ours(tokens, layers, like))
    assert all(value >= 0 for value in terms(QWEN, ours(tokens, layers, like)).values())
    assert peak_gib(QWEN, ours(tokens + more, layers, like)) >= peak
    assert peak_gib(QWEN, ours(tokens, layers, replace(like, rank=rank + more))) >= peak
    assert peak_gib(QWEN, ours(tokens, layers, like, copy=True)) >= peak - 0.1  # one matrix less
    assert peak_gib(QWEN, guide(1, tokens, like)) >= peak_gib(QWEN, ours(tokens, None, like)) - 0.7


def test_fewer_checkpointed_layers_need_more() -> None:
    peaks = [peak_gib(QWEN, ours(4096, kept)) for kept in (36, 27, 18, 9, 1)]
    assert peaks == sorted(peaks)
    assert peak_gib(QWEN, ours(4096, 99)) == peak_gib(QWEN, ours(4096))


def test_a_card_is_roomy_just_enough_or_too_small() -> None:
    assert [verdict(10.0, vram) for vram in (24, 12, 8)] == ["roomy", "fits", "no"]
    assert card_gib(10.0, margin=True) == pytest.approx(12.6)
    assert card_gib(10.0) < card_gib(10.0, margin=True)


def test_a_target_that_no_layer_has_is_told() -> None:
    with pytest.raises(ShapeError):
        peak_gib(QWEN, ours(2048, like=Setting(0, targets=("nowhere",))))
