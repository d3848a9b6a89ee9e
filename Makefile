# The targets that people and CI run. You need a Rust toolchain and a C compiler; cargo fetches the rest.

# Build outputs go to a folder outside the checkout if there is a home directory, one folder per checkout, so that a build of one
# checkout is never used in another.
ifndef CARGO_TARGET_DIR
ifneq ($(shell mkdir -p "$(HOME)/.cache/consilience" 2>/dev/null && test -w "$(HOME)/.cache/consilience" && echo yes),)
export CARGO_TARGET_DIR := $(HOME)/.cache/consilience/target-$(shell printf %s "$(CURDIR)" | cksum | cut -d' ' -f1)
endif
endif
TARGET := $(or $(CARGO_TARGET_DIR),target)
CONSILIENCE := $(TARGET)/debug/consilience
# No target rebuilds after small changes, so incremental builds would only fill the disk.
export CARGO_INCREMENTAL ?= 0
DEMO ?= demo-output
DATA ?= $(or $(CONSILIENCE_DATA),../shared/data)

# The Python package is built and tested in an environment next to the other build outputs, never in the checkout. The environment
# is recreated if the interpreter or the requirements change.
PYTHON ?= python3
PY := $(if $(CARGO_TARGET_DIR),$(abspath $(TARGET)),$(or $(TMPDIR),/tmp)/consilience-$(shell id -u))/python
PYBIN := $(PY)/venv/bin
# Large packages (spaCy), without which some tests are skipped: make python LARGE=yes
LARGE ?=
INSTALLED := $(PY)/venv/.installed-$(shell ($(PYTHON) --version; cat python/requirements/*.txt) 2>&1 | cksum | cut -d" " -f1)$(LARGE)

.PHONY: help
help: ## List the targets
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# The demo's command leaves out what the demo does not need: Parquet, plots, kernels for wide vectors.
.PHONY: demo
demo: CONSILIENCE := $(TARGET)/demo/consilience
demo: ## Label the README's panel of judges in three ways, and show which judges repeat each other
	cargo build --locked --package consilience-cli --no-default-features --profile demo
	mkdir -p $(DEMO) && cp docs/pictures/judges-panel.csv $(DEMO)/judges.csv && cp docs/pictures/judges-panel.svg $(DEMO)/
	@echo; echo "Ten judges, 2,000 comparisons; six judges are prompts of one model. Correct labels, by gold that no model reads:"
	@$(call demo,by majority vote,label --majority)
	@$(call demo,as independent sources,label --independent)
	@$(call demo,with learned repetition,label)
	@echo; echo "Which judges repeat each other (consilience learn $(DEMO)/judges.csv):"
	@$(CONSILIENCE) --quiet learn $(DEMO)/judges.csv --gold better -o $(DEMO)/structure.json
	@$(CONSILIENCE) --quiet learn $(DEMO)/judges.csv --gold better -o $(DEMO)/structure.dot
	@$(CONSILIENCE) --quiet fit $(DEMO)/judges.csv --gold better --structure $(DEMO)/structure.json -o $(DEMO)/model.json
	@$(CONSILIENCE) --quiet explain $(DEMO)/judges.csv --gold better --model $(DEMO)/model.json
	@echo; echo "Labels, structure, model and the picture judges-panel.svg are in $(DEMO)/. Next, why an item has its label:"
	@echo "  $(CONSILIENCE) explain $(DEMO)/judges.csv --gold better --model $(DEMO)/model.json --row 0"

# One way to label the demo's votes: its name, and the share of correct labels that the command prints.
define demo
printf '  %-24s ' '$(1)'; $(CONSILIENCE) $(firstword $(2)) $(DEMO)/judges.csv --gold better $(wordlist 2,9,$(2)) --ties random \
	-o $(DEMO)/labels.csv 2>&1 | grep -o '[0-9.]*% of [0-9,]*'
endef

# All packages at once, because cargo would build the query engine again for every other selection. The distributed engine is left
# to `make cluster-test`.
TESTED := --workspace --exclude consilience-python --exclude consilience-cluster --lib --bins --tests --locked

# Property tests use the same cases every time; plain `cargo test` draws new ones.
.PHONY: test
test: export PROPTEST_RNG_SEED := 1
test: export CONSILIENCE_SKIPPED := $(abspath $(TARGET))/skipped-tests.txt
test: ## Check formatting, lints and docs, and run all tests
	rm -f $(CONSILIENCE_SKIPPED)
	cargo fmt --all --check
	cargo clippy --workspace --exclude consilience-cluster --all-targets --locked -- -D warnings
	cargo clippy --package consilience-cli --no-default-features --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --exclude consilience-cli --exclude consilience-cluster --no-deps --locked --document-private-items
	cargo test $(TESTED)
	cargo test --workspace --exclude consilience-python --exclude consilience-cluster --doc --locked
	$(MAKE) python
	$(MAKE) studio-test
	@if [ -s $(CONSILIENCE_SKIPPED) ]; then echo "Skipped tests:"; sort $(CONSILIENCE_SKIPPED) | uniq -c; else echo "No test was skipped."; fi

# The distributed engine, and the command with that feature only: with the same features, cargo builds the engine once.
CLUSTERED := --package consilience-cluster --package consilience-cli --no-default-features --features consilience-cli/cluster --locked

.PHONY: cluster-test
cluster-test: ## Run sources on a cluster of real processes, compare with one machine, and kill some of them
	cargo clippy $(CLUSTERED) --all-targets -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --package consilience-cluster --no-deps --locked --document-private-items
	cargo test $(CLUSTERED) --lib --test plain --test plans --test cluster

$(INSTALLED):
	rm -rf $(PY)/venv
	$(PYTHON) -m venv $(PY)/venv
	$(PYBIN)/pip install --quiet --disable-pip-version-check -r python/requirements/test.txt \
		$(if $(LARGE),-r python/requirements/large.txt)
	touch $@

.PHONY: python
python: export PYTHONDONTWRITEBYTECODE := 1
python: $(INSTALLED) ## Build the Python package's wheel, install it in a fresh environment, check and test it
	rm -rf $(PY)/wheel $(PY)/run $(PY)/fresh && mkdir -p $(PY)/run
	$(PYBIN)/ruff check --cache-dir $(PY)/ruff python
	$(PYBIN)/ruff format --check --cache-dir $(PY)/ruff python
	cd python && $(PYBIN)/maturin build --quiet --locked --out $(PY)/wheel --interpreter $(PYBIN)/python
	$(PYTHON) -m venv $(PY)/fresh
	$(PY)/fresh/bin/pip install --quiet --disable-pip-version-check -c python/requirements/test.txt $(PY)/wheel/*.whl
	cd $(PY)/run && $(PY)/fresh/bin/python -c "import consilience.labeling.model, consilience.learning"
	$(PYBIN)/pip install --quiet --disable-pip-version-check --force-reinstall --no-deps $(PY)/wheel/*.whl
	cd python && $(PYBIN)/mypy --cache-dir $(PY)/mypy
	cd $(PY)/run && $(PYBIN)/stubtest --mypy-config-file $(CURDIR)/python/pyproject.toml consilience._core
	cd $(PY)/run && $(PYBIN)/pytest -q -c $(CURDIR)/python/pyproject.toml --rootdir $(CURDIR)/python $(CURDIR)/python/tests
	cd $(PY)/run && $(PYBIN)/pytest -q -c $(CURDIR)/python/pyproject.toml --rootdir $(CURDIR)/bench $(CURDIR)/bench/peers/tests
	$(PYBIN)/python -B bench/cost.py --check
	cd $(PY)/run && $(PYBIN)/pytest -q -c $(CURDIR)/python/pyproject.toml --rootdir $(PY) --doctest-modules --pyargs consilience $(foreach part,$(TORCH),--ignore-glob "$(PY)/venv/lib/*/site-packages/consilience/$(part)*")

# Snorkel's modules that cannot be imported; the error says what to use instead.
TORCH := classification contrib slicing/modules slicing/utils slicing/sliceaware_classifier

# Building the wheel needs only maturin.
$(PY)/build/bin/maturin: python/requirements/test.txt
	$(PYTHON) -m venv $(PY)/build
	$(PY)/build/bin/pip install --quiet --disable-pip-version-check $$(grep '^maturin==' $<)
	touch $@

# The studio's page. The built page is committed, so only those who change it need Node.
web/node_modules/.package-lock.json: web/package-lock.json
	command -v npm > /dev/null || (apt-get update --quiet && apt-get install --yes --quiet nodejs npm)
	cd web && npm ci --no-audit --no-fund

.PHONY: page
page: web/node_modules/.package-lock.json ## Build the studio's page (the result is committed)
	cd web && npm run build

CHROMIUM ?= $(or $(shell command -v chromium || command -v chromium-browser || command -v google-chrome),/usr/bin/chromium)
PICTURES ?= $(abspath $(TARGET))/studio-pictures

.PHONY: studio-test
studio-test: web/node_modules/.package-lock.json ## Check that the studio's page is up to date, and test every screen in Chromium
	test -x $(CHROMIUM) || (apt-get update --quiet && apt-get install --yes --quiet chromium)
	cargo test $(TESTED) --no-run
	cd web && npm run check
	cd web && CONSILIENCE=$(abspath $(CONSILIENCE)) CHROMIUM=$(CHROMIUM) PICTURES=$(PICTURES) npm test

# Options of `make studio-bench`: ONLY=report,page,load,refit, ITEMS=1000000, CLIENTS=200, SECONDS=60, ROUNDS=5
.PHONY: studio-bench
studio-bench: web/node_modules/.package-lock.json ## Measure the studio and the report on 1,000,000 items x 100 sources (ten minutes, on an idle machine)
	test -x $(CHROMIUM) || (apt-get update --quiet && apt-get install --yes --quiet chromium)
	cargo build --release --locked --package consilience-cli --no-default-features --features published
	CONSILIENCE=$(abspath $(TARGET))/release/consilience CHROMIUM=$(CHROMIUM) OUTPUT=$(abspath $(TARGET))/studio-bench \
		$(foreach option,ONLY ITEMS CLIENTS SECONDS ROUNDS,$(if $($(option)),$(option)=$($(option)))) node bench/studio/main.mjs

.PHONY: wheel
wheel: $(PY)/build/bin/maturin ## Build the wheel for release, into dist
	cd python && $(PY)/build/bin/maturin build --release --locked --out $(CURDIR)/dist --interpreter $(PYTHON)

.PHONY: tarball
tarball: ## Pack the stripped command and its engine with manual pages and completions, into dist
	cargo build --release --locked --package consilience-cli --no-default-features --features published
	rm -rf dist/consilience && mkdir -p dist/consilience/man dist/consilience/completions
	test $$(wc -c < $(TARGET)/release/consilience) -lt 30000000 # the command stays small: what is large goes into the engine
	cp $(TARGET)/release/consilience $(TARGET)/release/consilience-engine README.md LICENSE CHANGELOG.md dist/consilience/
	dist/consilience/consilience man > dist/consilience/man/consilience.1
	for verb in $(VERBS); do dist/consilience/consilience man $$verb > dist/consilience/man/consilience-$$verb.1 || exit 1; done
	for shell in bash fish zsh; do dist/consilience/consilience completions $$shell > dist/consilience/completions/consilience.$$shell || exit 1; done
	tar -C dist -czf dist/consilience-$(shell uname -s | tr A-Z a-z)-$(shell uname -m).tar.gz consilience
	rm -r dist/consilience
VERBS := simulate apply analyze learn fit label explain sample certify report studio plan train predict

.PHONY: bench
bench: ## Benchmark loading, the exact method, Algorithm 1 and fitting
	cargo bench --package consilience-io --bench load
	cargo bench --package consilience --bench exact
	cargo bench --package consilience --bench sgd
	cargo bench --package consilience --bench fit

.PHONY: cost
cost: ## Measure the cost of learning by sources, items and votes, into docs/cost.md (some minutes, on an idle machine)
	cargo bench --package consilience --bench cost > docs/cost/cost.csv
	$(PYBIN)/python -B bench/cost.py

.PHONY: large
large: ## Measure labelling 50 and 100 million rows, from Parquet to Parquet (some minutes, 5 GB of disk)
	cargo build --release --locked --package consilience-cli --no-default-features --features published
	$(PYTHON) -B bench/large.py --consilience $(TARGET)/release/consilience

.PHONY: board
board: ## Score label models and end models on the tables in DATA (../shared/data), into board-output/ and docs/
	cargo run --locked --package consilience-board -- $(DATA) --output board-output --docs docs $(if $(PEERS),--peers $(PEERS))

.PHONY: answers
answers: ## Measure how much answers help and how often certificates hold, on the tables in DATA
	cargo run --locked --package consilience-board -- $(DATA) --answers
	cargo run --locked --package consilience-board -- $(DATA) --certificates

# Options of `make peers`: QUICK=yes, CORES=0,1 (default: the last core), OUTPUT=folder, PARTS=speed,board,appliers,
# GIGABYTES=12 (limit of a run)
PEERS_HOME := $(dir $(PY))peers
OUTPUT ?= peers-output

.PHONY: peers
peers: ## Measure public label models and ours on the same data, into peers-output/
	$(PYTHON) -B bench/peers --home $(PEERS_HOME) --output $(OUTPUT) --data $(DATA) $(if $(QUICK),--quick) \
		$(if $(CORES),--cores $(CORES)) $(if $(PARTS),--only $(PARTS)) $(if $(GIGABYTES),--gigabytes $(GIGABYTES))

.PHONY: pictures
pictures: screens ## Draw the pictures of the README and the guides (run make python first)
	$(PYBIN)/python -B docs/pictures/judges_panel.py
	$(PYBIN)/python -B docs/guides/fifty_labels.py

.PHONY: screens
screens: web/node_modules/.package-lock.json ## Take the pictures of the report and the studio
	cargo build --locked --package consilience-cli
	CONSILIENCE=$(abspath $(CONSILIENCE)) CHROMIUM=$(CHROMIUM) node docs/pictures/screens.mjs

# An interrupted run resumes, figure by figure (FIGURES="fig1 fig4"); finished figures are written into docs each time.
RUN ?= reproduction-output
FIGURES ?= all
.PHONY: reproduction
reproduction: ## Run the paper's experiments into RUN (about two hours, resumable) and write docs/reproduction.md from them
	cargo build --locked --package consilience-cli
	$(CONSILIENCE) reproduce $(FIGURES) -o $(RUN) $(if $(wildcard $(DATA)),--data $(DATA)) --docs docs

.PHONY: clean
clean: ## Remove build outputs and the demo's files
	cargo clean
	rm -rf $(DEMO) board-output peers-output reproduction-output
