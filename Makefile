# Build outputs live outside the checkout where there is a home to keep them, so that a fresh clone does not build anew.
ifndef CARGO_TARGET_DIR
ifneq ($(HOME),)
export CARGO_TARGET_DIR := $(HOME)/.cache/consilience/target
endif
endif

.PHONY: test
test:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --locked -- -D warnings
	cargo test --workspace --locked
