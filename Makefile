# make play   set up everything and play            make lint   format, lint and types
# make test   set up everything and run all tests   make bench  measure speed and memory
# make docs   build the documentation               make pictures        screenshots of every page
# make dist   build sdist and wheel                 make test-pythons    the wheel on every Python there is
#                                                   make test-container  the steps of the container, without one

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

# Hundreds of processes are started; without kept bytecode each of them would compile every module again.
unexport PYTHONDONTWRITEBYTECODE

# What the tests and the checks need is made side by side.
ifneq ($(filter lint test,$(MAKECMDGOALS)),)
MAKEFLAGS += --jobs=2
endif

.PHONY: play test test-client lint lint-python lint-client docs modules client chromium kernels dist test-pythons test-container \
	pictures bench format clean

play: $(READY) client
	$(BIN)/kemu

test: client docs chromium kernels test-client
	rm -f .coverage .coverage.*
	$(BIN)/python -m pytest -n auto --dist worksteal --cov --cov-report=
	rm -f .coverage.* # of processes that were killed while they wrote
	$(BIN)/python -m coverage report --fail-under=96
	$(BIN)/python -m coverage report --include='src/kemu/core/*,src/kemu/games/*,src/kemu/play/*' --fail-under=100

test-client: modules
	$(BIN)/python web/scripts/client.py test

lint: lint-python lint-client

lint-python: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

lint-client: modules
	$(BIN)/python web/scripts/client.py check
	$(BIN)/hadolint deploy/Dockerfile
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.compose-spec deploy/compose.yaml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/check.yaml

docs: $(READY)
	$(BIN)/python docs/site/build.py

modules: $(READY)
	$(BIN)/python web/scripts/client.py install

client: modules
	$(BIN)/python web/scripts/client.py build

chromium: $(READY)
	$(BIN)/python web/scripts/chromium.py

kernels: $(READY) # compiled once, not by every process of the tests that needs them
	$(BIN)/python -m kemu.bots.warm
	$(BIN)/python -m tests.kernels

dist: $(READY)
	rm -rf dist
	$(BIN)/python -m build

test-pythons: dist
	$(BIN)/python deploy/pythons.py

test-container: $(READY)
	$(BIN)/python deploy/rehearse.py

pictures: $(READY) client chromium
	$(BIN)/python web/scripts/pictures.py

bench: $(READY)
	$(BIN)/kemu bench start solver rules moeraki mauw

format: $(READY)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix
	$(BIN)/python web/scripts/client.py format

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Kemu needs Python 3.11 or newer.") if sys.version_info < (3, 11) else None'
	$(PYTHON) -c 'import ensurepip, venv' || { apt-get update && apt-get install -y python3-venv; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt --editable '.[test,lint,docs,release]'
	touch $(READY)

clean:
	rm -rf $(VENV) web/node_modules src/kemu/web src/kemu/docs build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*
