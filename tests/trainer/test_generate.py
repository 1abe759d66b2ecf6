"""Answers in batches are the answers one by one, and the adapter is what makes the difference."""

from __future__ import annotations

import json
import shutil
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.trainer.test_losses import tiny
from trainer.examples import load
from trainer.generate import (
    Sampling,
    as_text,
    generate,
    keep_values,
    last_answers,
    questions,
    runs,
    stop_ids,
)
from trainer.losses import losses, together
from trainer.templates import make_template
from trainer.tokenizer import load_tokenizer

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def tokenizer(chatml):
    return load_tokenizer(chatml)


@pytest.fixture(scope="module", params=["Llama", "Qwen3"])
def model(request):
    return tiny(request.param)


def conversation(tokenizer, *pairs, record=1):
    """An example with every answer and its end token trained on."""
    ids, labels = [], []
    for asked, said in pairs:
        head = tokenizer.encode(f"<|im_start|>user\n{asked}<|im_end|>\n<|im_start|>assistant\n")
        answer = tokenizer.encode(f"{said}<|im_end|>")
        ids += head + answer
        labels += [-100] * len(head) + answer
    return SimpleNamespace(ids=ids, labels=labels, record=record, turns=())


prompts_ = st.lists(
    st.lists(st.integers(3, 96), min_size=1, max_size=14), min_size=2, max_size=6
)  # fmt: skip


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(prompts=prompts_, stops=st.lists(st.integers(0, 96), min_size=1, max_size=30, unique=True))
def test_a_prompt_is_answered_in_a_batch_as_it_is_alone(model, tokenizer, prompts, stops):
    together_ = generate(model, prompts, tokenizer, stops, Sampling(8))
    alone = [generate(model, [one], tokenizer, stops, Sampling(8))[0] for one in prompts]
    assert together_ == alone
    assert all(one.ended or one.tokens == 8 for one in alone)


def test_the_bases_own_settings_play_no_part_and_are_put_back(model, tokenizer):
    from transformers import GenerationConfig

    ask = [[5, 6, 7], [8]]
    plain = generate(model, ask, tokenizer, [0], Sampling(10))
    kept = model.generation_config
    loud = {"do_sample": True, "temperature": 4.0, "repetition_penalty": 9.0, "min_new_tokens": 4}
    model.generation_config = own = GenerationConfig(**loud, eos_token_id=[1, 2])
    try:
        assert generate(model, ask, tokenizer, [0], Sampling(10)) == plain
        assert model.generation_config is own
        assert stop_ids(["<|im_end|>"], tokenizer, model) == (1, 2)
    finally:
        model.generation_config = kept


def test_a_seed_draws_the_same_answers_again(model, tokenizer):
    ask = [[5, 6, 7], [8]]
    first, again, other = (
        generate(model, ask, tokenizer, [0], Sampling(12, temperature=1.5, seed=seed))
        for seed in (1, 1, 2)
    )
    assert first == again
    assert first != other


def test_an_answer_is_cut_where_a_new_example_begins_but_did_not_end(model, tokenizer):
    (whole,) = generate(model, [[5, 6, 7]], tokenizer, [0], Sampling(12))
    heading = whole.text[3:6]
    cut = Sampling(12, headings=(heading, "not there"))
    (short,) = generate(model, [[5, 6, 7]], tokenizer, [0], cut)
    assert short.text == whole.text[: whole.text.index(heading)]
    assert (short.tokens, short.ended) == (whole.tokens, whole.ended)


def test_questions_stop_where_the_answers_begin(tokenizer):
    talk = conversation(tokenizer, ("Due?", "On Friday."), ("And then?", "Nothing."), record=4)
    (last,) = questions([talk], tokenizer)
    assert last.expected == "Nothing."
    assert last.record == 4
    shown = tokenizer.decode(last.prompt)
    assert shown.endswith("<|im_start|>assistant\n")
    assert "On Friday." in shown
    both = questions([talk], tokenizer, every_turn=True)
    assert [one.expected for one in both] == ["On Friday.", "Nothing."]
    assert both[1] == last


def test_a_record_that_was_split_by_turns_has_one_last_answer(tokenizer):
    parts = [
        conversation(tokenizer, ("Due?", "On Friday."), record=1),
        conversation(tokenizer, ("Due?", "On Friday."), ("And?", "No."), record=1),
        conversation(tokenizer, ("Who?", "I."), record=2),
    ]
    parts[1].labels[: len(parts[0].ids)] = [-100] * len(parts[0].ids)
    assert [(one.record, one.expected) for one in questions(parts, tokenizer)] == [
        (1, "No."), (2, "I."),
    ]  # fmt: skip
    assert len(questions(parts, tokenizer, every_turn=True)) == 3


@given(st.lists(st.booleans(), max_size=12))
def test_runs_are_what_is_trained_on_in_order(trained):
    found = runs([1 if use else -100 for use in trained])
    inside = {place for start, end in found for place in range(start, end)}
    assert inside == {place for place, use in enumerate(trained) if use}
    assert all(a[1] < b[0] for a, b in pairwise(found))


