//! What learning costs, by the number of sources, of items and of votes: one line of CSV for each table and method.
//!
//! `cargo bench -p consilience --bench cost -- [THREADS]`; `make cost` draws it. Sources are right in 60 to 90 of a hundred
//! votes, and every tenth repeats the one before it in half of its votes. Times are the best of three.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a script's result and its progress")]

use std::time::Instant;

use consilience::structure::{ExactOptions, SgdOptions, fit_exact, learn_sgd};
use consilience_testing::repeating_panel;

const REPEATS: usize = 3;

/// Of the tables that change in one respect only.
const SOURCES: usize = 100;
const ITEMS: usize = 10_000;
const COVERAGE: f64 = 0.67;

fn main() {
    let threads = std::env::args().find_map(|text| text.parse().ok()).unwrap_or(2);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    println!("by,sources,items,coverage,threads,exact_seconds,exact_passes,sgd_seconds");
    for sources in [13, 25, 50, 100, 200, 400] {
        measure(&pool, "sources", sources, ITEMS, COVERAGE);
    }
    for items in [1_250, 2_500, 5_000, 10_000, 20_000, 40_000, 80_000] {
        measure(&pool, "items", SOURCES, items, COVERAGE);
    }
    for coverage in [0.02, 0.05, 0.1, 0.2, 0.4, 0.67, 1.0] {
        measure(&pool, "coverage", SOURCES, ITEMS, coverage);
    }
}

fn measure(pool: &rayon::ThreadPool, by: &str, sources: usize, items: usize, coverage: f64) {
    let votes = repeating_panel(sources, items, coverage);
    let (mut exact, mut sgd, mut passes) = (f64::INFINITY, f64::INFINITY, 0);
    for _ in 0..REPEATS {
        let start = Instant::now();
        passes = pool.install(|| fit_exact(&votes, &ExactOptions::default()).unwrap()).passes;
        exact = exact.min(start.elapsed().as_secs_f64());
        let start = Instant::now();
        pool.install(|| learn_sgd(&votes, &SgdOptions::default()).unwrap());
        sgd = sgd.min(start.elapsed().as_secs_f64());
    }
    let threads = pool.current_num_threads();
    println!("{by},{sources},{items},{coverage},{threads},{exact:.5},{passes},{sgd:.5}");
    eprintln!("{sources} sources, {items} items, coverage {coverage}: exact {exact:.3} s, sgd {sgd:.3} s");
}
