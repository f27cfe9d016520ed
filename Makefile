# make play   set up everything and play            make lint      format, lint and types
# make test   set up everything and run all tests   make bench     one table of ratios
# make docs   build the documentation               make audit     known faults of dependencies, hostile bytes for SECONDS
# make client build the browser client              make dist      sdist and wheel, tried on every Python there is
# make format format everything                     make clean     remove everything that was made

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready
SITE := src/kemu/docs/index.html

# Hundreds of processes are started; without kept bytecode each of them would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

# What the tests need is made side by side.
ifneq ($(filter test,$(MAKECMDGOALS)),)
MAKEFLAGS += --jobs=2
endif

.PHONY: play test lint bench docs client format dist audit clean

# The documentation is built meanwhile; the server hands it out as soon as it is there.
play: client
	$(MAKE) --no-print-directory docs &
	$(BIN)/kemu

test: client $(SITE) $(VENV)/chromium $(VENV)/kernels
	rm -f .coverage .coverage.*
	$(BIN)/python -m pytest -n auto --dist worksteal --durations=25 --cov --cov-report=
	rm -f .coverage.* # of processes that were killed while they wrote
	$(BIN)/python -m coverage report --fail-under=96
	$(BIN)/python -m coverage report --include='src/kemu/core/*,src/kemu/games/*,src/kemu/play/*' --fail-under=100

lint: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/python web/scripts/client.py check
	$(BIN)/hadolint deploy/Dockerfile
	KEMU_HOST=localhost $(BIN)/caddy adapt --config deploy/Caddyfile > /dev/null
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec deploy/compose.yaml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/check.yaml

bench: $(READY)
	$(BIN)/python -m bench.ratios

docs: $(SITE)

client: $(READY)
	$(BIN)/python web/scripts/client.py build

format: $(READY)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	$(BIN)/python web/scripts/client.py format

dist: $(READY)
	rm -rf dist
	$(BIN)/python -m build
	$(BIN)/python deploy/pythons.py

# In an environment of its own, which nothing else needs.
audit: $(READY)
	$(PYTHON) -m venv build/audit
	build/audit/bin/python -m pip install --quiet pip-audit
	build/audit/bin/pip-audit --requirement constraints.txt --no-deps --disable-pip
	$(BIN)/python -m tests.fuzz --seconds $(or $(SECONDS),600)

clean:
	rm -rf $(VENV) web/node_modules src/kemu/web src/kemu/docs build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Kemu needs Python 3.11 or newer.") if sys.version_info < (3, 11) else None'
	$(PYTHON) -c 'import ensurepip, venv' || { apt-get update && apt-get install -y python3-venv; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[test,lint,docs,release]'
	touch $@

$(VENV)/chromium: $(READY) web/scripts/chromium.py
	$(BIN)/python web/scripts/chromium.py
	touch $@

# Compiled once, not by every process of the tests that needs it.
$(VENV)/kernels: $(READY) tests/kernels.py $(shell find src/kemu/engines src/kemu/games src/kemu/bots -name '*.py')
	$(BIN)/python -m kemu.bots.warm
	$(BIN)/python -m tests.kernels
	touch $@

# The pages show docstrings, commands and measured figures of this checkout.
$(SITE): $(READY) mkdocs.yml $(wildcard *.md) $(shell find docs -type f -not -name '*.pyc') $(shell find src/kemu -name '*.py')
	$(BIN)/python docs/site/build.py
