"""The planned layout, held against those that `train` chose on a card, and against its own code."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml

from trainer import layout as planned
from trainer.layout import START, kernels_for, layout
from trainer.memory import Setting, ours, peak_gib
from trainer.shape import shape_of

PEAKS = yaml.safe_load(Path(__file__).with_name("peaks.yaml").read_text(encoding="utf-8"))
SHAPES = PEAKS["shapes"]
QWEN = shape_of(SHAPES["qwen3-8b"])
SMALL = shape_of(SHAPES["qwen3-1.7b"])
LONGEST, STEP = 2048, 14_609  # of the rows in the benchmark


@pytest.mark.parametrize(
    ("kernels", "most_gib", "chosen"),
    [
        ("compile", 10.909, (8674, 36, False)),
        ("liger", 10.909, (9587, 36, False)),
        ("compile", None, (14609, 0, True)),
        ("liger", None, (14609, 0, True)),
    ],
)
def test_the_layouts_of_measured_runs_are_planned(kernels, most_gib, chosen) -> None:
    """On one NVIDIA H200, 2026-11-30; the runs called `whole` in peaks.yaml."""
    found = layout(QWEN, Setting(0, kernels=kernels), LONGEST, STEP, 139, most_gib)
    assert found is not None
    assert (found.tokens, found.recomputed, found.copy) == chosen
    assert found.kernels == kernels


def test_a_larger_card_never_takes_longer() -> None:
    found = [layout(QWEN, Setting(0), LONGEST, STEP, vram) for vram in range(7, 140, 3)]
    assert found[0] is None
    assert found[-1] is not None
    times = [planned._time(one.tokens, one.recomputed, 36) for one in found if one]
    assert times == sorted(times, reverse=True)
    assert all(one.peak < vram for one, vram in zip(found, range(7, 140, 3), strict=True) if one)


def test_rows_are_no_longer_than_a_step_and_no_shorter_than_a_record() -> None:
    short = layout(SMALL, Setting(0), 300, 900, 80)
    assert short is not None
    assert (short.tokens, short.recomputed) == (900, 0)
    long = layout(SMALL, Setting(0), 30_000, 900, 80)
    assert long is not None
    assert long.tokens == 30_000


def test_a_base_in_16_bits_has_no_copy() -> None:
    found = layout(SMALL, Setting(0, base="bf16"), LONGEST, STEP, 139)
    assert found is not None
    assert (found.recomputed, found.copy) == (0, False)


def test_kernels_follow_the_length_of_the_run() -> None:
    assert [kernels_for("auto", tokens) for tokens in (5_999_999, 6_000_000)] == [
        "liger", "compile"
    ]  # fmt: skip
    assert [kernels_for(one, 10**9) for one in ("none", "liger")] == ["none", "liger"]
    assert kernels_for("compile", 1) == "compile"


@pytest.mark.train
def test_the_choice_is_the_probes() -> None:
    """`train`'s own code, over passes that take what the estimate says."""
    from trainer import kernels, room

    assert planned.MOST_TOKENS == room.MOST_TOKENS
    assert (planned.SPARE, planned.RECOMPUTE) == (room.SPARE, room.RECOMPUTE)
    assert planned.WORTH_COMPILING == kernels.WORTH_COMPILING
    setting = Setting(0, optimiser="none")

    def one(tokens: int, kept: int) -> float:
        return peak_gib(QWEN, ours(tokens, QWEN.layers - kept, setting))

    probe = SimpleNamespace(parts=SimpleNamespace(layers=[None] * QWEN.layers), seconds=0.0)

    def peak(tokens: int, again: int) -> float:
        probe.seconds = (tokens + START) / 1e5
        return one(tokens, QWEN.layers - again)

    probe.peak = peak
    for limit in (7.5, 10.9, 23.0, 47.0, 133.0):
        for least, most in ((2048, 14_609), (300, 5000), (4096, 4096)):
            line = room._lines(probe, least, most, limit)
            assert line.start in (START, 0.0 if least == most else START)
            theirs = room._ranked(replace(line, start=START), least, most, QWEN.layers, limit)
            assert planned._ranked(one, least, most, QWEN.layers, limit) == theirs
