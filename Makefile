# `make book` builds the book and prints its address; `make test` runs every check. Both set up .venv on their own.
# `make test CHAPTER=07` checks one chapter; `make test STEPS="style unit"` takes these steps only.

PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin
READY := $(VENV)/ready
READY_FOR_TESTS := $(VENV)/ready-for-tests
INSTALL := $(RUN)/python -m pip install --quiet --disable-pip-version-check
LOCK := uv pip compile --quiet pyproject.toml --python-version 3.11 --no-header --no-annotate --extra book --extra fast

.PHONY: book test lab notebooks bench exercises offline lock clean

book: $(READY)
	$(RUN)/jupyter-book build . -W -n --keep-going
	@echo
	@echo "The book is ready. Open this address in a browser:"
	@echo "  file://$(CURDIR)/_build/html/index.html"

test: $(READY_FOR_TESTS)
	$(RUN)/python book/tools/run_tests.py $(if $(CHAPTER),--chapter $(CHAPTER)) $(STEPS)

lab: $(READY)
	JUPYTER_CONFIG_PATH=$(CURDIR)/book/jupyter:$$JUPYTER_CONFIG_PATH $(RUN)/jupyter lab notebooks

notebooks: $(READY)
	$(RUN)/python book/tools/execute_notebooks.py

bench: $(READY_FOR_TESTS)
	$(RUN)/python book/tools/run_benchmarks.py

exercises: $(READY)
	$(RUN)/python book/tools/make_exercises.py

offline: book
	cd _build && rm -f margins-and-posteriors.zip && $(CURDIR)/$(RUN)/python -m zipfile -c margins-and-posteriors.zip html
	@echo "$(CURDIR)/_build/margins-and-posteriors.zip"

lock: # the second holds all of the first
	$(LOCK) -o requirements.txt
	$(LOCK) --extra test -c requirements.txt -o requirements-test.txt

clean:
	rm -rf _build .cache

$(READY): requirements.txt pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed; name one with 'make PYTHON=python3.11 $(MAKECMDGOALS)'."; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || \
	  { echo "Python's venv module is missing; on Debian: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	$(INSTALL) -r requirements.txt
	$(INSTALL) --no-deps -e .
	@touch $@

$(READY_FOR_TESTS): requirements-test.txt $(READY)
	$(INSTALL) -r requirements-test.txt
	@touch $@
