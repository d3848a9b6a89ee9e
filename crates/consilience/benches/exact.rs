//! Time of the exact method with standard errors for all pairs, on the paper's data (5% of the pairs correlated).
//!
//! `cargo bench -p consilience --bench exact -- SOURCES ITEMS THREADS REPEATS`; with a fifth number, the sources vote on that
//! many items of a hundred, and every tenth repeats the one before it in half of its votes.
#![allow(clippy::print_stdout, reason = "a script's result")]

use std::time::Instant;

use consilience::model::{CellLimit, Links, Planted, simulate};
use consilience::structure::{ExactOptions, fit_exact};
use consilience_testing::repeating_panel;

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let number = |at: usize, default: usize| numbers.get(at).copied().unwrap_or(default);
    let (sources, items, threads, repeats) = (number(0, 100), number(1, 10_000), number(2, 2), number(3, 5));
    let votes = numbers.get(4).map_or_else(
        || {
            let planted = Planted { links: Links::Density(0.05), seed: 1, ..Planted::new(sources).unwrap() };
            simulate(&planted.model().unwrap(), items, 1, CellLimit::default(), |_| {}).unwrap().votes
        },
        |&coverage| repeating_panel(sources, items, coverage as f64 / 100.0),
    );
    println!("{} distinct rows, peak {} MB before learning", votes.patterns().len(), peak_megabytes());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut best = f64::INFINITY;
    for _ in 0..repeats {
        let start = Instant::now();
        let fitted = pool.install(|| fit_exact(&votes, &ExactOptions::default()).unwrap());
        let seconds = start.elapsed().as_secs_f64();
        best = best.min(seconds);
        println!("{seconds:.3} s, {} passes over the rows, {} rounds", fitted.passes, fitted.rounds);
    }
    println!(
        "{sources} sources, {items} items, {threads} threads: {best:.3} s, the best of {repeats}; peak {} MB",
        peak_megabytes()
    );
}

/// The most memory this process had so far, where the system tells.
fn peak_megabytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok()).unwrap_or(0) / 1024
}
