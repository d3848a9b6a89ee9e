# What people and CI run. Everything that is needed beyond a Rust toolchain and a C compiler is fetched by cargo.

# Build outputs live outside the checkout where there is a home to keep them, so that a fresh clone does not build anew.
ifndef CARGO_TARGET_DIR
ifneq ($(shell mkdir -p "$(HOME)/.cache/consilience" 2>/dev/null && test -w "$(HOME)/.cache/consilience" && echo yes),)
export CARGO_TARGET_DIR := $(HOME)/.cache/consilience/target
endif
endif
TARGET := $(or $(CARGO_TARGET_DIR),target)
CONSILIENCE := $(TARGET)/debug/consilience
DEMO ?= demo-output
DATA ?= $(or $(CONSILIENCE_DATA),../shared/data)

.PHONY: help
help: ## Say what can be made
	@awk -F':.*## ' '/^[a-z-]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: demo
demo: ## Simulate votes, look at them, learn the dependencies, label the items
	cargo build --locked --package consilience-cli
	mkdir -p $(DEMO)
	$(CONSILIENCE) simulate --sources 12 --items 5000 --pairs 2 --correlation 0.5 --seed 1 --gold truth \
		-o $(DEMO)/votes.csv --truth $(DEMO)/truth.json
	$(CONSILIENCE) analyze $(DEMO)/votes.csv --gold truth --pairs 5
	$(CONSILIENCE) learn $(DEMO)/votes.csv --gold truth
	$(CONSILIENCE) learn $(DEMO)/votes.csv --gold truth -o $(DEMO)/structure.json
	$(CONSILIENCE) fit $(DEMO)/votes.csv --gold truth -o $(DEMO)/model.json
	$(CONSILIENCE) label $(DEMO)/votes.csv --gold truth --model $(DEMO)/model.json -o $(DEMO)/labels.csv
	$(CONSILIENCE) explain $(DEMO)/votes.csv --gold truth --model $(DEMO)/model.json --row 0
	@echo "votes, truth, structure, model and labels are in $(DEMO)/"

.PHONY: test
test: ## Check the format, the lints, the docs, and run all tests
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	RUSTDOCFLAGS="-D warnings" cargo doc --workspace --exclude consilience-cli --no-deps --locked --document-private-items
	cargo test --workspace --locked

.PHONY: bench
bench: ## Measure: loading votes, the exact method, Algorithm 1, fitting
	cargo bench --package consilience-io --bench load
	cargo bench --package consilience --bench exact
	cargo bench --package consilience --bench sgd
	cargo bench --package consilience --bench fit

.PHONY: board
board: ## Score label models and end models on the tables in DATA (../shared/data), into board-output/
	cargo run --locked --package consilience-board -- $(DATA) --output board-output

.PHONY: clean
clean: ## Remove what was built and the demo's files
	cargo clean
	rm -rf $(DEMO) board-output
