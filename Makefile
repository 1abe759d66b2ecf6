# `make demo` and `make test` do all the set-up on a machine with git, make and Python.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2
# What trains; a machine without GPU may name a CPU build here. Tested with this version.
TORCH ?= torch==2.13.0

.PHONY: install models demo test fast lint clean

$(BIN)/privatune: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e .
	@touch $(BIN)/privatune

# The optional detectors of names, for their tests alone: the tagger comes with the package.
$(VENV)/.models: $(BIN)/privatune scrubbers/weights.py
	$(BIN)/privatune models install
	@touch $@

$(VENV)/.dev: $(BIN)/privatune pyproject.toml
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	@touch $@

# Training and its tests: the main job's environment has none of it.
$(VENV)/.train: $(VENV)/.dev
	$(BIN)/python -m pip install --quiet '$(TORCH)'
	$(BIN)/python -m pip install --quiet -e '.[dev,train]'
	@touch $@

install: $(BIN)/privatune

models: $(VENV)/.models

demo: install
	PYTHON=$(BIN)/python sh sample_data/demo.sh

test: models $(VENV)/.train lint
	$(BIN)/python -m pytest -n $(JOBS)

fast: models $(VENV)/.train
	$(BIN)/python -m pytest -n $(JOBS) -m 'not slow'

lint: $(VENV)/.train
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) demo-out demo-out.refused .demo-out.partial
