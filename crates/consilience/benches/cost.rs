//! What learning costs, by the number of sources, of items and of votes: one line of CSV for each table and method.
//!
//! `cargo bench -p consilience --bench cost -- [THREADS]`; `make cost` draws it. Sources are right in 60 to 90 of a hundred
//! votes, and every tenth repeats the one before it in half of its votes. Times are the best of three.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a script's result and its progress")]

use std::time::Instant;

use consilience::rng::Streams;
use consilience::sources::{Classes, Sources};
use consilience::structure::{ExactOptions, SgdOptions, fit_exact, learn_sgd};
use consilience::votes::{Votes, VotesBuilder};
use rand::RngExt as _;

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
    let votes = table(sources, items, coverage);
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

fn table(sources: usize, items: usize, coverage: f64) -> Votes {
    let mut rng = Streams::new(1).stream(0);
    let names = (0..sources).map(|j| format!("s{j}")).collect();
    let mut builder = VotesBuilder::new(Sources::new(names).unwrap());
    let right: Vec<f64> = (0..sources).map(|_| 0.6 + 0.3 * rng.random::<f64>()).collect();
    let mut row = vec![0u16; sources];
    for _ in 0..items {
        let y = rng.random_range(1..=2);
        for j in 0..sources {
            let votes = rng.random::<f64>() < coverage;
            let own = if rng.random::<f64>() < right[j] { y } else { 3 - y };
            let repeats = j % 10 == 9 && rng.random::<f64>() < 0.5;
            row[j] = if repeats { row[j - 1] } else { own * u16::from(votes) };
        }
        builder.push_dense(&row).unwrap();
    }
    builder.finish_as(Classes::numbered(2).unwrap()).unwrap()
}
