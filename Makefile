# make play   set up everything and play            make lint   format, lint and types
# make test   set up everything and run all tests   make bench  measure speed and memory

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/ready

.PHONY: play test lint bench format clean

play: $(READY)
	$(BIN)/kemu play

test: $(READY)
	rm -f .coverage .coverage.*
	$(BIN)/python -m pytest -n auto --cov --cov-report=
	$(BIN)/python -m coverage report --fail-under=100

lint: $(READY)
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy

bench: $(READY)
	for file in bench/*.py; do echo "== $$file"; $(BIN)/python $$file || exit 1; done

format: $(READY)
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

$(READY): pyproject.toml constraints.txt
	$(PYTHON) -c 'import sys; sys.exit("Kemu needs Python 3.11 or newer.") if sys.version_info < (3, 11) else None'
	$(PYTHON) -c 'import ensurepip, venv' || { apt-get update && apt-get install -y python3-venv; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[test,lint]'
	touch $(READY)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .coverage .coverage.*
