"""Loss and perplexity against hand computation, whatever the batch."""

from __future__ import annotations

import math
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trainer.losses import Loss, MemoryShort, batches, losses, run_or_halve, together

pytestmark = pytest.mark.train
VOCABULARY = 97


def example(ids, trained):
    labels = [token if use else -100 for token, use in zip(ids, trained, strict=True)]
    return SimpleNamespace(ids=ids, labels=labels, record=1)


def tiny(kind="Llama"):
    import torch
    import transformers

    torch.manual_seed(3)
    config = getattr(transformers, f"{kind}Config")(
        vocab_size=VOCABULARY, hidden_size=32, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=128, head_dim=8,
    )  # fmt: skip
    model = getattr(transformers, f"{kind}ForCausalLM")(config)
    for parameter in model.parameters():  # the usual start is so flat that every loss is log(97)
        torch.nn.init.normal_(parameter, std=0.3)
    return model.eval()


@pytest.fixture(scope="module", params=["Llama", "Qwen3"])
def model(request):
    return tiny(request.param)


def by_hand(model, one):
    """Sum and number, one token at a time, from the logits of the whole text."""
    import torch

    with torch.no_grad():
        logits = model(torch.tensor([one.ids])).logits[0].double()
    probabilities = torch.log_softmax(logits, dim=-1)
    places = [i for i in range(1, len(one.ids)) if one.labels[i] != -100]
    return -sum(float(probabilities[i - 1, one.ids[i]]) for i in places), len(places)


rows = st.lists(
    st.lists(st.tuples(st.integers(0, VOCABULARY - 1), st.booleans()), min_size=1, max_size=12),
    min_size=1, max_size=6,
)  # fmt: skip


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(rows=rows, budget=st.integers(1, 60))
def test_a_batch_gives_what_a_hand_computes_alone(model, rows, budget):
    examples = [example([t for t, _ in row], [u for _, u in row]) for row in rows]
    for one, loss in zip(examples, losses(model, examples, budget=budget), strict=True):
        nll, tokens = by_hand(model, one)
        assert loss.tokens == tokens
        assert loss.nll == pytest.approx(nll, rel=1e-4, abs=1e-4)


def test_models_without_a_choice_of_positions_agree(model):
    import torch

    class Old(torch.nn.Module):
        device = torch.device("cpu")

        def forward(self, input_ids, attention_mask, use_cache):
            return model(input_ids=input_ids, attention_mask=attention_mask)

    rows = [example([5, 6, 7, 8], [0, 0, 1, 1]), example([9, 1], [0, 1])]
    assert [one.nll for one in losses(Old(), rows)] == pytest.approx(
        [one.nll for one in losses(model, rows)], rel=1e-5
    )


def test_perplexity_counts_tokens_and_not_records():
    both = together([Loss(2.0, 1), Loss(4.0, 7)])
    assert both.mean == pytest.approx(0.75)
    assert both.perplexity == pytest.approx(math.exp(0.75))
    assert math.isnan(together([]).mean)
    assert Loss(1e6, 1).perplexity == math.inf


@given(st.lists(st.integers(1, 50), max_size=30), st.integers(1, 120))
def test_batches_hold_every_row_once_and_stay_within_the_budget(lengths, budget):
    made = list(batches(lengths, budget))
    assert sorted(row for batch in made for row in batch) == list(range(len(lengths)))
    for batch in made:
        assert len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= budget


def test_a_batch_that_does_not_fit_is_halved_until_it_does():
    import torch

    done = []

    def run(rows):
        if len(rows) > 2:
            raise torch.OutOfMemoryError
        done.extend(rows)

    run_or_halve(range(7), run)
    assert done == list(range(7))


def test_a_single_row_that_does_not_fit_says_what_to_change():
    def run(rows):
        raise RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory")

    with pytest.raises(MemoryShort, match="--max-new-tokens"):
        run_or_halve([0, 1], run)
    with pytest.raises(ZeroDivisionError):
        run_or_halve([0], lambda rows: 1 / 0)
