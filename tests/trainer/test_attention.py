"""In a flat row every example is attended to as if it were alone."""

from __future__ import annotations

import random

import pytest

from tests.trainer.tiny_models import FLAT, example, make_model

pytestmark = pytest.mark.train
LENGTHS = (9, 31, 2, 17, 40)  # around the windows of 8


def flat_row_of(sizes, **more):
    from trainer.flat import flat_row

    draw = random.Random(4)
    ones = [example(size, draw) for size in sizes]
    plain = [{"input_ids": one.ids, "labels": one.labels} for one in ones]
    return ones, flat_row(plain, max(sizes), kernel=False, **more)


def states_of(model, row):
    from trainer.attention import NAME, register
    from trainer.parts import hidden, parts_of

    register()
    model.set_attn_implementation(NAME)
    return hidden(parts_of(model), row)


@pytest.mark.parametrize("kind", FLAT)
def test_packed_equals_alone_in_values_and_gradients(kind):
    import torch

    model = make_model(kind)
    ones, row = flat_row_of(LENGTHS)
    weigh = torch.randn(sum(LENGTHS), 64, generator=torch.Generator().manual_seed(1))
    weight = model.model.layers[0].mlp.down_proj.weight

    def alone():
        return torch.cat(
            [model.model(torch.tensor([one.ids])).last_hidden_state[0] for one in ones]
        )

    found = {}
    for name, states in (("alone", alone()), ("packed", states_of(model, row))):
        (grad,) = torch.autograd.grad((states * weigh).sum(), weight)
        found[name] = (states.detach(), grad)
    for packed, expected in zip(found["packed"], found["alone"], strict=True):
        assert float((packed - expected).norm() / expected.norm()) < 1e-5


@pytest.mark.parametrize("window", [None, 1, 4, 9, 10, 200])
@pytest.mark.parametrize("heads", [(4, 4), (4, 2), (4, 1)])
def test_one_example_is_the_plain_formula(window, heads):
    import torch

    from trainer.attention import attend

    draw = torch.Generator().manual_seed(2)
    q, k, v = (torch.randn(1, n, 10, 8, generator=draw, dtype=torch.float64)
               for n in (heads[0], heads[1], heads[1]))  # fmt: skip
    mixed, _ = attend(None, q, k, v, None, scaling=0.3, sliding_window=window)
    k, v = (part.repeat_interleave(heads[0] // heads[1], 1) for part in (k, v))
    place = torch.arange(10)
    ahead = place[:, None] - place[None, :]
    seen = (ahead >= 0) & (ahead < (window or 10))
    scores = (q @ k.transpose(-1, -2) * 0.3).masked_fill(~seen, float("-inf"))
    torch.testing.assert_close(mixed, (scores.softmax(-1) @ v).transpose(1, 2))


def test_changing_one_example_changes_no_other():
    import torch

    model = make_model("qwen3")
    _, row = flat_row_of(LENGTHS)
    before = states_of(model, row)
    row.ids[0, 9:40] += 1  # all of the second example
    after = states_of(model, row)
    same = (before == after).all(-1)
    assert same[:9].all()
    assert same[40:].all()
    assert not same[9:40].any()
    assert torch.isfinite(after).all()


@pytest.mark.parametrize(
    ("device", "dtype"), [("cpu", "bfloat16"), ("cpu", "float32"), ("meta", "bfloat16")]
)
def test_no_kernel_off_the_gpu(device, dtype):
    import torch

    from trainer.attention import has_kernel

    assert not has_kernel(device, getattr(torch, dtype))
