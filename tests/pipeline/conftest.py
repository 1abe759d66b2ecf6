"""What the tests of the training verbs share: a tiny base, a prepared folder, a way to train."""

from __future__ import annotations

import pytest

from tests.pipeline.small import Home, Unsealed, prepare, write_base


@pytest.fixture(scope="session")
def tiny_base(tmp_path_factory):
    """A model folder with random weights and a tokenizer of single characters."""
    return write_base(tmp_path_factory.mktemp("base") / "tiny")


@pytest.fixture(scope="session")
def folder_made(tmp_path_factory, tiny_base):
    """A prepared folder with its configuration, made once by the command."""
    return prepare(tmp_path_factory.mktemp("made") / "home", tiny_base)


@pytest.fixture
def home(folder_made, tmp_path, monkeypatch):
    """A copy of that folder to train in, as the current folder."""
    made = Home.copy(folder_made, tmp_path / "home")
    monkeypatch.chdir(made.root)
    # Threads that wait for each other are slow where other processes want the cores.
    monkeypatch.setenv("OMP_NUM_THREADS", "1")
    return made


@pytest.fixture
def unsealed(monkeypatch):
    """Train in this very process, which could not take a seal off again, and without the check."""
    from pipeline.train_hold import Held

    made = []

    def seal(run, config, options):
        made.append(Unsealed(run))
        return made[-1]

    import torch

    torch.set_num_threads(1)
    monkeypatch.setattr("pipeline.train._seal", seal)
    monkeypatch.setattr("pipeline.train.hold", lambda prepared, config: Held("ship alone"))
    return made
