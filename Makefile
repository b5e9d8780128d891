# Everything starts from a plain Python: .venv is made with venv, and uv is installed into it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
UV := $(BIN)/uv
STAMP := $(VENV)/.setup
# What compares texts by meaning, 90 MB that `setup` goes without; where there is no wheel of it, the rest works by letters.
SEMANTICA := $(VENV)/.semantica
# What is compiled is kept: the tests start hundreds of programs, and each would compile all it imports again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup demo test test-slow test-install check bench evals torture pictures clean

help: ## Show this help
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(STAMP) ## Create .venv with the locked dependencies

$(STAMP): pyproject.toml uv.lock
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	test -x $(UV) || $(BIN)/python -m pip install --quiet --disable-pip-version-check uv
	$(UV) sync --frozen --inexact --quiet
	touch $(STAMP)

$(SEMANTICA): $(STAMP)
	$(UV) sync --frozen --inexact --quiet --extra semantica && touch $(SEMANTICA) || echo "Sem o extra semantica: os textos serão comparados por letras."

demo: $(SEMANTICA) ## Decide the sample pedidos, talk with six clinics, print it all, then serve the pages
	$(BIN)/crivo demo

test: $(SEMANTICA) ## Run the tests, but the slow ones
	$(BIN)/pytest -n 2 --dist worksteal -m "not slow"

test-slow: $(SEMANTICA) ## Run the slow tests: kills, races, timings, whole sizes
	$(BIN)/pytest -n 2 --dist worksteal -m slow

test-install: $(STAMP) ## Build the wheel, install it as somebody who is not root, and use it
	.ci/install

check: $(STAMP) ## Lint, format, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

bench: $(STAMP) ## Measure speed against peers, into .crivo/bench.json
	$(UV) sync --frozen --inexact --quiet --group bench
	$(BIN)/python -m bench

evals: $(SEMANTICA) ## Measure usefulness: golden set, 100,000 generated pedidos, conversations, verifier, into .crivo/evals.json
	$(BIN)/python -m evals

torture: $(STAMP) ## Kill servers under load, race for slots, and count what was lost, doubled or halved
	$(BIN)/python -m bench.torture
	PYTHONPATH=tests/support $(BIN)/python -m jornadas

pictures: $(STAMP) ## Take the README's pictures from the demo, into docs/pictures
	$(BIN)/python docs/pictures/take.py

clean: ## Remove .venv and caches (never the data in .crivo)
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .crivo-test
