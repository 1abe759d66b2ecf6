"""GPU memory of a training run, term by term, from the model's shape and the run's settings.

All results are GiB. `peak_gib` is what PyTorch has allocated at the highest point
(`torch.cuda.max_memory_allocated`); `card_gib` adds what the card holds beside it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from trainer.shape import ALL_LINEAR

if TYPE_CHECKING:
    from trainer.shape import Shape

GIB = 2**30
Kernels = Literal["compile", "liger", "none"]
# Bytes an element. What is kept for the backward pass is counted from the code that keeps it. Three
# are fitted to measured peaks (tests/trainer/peaks.yaml): what lives for moments inside a layer's
# backward pass depends on the order of its kernels, and the mask on the attention that is picked.
COST: dict[str, float] = {
    "nf4": (4 + 8 / 64 + 32 / (64 * 256)) / 8,  # blocks of 64, double quantisation (QLoRA, 2023)
    "16-bit": 2.0,
    "adapter": 2.0,  # TRL 1.16 casts the adapter of a quantised base to bf16; gradients alike
    "adapter 32-bit": 4.0,  # PEFT's own choice for a base that is not quantised
    "adamw": 2.0,  # two states, each as wide as the adapter's weights: x its bytes
    "8-bit": 2.0,  # two states of one byte (bitsandbytes)
    "mask": 1.0,  # dropout's, in bytes
    "states": 8.0,  # of the body's end at the loss: normalised, the trained ones, their gradient
    "unfused norm": 2.0,  # float32 kept instead of bf16, for each normalised element
    "unfused gate": 2.0,  # the activated gate, beside gate and up
    "dense attention": 6.0,  # keys and values repeated for all heads, and a copy of the queries
    "dense mask": 2.0,  # fitted: an element of the square mask over a packed row, in bf16
    "backward": 4.0,  # fitted: gradients inside one layer, for each feed-forward element
    "compiled backward": 8.0,  # fitted: the same where torch's compiler orders and fuses the kernels
    "unfused backward": 4.0,  # a norm's gradient in float32, for each element of the hidden size
    "plain logits": 16.0,  # bf16 and float32 of logits and gradient (transformers' own loss)
    "chunked logits": 8.0,
    "fixed": 2**26,  # cuBLAS on Hopper: 32 MiB for the main thread and for the backward one
}
# Tokens whose logits exist at one time: TRL 1.16, trainer/loss.py.
GUIDE_CHUNK, OUR_CHUNK = 256, 512
# What the card holds beside PyTorch's tensors: the CUDA context with its kernels, and memory that
# the allocator cannot use again. Reserved over allocated was 1.08 at the least in runs on record.
CONTEXT_GIB, RESERVED = 0.6, 1.08
MARGIN = 1.2  # "add 20 % for the peaks and the operating system", both guides' advice


@dataclass(frozen=True, slots=True)
class Setting:
    """How a run uses the card; `guide` and `ours` make the two that are planned with.

    tokens: of one micro-batch, padding included. checkpointed: layers whose insides are computed
    again in the backward pass; None means all. copy: the 4-bit values held in bf16 instead.
    kernels: layers compiled by torch, Liger's, or as the library has them. dense: attention that
    is given a mask, not the structure of rows. packed: one flat row. autocast: PyTorch's, which
    lets the 32-bit adapters of a 16-bit base compute in 16 bits. optimiser "none": a single pass,
    without states, and without gradients before it.
    """

    tokens: int
    rank: int = 16
    targets: tuple[str, ...] = ALL_LINEAR
    dropout: float = 0.05
    base: Literal["nf4", "bf16"] = "nf4"
    copy: bool = False
    checkpointed: int | None = None
    kernels: Kernels = "compile"
    dense: bool = False
    packed: bool = True
    autocast: bool = False
    logits: Literal["plain", "chunked"] = "chunked"
    chunk: int = OUR_CHUNK
    optimiser: Literal["adamw", "8-bit", "none"] = "8-bit"


def guide(batch: int, length: int, like: Setting | None = None) -> Setting:
    """The first guide's script as it stands: `batch` rows padded to `length`, TRL's own choices."""
    return replace(
        like or Setting(0), tokens=batch * length, copy=False, checkpointed=None,
        kernels="none", dense=True, packed=False, autocast=True, chunk=GUIDE_CHUNK, optimiser="adamw",
    )  # fmt: skip


def ours(
    tokens: int, checkpointed: int | None = None, like: Setting | None = None, *, copy: bool = False
) -> Setting:
    """`privatune train`: one flat row of `tokens`, attention that knows where records end."""
    return replace(like or Setting(0), tokens=tokens, checkpointed=checkpointed, copy=copy)


def terms(shape: Shape, setting: Setting) -> dict[str, float]:
    """What holds the memory at the peak, in GiB by name.

    The peak is either at the loss or in the backward pass of the last layer, whichever is higher;
    both happen while the checkpoints and the kept activations are there. The last layers are those
    that keep theirs, so a layer is computed again at the peak only where all are.
    """
    again = _recomputed(shape, setting)
    layer = layer_bytes(shape, setting) * setting.tokens
    end = {"logits": _logits(shape, setting), "last states": _last_states(shape, setting)}
    inside = _backward(shape, setting) + (layer if again == shape.layers else 0.0)
    loss = sum(end.values()) > inside
    found = {
        **_resident(shape, setting),
        # The embedding's output is there in any case.
        "checkpoints": COST["16-bit"] * shape.hidden * max(1, again) * setting.tokens,
        "activations": layer * (shape.layers - again),
        "backward": 0.0 if loss else inside,
        **(end if loss else dict.fromkeys(end, 0.0)),
        "mask": COST["dense mask"] * setting.tokens**2 if setting.dense and setting.packed else 0.0,
        "fixed": COST["fixed"],
    }
    return {name: value / GIB for name, value in found.items()}


def peak_gib(shape: Shape, setting: Setting) -> float:
    """The highest allocation of a run, in GiB, without what the card needs beside it."""
    return sum(terms(shape, setting).values())


def card_gib(peak: float, *, margin: bool = False) -> float:
    """What a card must have for a peak, in GiB; `margin` adds the guides' fifth."""
    return peak * (MARGIN if margin else RESERVED) + CONTEXT_GIB


