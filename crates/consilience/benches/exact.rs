//! Time of the exact method with standard errors for all pairs, on the paper's data (5% of the pairs correlated).
//!
//! `cargo bench -p consilience --bench exact -- SOURCES ITEMS THREADS REPEATS`
#![allow(clippy::print_stdout, reason = "a script's result")]

use std::time::Instant;

use consilience::model::{CellLimit, Links, Planted, simulate};
use consilience::structure::{ExactOptions, fit_exact};

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let number = |at: usize, default: usize| numbers.get(at).copied().unwrap_or(default);
    let (sources, items, threads, repeats) = (number(0, 100), number(1, 10_000), number(2, 2), number(3, 5));
    let planted = Planted { links: Links::Density(0.05), seed: 1, ..Planted::new(sources).unwrap() };
    let votes = simulate(&planted.model().unwrap(), items, 1, CellLimit::default(), |_| {}).unwrap().votes;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut best = f64::INFINITY;
    for _ in 0..repeats {
        let start = Instant::now();
        let fitted = pool.install(|| fit_exact(&votes, &ExactOptions::default()).unwrap());
        let seconds = start.elapsed().as_secs_f64();
        best = best.min(seconds);
        println!("{seconds:.3} s, {} passes over the rows, {} rounds", fitted.passes, fitted.rounds);
    }
    println!("{sources} sources, {items} items, {threads} threads: {best:.3} s, the best of {repeats}");
}
