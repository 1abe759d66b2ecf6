"""How a step is laid out: within its own lines, without recomputing where memory is free."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.trainer.tiny_models import apart, example, grads, make_model, stir

pytestmark = pytest.mark.train
UNHURRIED = settings(deadline=None)
layers = st.integers(1, 80)
lines_of = st.tuples(st.floats(0, 40e9), st.floats(0, 3e6), st.floats(0, 2e6), st.floats(0, 16_384))


def ranked(numbers, least, most, count, room):
    from trainer.room import _Lines, _ranked

    lines = _Lines(*numbers)
    return lines, _ranked(lines, least, most, count, room)


@UNHURRIED
@given(lines_of, st.integers(2, 4096), st.integers(0, 16_384), layers, st.floats(1e8, 1.4e11))
def test_nothing_beyond_its_lines_is_tried_but_the_smallest_of_all(
    numbers, least, more, count, room
):
    lines, pairs = ranked(numbers, least, least + more, count, room)
    assert pairs[-1] == (least, 0)
    for tokens, kept in pairs[:-1]:
        assert lines.bytes(tokens, kept) <= room
        assert least <= tokens <= least + more
        assert 0 <= kept <= count


@UNHURRIED
@given(lines_of, st.integers(2, 4096), st.integers(0, 16_384), layers)
def test_with_memory_free_rows_are_long_and_nothing_is_recomputed(numbers, least, more, count):
    _, pairs = ranked(numbers, least, least + more, count, 1e18)
    assert pairs[0][1] == count
    if numbers[3] > 1e-3:  # beginning a row costs something
        assert pairs[0][0] == least + more


@UNHURRIED
@given(lines_of, st.integers(2, 4096), st.integers(0, 16_384), layers, st.floats(1e8, 1.4e11))
def test_layers_are_recomputed_only_where_all_kept_would_not_fit(numbers, least, more, count, room):
    lines, pairs = ranked(numbers, least, least + more, count, room)
    tokens, kept = pairs[0]
    if kept < count and len(pairs) > 1:
        assert lines.bytes(tokens, kept + 1) > room


def test_a_shorter_row_without_recomputing_beats_a_longer_one_with():
    # 10 GB fixed, 1 MB a token and 0.1 MB for each of 40 layers kept: 20 GB hold 2,000 tokens.
    _, pairs = ranked((10e9, 1e6, 0.1e6, 16), 500, 8000, 40, 20e9)
    assert pairs[0] == (2000, 40)


def test_rows_stay_long_where_beginning_one_is_dear():
    _, pairs = ranked((10e9, 1e6, 0.1e6, 16_384), 500, 8000, 40, 20e9)
    assert pairs[0][0] > 4000


def test_when_not_even_the_smallest_fits_nothing_else_is_tried():
    from trainer.room import _ranked

    assert _ranked(None, 100, 1000, 8, 1e9) == [(100, 0)]


class MadeUp:
    """A probe that answers from straight lines, with a clock that is a little off."""

    def __init__(self, limit, fixed=5e9, token=1e6, layer=0.2e6, clock=1.0):
        from types import SimpleNamespace

        self.parts = SimpleNamespace(layers=[None] * 32)
        self.limit, self.fixed, self.token, self.layer = limit, fixed, token, layer
        self.clock, self.seconds = clock, 0.0

    def peak(self, tokens, recomputed):
        self.seconds = self.clock * (0.1 + tokens / 10_000)
        needed = self.fixed + tokens * (self.token + self.layer * (32 - recomputed))
        return needed if needed <= self.limit else None


def test_lines_are_those_of_the_passes():
    from trainer.room import _lines

    lines = _lines(MadeUp(1e12), 500, 4000, 1e12)
    assert lines.fixed == pytest.approx(5e9)
    assert lines.token == pytest.approx(1e6)
    assert lines.layer == pytest.approx(0.2e6)
    assert lines.start == 1024  # 0.1 s at 10,000 tokens a second, to a power of four


@pytest.mark.parametrize("room", [5.4e9, 5.6e9, 6.2e9, 8e9, 2e10, 1e11])
def test_what_is_taken_first_fits_where_anything_does(room):
    from trainer.room import _lines, _ranked

    probe = MadeUp(room)
    pairs = _ranked(_lines(probe, 500, 4000, room), 500, 4000, 32, room)
    fits = [pair for pair in pairs if probe.peak(pair[0], 32 - pair[1]) is not None]
    assert bool(fits) == (room > 5.5e9)
    if room >= 8e9:
        assert pairs[0] == fits[0]


def test_two_runs_with_other_clocks_lay_out_their_rows_alike():
    from trainer.room import _lines, _ranked

    found = {
        tuple(_ranked(_lines(MadeUp(2e10, clock=clock), 500, 4000, 2e10), 500, 4000, 32, 2e10))
        for clock in (0.9, 1.0, 1.04, 1.3)
    }
    assert len(found) == 1


def tuned(kind):
    import torch
    from peft import LoraConfig, get_peft_model

    from trainer.attention import NAME, register
    from trainer.parts import parts_of

    register()
    base = make_model(kind, num_hidden_layers=4)
    base.requires_grad_(False)
    parts = parts_of(base)
    base.set_attn_implementation(NAME)
    torch.manual_seed(1)
    model = get_peft_model(base, LoraConfig(r=4, target_modules="all-linear", lora_dropout=0.3))
    stir(model)
    return model, parts


@pytest.mark.parametrize("kind", ["qwen3", "llama", "phi3"])
def test_recomputed_layers_give_the_same_gradients_dropout_included(kind):
    import torch

    from trainer.flat import flat_row
    from trainer.parts import row_loss
    from trainer.room import recompute

    model, parts = tuned(kind)
    ones = [example(size, random.Random(5)) for size in (20, 9)]
    row = flat_row([{"input_ids": o.ids, "labels": o.labels} for o in ones], 20, kernel=False)
    runs, found = [], {}
    for layer in parts.layers:
        layer.self_attn.register_forward_pre_hook(lambda *_: runs.append(1))
    for count in (0, 1, 3, 4, 2, 0):
        recompute(model, parts, count)
        runs.clear()
        torch.manual_seed(7)
        model.zero_grad()
        loss = row_loss(parts, row) if model.train() else None
        loss.backward()
        assert len(runs) == 4 + count  # those are run again, and no other
        found[count] = grads(model)
    assert all(apart(one, found[0]) == 0.0 for one in found.values())


def test_a_layout_is_kept_for_the_same_card_and_memory_alone(tmp_path, monkeypatch):
    import torch

    from trainer.room import GIB, Room, store, stored

    card = ["card of one kind"]
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda _: card[0])
    path, room = tmp_path / "checkpoints" / "room.json", Room(2048, 3, True, 10.0)
    assert stored(path, None, 1e12) is None
    store(path, room, None)
    assert stored(path, None, 11 * GIB) == room
    assert stored(path, None, 9 * GIB) is None  # less memory than it took: look anew
    card[0] = "another"
    assert stored(path, None, 11 * GIB) is None
    path.write_text("{")
    assert stored(path, None, 1e12) is None


@UNHURRIED
@given(st.integers(2, 900), st.integers(2, 900))
def test_made_up_rows_have_the_tokens_asked_for(tokens, longest):
    from trainer.room import made_up_row

    row = made_up_row(tokens, longest, 50, kernel=False)
    assert row.ids.numel() == tokens == sum(row.blocks.lengths)
    assert max(row.blocks.lengths) <= longest
    assert row.trained == tokens
