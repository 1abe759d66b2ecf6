"""The loss without logits is torch's cross-entropy, in value and in gradient."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.train


def made(tokens, share, seed, dtype=None, vocabulary=50, size=16):
    import torch

    draw = torch.Generator().manual_seed(seed)
    hidden = torch.randn(tokens, size, generator=draw).to(dtype or torch.float32)
    head = torch.randn(vocabulary, size, generator=draw).to(dtype or torch.float32)
    labels = torch.randint(0, vocabulary, (tokens,), generator=draw)
    labels[torch.rand(tokens, generator=draw) > share] = -100
    return hidden.requires_grad_(), head, labels


def plain(hidden, head, labels, softcap):
    import torch

    logits = (hidden @ head.t()).float()
    logits = torch.tanh(logits / softcap) * softcap if softcap else logits
    return torch.nn.functional.cross_entropy(logits, labels, ignore_index=-100, reduction="sum")


def both(hidden, head, labels, softcap):
    import torch

    from trainer.loss import summed_loss

    for function in (summed_loss, plain):
        loss = function(hidden, head, labels, softcap)
        (grad,) = torch.autograd.grad(loss / 7, hidden)
        yield float(loss.detach()), grad.float()


@settings(max_examples=40, deadline=None)
@given(
    st.integers(1, 1300), st.sampled_from([0.0, 0.3, 1.0]), st.integers(0, 99),
    st.sampled_from([None, 3.0, 30.0]),
)  # fmt: skip
def test_value_and_gradient_are_those_of_torch(tokens, share, seed, softcap):
    import torch

    (ours, slope), (theirs, expected) = both(*made(tokens, share, seed), softcap)
    assert ours == pytest.approx(theirs, rel=1e-5, abs=1e-6)
    torch.testing.assert_close(slope, expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("softcap", [None, 5.0])
def test_in_16_bits_the_gradient_is_within_their_rounding(softcap):
    import torch

    hidden, head, labels = made(700, 0.7, 1, torch.bfloat16)
    (ours, slope), (theirs, expected) = both(hidden, head, labels, softcap)
    assert ours == pytest.approx(theirs, rel=1e-4)
    assert float((slope - expected).norm() / expected.norm()) < 0.01


def test_nothing_trained_gives_zero_and_gradients_of_zero():
    import torch

    (ours, slope), _ = both(*made(9, 0.0, 0), None)
    assert ours == 0.0
    assert not slope.any()
    assert slope.shape == torch.Size([9, 16])


def test_one_over_many_tokens_is_not_rounded_to_16_bits():
    import torch

    from trainer.loss import summed_loss

    hidden, head, labels = made(64, 1.0, 2, torch.bfloat16)
    slopes = []
    for count in (1, 389):  # 1/389 has no short binary form
        (slope,) = torch.autograd.grad(summed_loss(hidden, head, labels) / count, hidden)
        slopes.append(slope.float() * count)
    scale = float((slopes[0] * slopes[1]).sum() / (slopes[0] ** 2).sum())
    assert abs(scale - 1) < 5e-4
