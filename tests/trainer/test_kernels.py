"""Compiled layers learn the same; where nothing can be compiled the run goes on without."""

from __future__ import annotations

import shutil

import pytest

from tests.trainer.test_sft import flat, trained
from tests.trainer.tiny_models import apart, make_job, make_model, write_model

pytestmark = [pytest.mark.train, pytest.mark.slow]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_model(tmp_path_factory.mktemp("kernels") / "model", num_hidden_layers=1)


def one_layer():
    import torch

    return make_model(num_hidden_layers=1).to(torch.float32).requires_grad_(False)


@pytest.fixture
def afresh():
    """No compiled code of another test."""
    import torch

    torch._dynamo.reset()
    torch._dynamo.utils.counters.clear()
    yield
    torch._dynamo.reset()


@pytest.mark.parametrize(
    ("wanted", "device", "tokens", "choice"),
    [("auto", "cpu", 10**9, "none"), ("liger", "cpu", 10**9, "none"),
     ("compile", "cpu", 1, "compile"), ("none", "cuda", 10**9, "none"),
     ("compile", "cuda", 1, "compile"), ("liger", "cuda", 1, "liger")],
)  # fmt: skip
def test_what_is_chosen(wanted, device, tokens, choice):
    import torch

    from trainer.kernels import choose

    assert choose(wanted, torch.device(device), tokens) == choice


@pytest.mark.parametrize(
    ("compiler", "liger", "tokens", "choice"),
    [(True, True, 10**9, "compile"), (True, True, 10**5, "liger"), (False, True, 10**9, "liger"),
     (False, False, 10**9, "none"), (True, False, 10**5, "none")],
)  # fmt: skip
def test_auto_compiles_long_runs_where_a_compiler_is(monkeypatch, compiler, liger, tokens, choice):
    import torch

    from trainer import kernels

    monkeypatch.setattr(kernels, "can_compile", lambda: compiler)
    monkeypatch.setattr(kernels, "has_liger", lambda: liger)
    assert kernels.choose("auto", torch.device("cuda"), tokens) == choice


@pytest.mark.skipif(not shutil.which("g++"), reason="torch compiles for a CPU with g++")
@pytest.mark.usefixtures("afresh")
def test_compiled_layers_learn_the_same_also_when_recomputed(tmp_path, folder):
    import torch

    from trainer import kernels
    from trainer.room import recompute

    job = make_job(tmp_path / "run", folder, dropout=0.0, epochs=1)
    plain = trained(flat(job, one_layer()))
    trainer = flat(job, one_layer())
    assert kernels.apply("compile", trainer.model, trainer.parts) == "compile"
    recompute(trainer.model, trainer.parts, 1)
    compiled = trained(trainer)
    assert compiled.losses == pytest.approx(plain.losses, rel=1e-4)
    assert apart(compiled.grads, plain.grads) < 1e-4
    counted = torch._dynamo.utils.counters
    assert counted["frames"]["ok"] == counted["frames"]["total"] > 0
    assert counted["stats"]["unique_graphs"] <= 6  # other lengths are not compiled anew


@pytest.mark.usefixtures("afresh")
def test_what_cannot_be_compiled_is_built_anew_and_said(tmp_path, folder, monkeypatch):
    import torch._inductor.config as inductor

    from trainer.fit import NOT_COMPILED, fit

    monkeypatch.setattr(inductor.cpp, "cxx", ("/nowhere/to/be/found",))
    monkeypatch.setattr(inductor, "force_disable_caches", True)
    said = []
    job = make_job(tmp_path / "run", folder, kernels="compile", epochs=1, said=said)
    compiled = fit(job)
    assert NOT_COMPILED in said
    assert compiled.layout["kernels"] == "none"
    plain = fit(make_job(tmp_path / "plain", folder, kernels="none", epochs=1))
    assert compiled.train_loss == plain.train_loss
    assert (job.run / "adapter" / "adapter_model.safetensors").is_file()


def test_an_architecture_that_no_kernel_knows_runs_as_it_is():
    from trainer.kernels import apply
    from trainer.parts import parts_of

    model = one_layer()
    model.config.model_type = "of-another-day"
    assert apply("liger", model, parts_of(model)) == "none"
