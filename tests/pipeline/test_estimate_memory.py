"""The memory part of `plan`: settings of the section `train` decide what is shown for a card."""

from pathlib import Path

import yaml

from pipeline.estimate_memory import load_of, on_card, peaks
from pipeline.sections_train import Train
from trainer.recipe import recipe_of
from trainer.shape import shape_of

PEAKS = Path(__file__).parents[1] / "trainer" / "peaks.yaml"
QWEN = shape_of(yaml.safe_load(PEAKS.read_text(encoding="utf-8"))["shapes"]["qwen3-8b"])


def load(tokens: float = 1e6, **train: object):
    section = Train(**train)
    return load_of(QWEN, recipe_of(section.model_dump(), 2048), section, 2048, 608.75, tokens)


def test_a_card_shows_the_layout_that_train_would_choose() -> None:
    assert on_card(load(), 139)["packed"] == {
        "tokens": 14_610, "checkpointed": 0, "copy": True, "kernels": "liger", "peak_gib": 118.1
    }  # fmt: skip
    within = on_card(load(tokens=6e6, memory=10.9), 139)
    assert within["packed"]["checkpointed"] == 36
    assert within["packed"]["kernels"] == "compile"
    assert within["packed"]["peak_gib"] < 10.9
    assert within["padded"] == "roomy"


def test_kernels_and_processes_of_the_configuration_are_followed() -> None:
    plain = load(kernels="none")
    assert peaks(plain)["kernels"] == "none"
    last = [cell["peak_gib"] for cell in peaks(plain)["packed"]][-1]
    assert last > [cell["peak_gib"] for cell in peaks(load())["packed"]][-1]
    assert on_card(load(processes=2), 139)["packed"]["tokens"] == 7305
    assert on_card(load(method="lora"), 139)["packed"]["copy"] is False
