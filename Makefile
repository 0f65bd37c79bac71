# Every target makes what it needs first. PORT and VAR (the data folder) may be set: make demo PORT=8123 VAR=/some/dir

PORT ?= 8000
VAR ?= var
export PORT
# Made absolute by hand: make's own functions would take a name with blanks for several names.
ifeq ($(filter /% ~%,$(firstword $(VAR))),)
override VAR := $(CURDIR)/$(VAR)
endif
export VAR

PY := .venv/bin/python
WORKERS ?= 2

.PHONY: help demo run setup test coverage bench lint lock messages wheels clean rehearsal reader
.DEFAULT_GOAL := help

help:
	@echo "make demo      a site with a half-played demo event, at http://localhost:$(PORT)/"
	@echo "make run       the same, empty"
	@echo "make test      lint, types, layers, and the whole test suite"
	@echo "make coverage  the tests again, with the lines that none of them reaches"
	@echo "make bench     speed and growth"
	@echo "make rehearsal a small event on real processes, with some of them killed"
	@echo "make lint      lint, types and layers only"
	@echo "make messages  fold new translations into the catalogue and compile it"
	@echo "make wheels    the two libraries as wheels in dist/"
	@echo "make reader    train the reader of scoresheets: make reader DIGITS=file.npz"
	@echo "make lock      lock the dependencies again"

demo: setup
	@$(PY) -m config.serve --demo

run: setup
	@$(PY) -m config.serve

setup: .venv/.base
	@$(PY) -m config.catalogues compile

.venv/.base: requirements/base.txt
	@sh deploy/install.sh base

.venv/.dev: requirements/dev.txt
	@sh deploy/install.sh dev

.venv/.reader: requirements/reader.txt
	@sh deploy/install.sh reader

lint: .venv/.dev
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports

# pytest comes last, so that its closing line closes the run.
test: lint
	@$(PY) -m config.catalogues compile
	.venv/bin/pytest -n $(WORKERS) --dist loadgroup --ignore=tests/benchmarks

# Measuring slows the tests down, so it is a target of its own and not a part of them.
coverage: .venv/.dev
	@$(PY) -m config.catalogues compile
	.venv/bin/coverage run -m pytest -p no:xdist --ignore=tests/benchmarks -m "not e2e and not broker"
	.venv/bin/coverage report --skip-covered

bench: .venv/.dev
	@$(PY) -m config.catalogues compile
	.venv/bin/pytest tests/benchmarks -o python_files='bench_*.py measure_*.py test_*.py' -p no:xdist

rehearsal: .venv/.dev
	@$(PY) -m config.catalogues compile
	@$(PY) -m tests.rehearsal

messages: .venv/.dev
	$(PY) -m config.catalogues fold
	$(PY) -m config.catalogues compile

# DIGITS holds handwritten digits with their writers (training/split.py says how).
reader: .venv/.reader
	$(PY) -m training.network $(DIGITS) games/reading/boxes.onnx

wheels: .venv/.base
	$(PY) deploy/wheels.py dist

lock: .venv/.base
	@sh deploy/lock.sh

clean:
	rm -rf .venv .tools .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .benchmarks
