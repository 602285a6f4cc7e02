# Set-up and the two main jobs; `make help` lists everything.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
RUN ?= runs/demo-$(shell date +%Y%m%d-%H%M%S)
MINUTES ?= 2
GAMES ?= 20000
# The versions that CI tests with; set it empty to let pip choose.
export PIP_CONSTRAINT ?= $(CURDIR)/.ci/constraints.txt
PYTEST := $(BIN)/python -m pytest -q
# What the interpreted and the bounds-checked pass run: every rule, every conformance check.
SHORT := tests/core tests/rules tests/test_conformance.py

.DEFAULT_GOAL := help
.PHONY: help install demo test test-compiled test-interpreted test-bounds test-soak test-all lint types docs snippets wheel clean

help: ## list the targets
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 20

$(VENV)/.installed: pyproject.toml .ci/constraints.txt
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install -q --upgrade pip
	$(BIN)/python -m pip install -q -e '.[dev]'
	@touch $@

install: $(VENV)/.installed ## make the virtual environment

demo: install ## train Krig for two minutes, rate the agent against random and heuristic
	$(eval RUN := $(RUN))
	$(BIN)/kingmaker compile krig
	$(BIN)/kingmaker train krig --run-dir $(RUN)/train --minutes $(MINUTES)
	$(BIN)/kingmaker tournament krig policy=policy:$(RUN)/train/policy.pt heuristic random \
	    --games $(GAMES) --out $(RUN)/tournament
	@echo "table: $(RUN)/tournament/report.md   plot: $(RUN)/tournament/report.png"

test: install test-compiled test-interpreted ## run the tests: compiled, interpreted

# First each game in a process of its own: tests in two processes would both compile the same.
test-compiled: install
	$(BIN)/kingmaker compile --processes 2
	$(PYTEST) -n 2 tests

test-interpreted: install
	NUMBA_DISABLE_JIT=1 $(PYTEST) -n 2 $(SHORT)

# Compiles everything once more. What it finds, NumPy's own checks find in the interpreted pass, in fewer games.
test-bounds: install ## rules, core and conformance compiled with array bounds checked; slow
	NUMBA_BOUNDSCHECK=1 $(BIN)/kingmaker compile --processes 2
	NUMBA_BOUNDSCHECK=1 $(PYTEST) -n 2 $(SHORT)

test-all: test test-bounds ## all three, and on Python 3.10, 3.12 and 3.13 where present
	bash .ci/test_all.sh

test-soak: install ## slow checks: 200,000 games between exact agents, all faults of the example game
	$(BIN)/python -m kingmaker.benchmarks.exact_check

lint: install ## style and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install ## static types
	$(BIN)/python .ci/types.py

docs: install ## build the documentation site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict -q

snippets: install ## run every Python block of README and docs
	$(PYTEST) -W error --markdown-docs -p no:cacheprovider README.md docs

wheel: install ## build the wheel, install it afresh, play a game
	bash .ci/wheel.sh $(BIN)/python

clean: ## remove what the targets made, the virtual environment excepted
	rm -rf build dist site .pytest_cache .mypy_cache .ruff_cache *.egg-info