def verdict(peak: float, vram: float) -> Literal["roomy", "fits", "no"]:
    """Whether a peak fits a card of `vram` GiB: with the guides' margin, just so, or not."""
    if card_gib(peak, margin=True) <= vram:
        return "roomy"
    return "fits" if card_gib(peak) <= vram else "no"


def layer_bytes(shape: Shape, setting: Setting) -> float:
    """What one layer keeps for its backward pass when it is not checkpointed, bytes a token.

    The residual stream before each norm, what attention and feed-forward read and give, and the
    inputs of the adapters: with dropout each adapter has its own copy, without it layers that
    read the same share one. A compiled layer keeps what Liger's does: the compiler computes the
    float32 norms and the activated gate again, and cannot draw dropout's masks a second time.
    """
    wide = COST["16-bit"]
    into = shape.mean(lambda one: one.outputs, "attention-in")
    mixed = shape.mean(lambda one: one.inputs, "attention-out")
    hidden, inner = _feed_forward(shape)
    saved = wide * (2 * shape.hidden + into + mixed + hidden)
    if shape.qk_norm:
        saved += wide * (into - _values(shape))
    if setting.dense:
        saved += COST["dense attention"] * shape.attention_width
    if setting.kernels == "none":
        normed = into - _values(shape) if shape.qk_norm else 0.0
        saved += COST["unfused norm"] * (2 * shape.hidden + normed)
        saved += COST["unfused gate"] * inner
    return saved + _adapter_inputs(shape, setting)


def _adapter_inputs(shape: Shape, setting: Setting) -> float:
    """Inputs that both matrices of the adapters keep, bytes a token in one layer."""
    targeted = shape.targeted(setting.targets)
    own = sum(one.inputs * one.layers for one in targeted) / shape.layers
    cast = setting.base == "bf16" and not setting.autocast  # each adapter casts its input
    wide = COST["adapter 32-bit" if cast else "16-bit"]
    second = wide * setting.rank * sum(one.layers for one in targeted) / shape.layers
    if setting.dropout > 0:
        return (wide + COST["mask"]) * own + second
    if cast:
        return wide * own + second
    # The input of the attention's output layer is kept by the attention itself.
    shared = {one.part: one.inputs * one.layers for one in targeted if one.part != "attention-out"}
    return wide * sum(shared.values()) / shape.layers + second


def _values(shape: Shape) -> float:
    """The width of what attention does not normalise: the values, and Qwen3.5's gates."""
    return shape.mean(
        lambda one: one.outputs if one.name not in ("q_proj", "k_proj") else 0, "attention-in"
    )


def _feed_forward(shape: Shape) -> tuple[float, float]:
    """Widths of what the feed-forward computes from its input, and of what goes into its end."""
    return shape.mean(lambda one: one.outputs, "mlp-in"), shape.mean(
        lambda one: one.inputs, "mlp-out"
    )


def _recomputed(shape: Shape, setting: Setting) -> int:
    if setting.checkpointed is None:
        return shape.layers
    return max(0, min(setting.checkpointed, shape.layers))


def _resident(shape: Shape, setting: Setting) -> dict[str, float]:
    """What stays from the first step to the last, in bytes."""
    adapter = shape.lora(setting.rank, setting.targets)
    wide = COST["adapter" if setting.base == "nf4" else "adapter 32-bit"]
    states = {"adamw": COST["adamw"] * wide, "8-bit": COST["8-bit"], "none": 0.0}
    linear = COST["nf4" if _in_4_bits(setting) else "16-bit"]
    other = shape.embeddings + shape.head + shape.small
    return {
        "linear layers": linear * shape.linear,
        "embeddings and head": COST["16-bit"] * other,
        "adapter": wide * adapter,
        "gradients": 0.0 if setting.optimiser == "none" else wide * adapter,
        "optimiser": states[setting.optimiser] * adapter,
    }


def _in_4_bits(setting: Setting) -> bool:
    return setting.base == "nf4" and not setting.copy


def _backward(shape: Shape, setting: Setting) -> float:
    """Gradients inside the layer at work, or its largest matrix in 16 bits where it is in 4.

    The matrix is gone when most gradients are there.
    """
    by = COST["compiled backward" if setting.kernels == "compile" else "backward"]
    work = by * _feed_forward(shape)[1] * setting.tokens
    if setting.kernels == "none":
        work += COST["unfused backward"] * shape.hidden * setting.tokens
    largest = max(one.inputs * one.outputs for one in shape.linears)
    return max(work, COST["16-bit"] * largest if _in_4_bits(setting) else 0.0)


def _last_states(shape: Shape, setting: Setting) -> float:
    """What the end of the body and the loss hold; its norm is compiled with no layer."""
    norm = 0.0 if setting.kernels == "liger" else COST["unfused norm"]
    return (COST["states"] + norm) * shape.hidden * setting.tokens


def _logits(shape: Shape, setting: Setting) -> float:
    if setting.logits == "plain":
        return COST["plain logits"] * shape.vocabulary * setting.tokens
    return COST["chunked logits"] * shape.vocabulary * min(setting.chunk, setting.tokens)