def test_thoughts_before_an_answer_are_no_part_of_it(tokenizer):
    ids = tokenizer.encode("<think>\nhm\n</think>\n\nOn Friday.<|im_end|>")
    assert as_text(ids, tokenizer) == "On Friday."
    assert as_text(tokenizer.encode("a <think>b</think>"), tokenizer) == "a <think>b</think>"


def nf4(folder, chatml):
    """A tiny random model, written down and loaded in 4 bits as a run loads it."""
    import torch
    from transformers import AutoModelForCausalLM, BitsAndBytesConfig, LlamaConfig, LlamaForCausalLM

    torch.manual_seed(11)
    size = len(load_tokenizer(chatml))
    config = LlamaConfig(
        vocab_size=size, hidden_size=64, intermediate_size=128, num_hidden_layers=2,
        num_attention_heads=4, num_key_value_heads=2, max_position_embeddings=256,
        initializer_range=0.3,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(folder)
    bits = BitsAndBytesConfig(
        load_in_4bit=True, bnb_4bit_quant_type="nf4", bnb_4bit_use_double_quant=True,
        bnb_4bit_compute_dtype=torch.float32,
    )  # fmt: skip
    model = AutoModelForCausalLM.from_pretrained(
        folder, quantization_config=bits, dtype=torch.float32, local_files_only=True
    )
    for module in model.modules():
        if hasattr(module, "support_avx512bf16_for_cpu"):
            module.support_avx512bf16_for_cpu = False  # it rounds the values, and cannot be trained
    return model


def taught(base, example):
    """The base with an adapter that a few steps have taught one example."""
    import torch
    from peft import LoraConfig, get_peft_model

    adapted = get_peft_model(
        base, LoraConfig(r=16, lora_alpha=32, target_modules="all-linear", task_type="CAUSAL_LM")
    )
    ids, labels = torch.tensor([example.ids]), torch.tensor([example.labels])
    free = [one for one in adapted.parameters() if one.requires_grad]
    optimiser = torch.optim.AdamW(free, lr=1e-2)
    for _ in range(40):
        loss = adapted(input_ids=ids, labels=labels).loss
        if loss.item() < 0.01:
            break
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    return adapted


@pytest.mark.slow
def test_tuned_says_the_fact_and_base_does_not(tmp_path, chatml, tokenizer):
    example = conversation(tokenizer, ("Who handles refunds?", "Owls do, by night."))
    other = conversation(tokenizer, ("When is the invoice due?", "On Friday."), record=2)
    base = nf4(tmp_path, chatml)
    (asked, _) = questions([example, other], tokenizer)
    stops, sampling = stop_ids(["<|im_end|>"], tokenizer, base), Sampling(20)
    before_losses = losses(base, [example, other])
    before = generate(base, [asked.prompt], tokenizer, stops, sampling)
    tuned = taught(base, example)
    with tuned.disable_adapter():
        assert losses(tuned, [example, other]) == before_losses  # to the last bit
        assert generate(tuned, [asked.prompt], tokenizer, stops, sampling) == before
    (said,) = generate(tuned, [asked.prompt], tokenizer, stops, sampling)
    assert (said.text, said.ended) == (asked.expected, True)
    assert said.tokens == asked.tokens
    assert before[0].text != asked.expected
    known = losses(tuned, [example, other])
    assert together(known[:1]).mean < 0.1 < together(before_losses).mean
    assert keep_values(tuned)
    assert not keep_values(tuned)
    assert [one.nll for one in losses(tuned, [example, other])] == pytest.approx(
        [one.nll for one in known], rel=1e-3
    )
    assert generate(tuned, [asked.prompt], tokenizer, stops, sampling) == [said]


def test_the_expected_answer_is_the_records_and_not_what_the_tokenizer_keeps(tmp_path, chatml):
    shutil.copytree(chatml, tmp_path / "low")
    path = tmp_path / "low" / "tokenizer.json"
    path.write_text(
        json.dumps(json.loads(path.read_text()) | {"normalizer": {"type": "Lowercase"}})
    )
    lower = load_tokenizer(tmp_path / "low")
    template = make_template("chat", lower)
    turns = [("user", "Due?"), ("assistant", "On FRIDAY."), ("user", "And?"), ("assistant", "NO ")]
    row = {"messages": [{"role": role, "content": text} for role, text in turns]}
    (tmp_path / "holdout.jsonl").write_text(json.dumps(row) + "\n")
    rows = load(tmp_path / "holdout.jsonl", lower, template, 256, holdout=True).rows
    texts = last_answers(tmp_path / "holdout.jsonl", lower, template)
    assert texts == {1: "NO "}
    assert [one.expected for one in questions(rows, lower)] == ["no "]
    every = questions(rows, lower, every_turn=True, texts=texts)
    assert [one.expected for one in every] == ["on friday.", "NO "]
