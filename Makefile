# `make demo` and `make test` do all the set-up on a machine with git, make and Python.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
JOBS ?= 2

.PHONY: install demo test fast lint clean

$(BIN)/privatune: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e .
	@touch $(BIN)/privatune

$(VENV)/.models: $(BIN)/privatune scrubbers/weights.py
	$(BIN)/privatune models install
	@touch $@

$(VENV)/.dev: $(BIN)/privatune pyproject.toml
	$(BIN)/python -m pip install --quiet -e '.[dev]'
	@touch $@

install: $(VENV)/.models

demo: install
	PYTHON=$(BIN)/python sh sample_data/demo.sh

test: install $(VENV)/.dev lint
	$(BIN)/python -m pytest -n $(JOBS)

fast: install $(VENV)/.dev
	$(BIN)/python -m pytest -n $(JOBS) -m 'not slow'

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

clean:
	rm -rf $(VENV) demo-out demo-out.refused .demo-out.partial
