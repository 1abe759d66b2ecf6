"""The two presets are the two guides' numbers, and every number can be set."""

from __future__ import annotations

import json
from dataclasses import fields

import pytest

from trainer.recipe import COMPACT, PRESETS, REFERENCE, Recipe, recipe_from, recipe_of

OWN = {
    "method": "lora", "r": 8, "alpha": 64, "dropout": 0.1, "targets": ["q_proj", "v_proj"],
    "epochs": 1.5, "learning_rate": 1e-4, "schedule": "constant", "warmup_steps": 0,
    "batch_size": 1, "gradient_accumulation": 32, "weight_decay": 0.1, "seed": 7,
}  # fmt: skip
LORA = ("r", "alpha", "dropout", "targets")


def test_the_presets_are_the_guides():
    first, second = REFERENCE, COMPACT
    assert (first.r, first.alpha, first.dropout, first.targets) == (16, 32, 0.05, ("all-linear",))
    assert (first.effective_batch, first.schedule, first.warmup_steps) == (16, "cosine", 20)
    assert (second.r, second.alpha, second.dropout) == (16, 16, 0.0)
    assert (second.effective_batch, second.schedule, second.warmup_steps) == (8, "linear", 10)
    assert (second.weight_decay, second.seed) == (0.01, 42)
    assert {(one.epochs, one.learning_rate, one.max_length) for one in (first, second)} == {
        (3, 2e-4, 2048)
    }


@pytest.mark.parametrize("preset", PRESETS)
def test_every_number_can_be_set(preset):
    section = {name: value for name, value in OWN.items() if name not in LORA}
    made = recipe_of({"preset": preset, "lora": {n: OWN[n] for n in LORA}, **section}, 512)
    assert made.as_dict() == {"preset": preset, "max_length": 512, **OWN}
    assert set(made.as_dict()) == {field.name for field in fields(Recipe)}


@pytest.mark.parametrize("section", [{}, {"lora": None}, {"lora": {"r": None}, "epochs": None}])
def test_what_is_not_set_is_the_preset(section):
    assert recipe_of(section) == REFERENCE


def test_zero_is_a_value_and_not_a_gap():
    made = recipe_of({"warmup_steps": 0, "lora": {"dropout": 0.0}, "seed": 0})
    assert (made.warmup_steps, made.dropout, made.seed) == (0, 0.0, 0)


def test_what_was_stored_comes_back():
    made = recipe_of({"lora": {"targets": ["q_proj"]}})
    assert recipe_from(json.loads(json.dumps({**made.as_dict(), "later": 1}))) == made
