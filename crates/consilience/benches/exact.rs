//! Time of the exact method with standard errors for all pairs.
//!
//! `cargo bench -p consilience --bench exact -- SOURCES ITEMS THREADS REPEATS` takes the paper's data (5% of the pairs
//! correlated); with a fifth number, the sources vote on that many items of a hundred, and every tenth repeats the one before it in
//! half of its votes. `classes=K` draws K classes and two linked pairs instead (as `simulate --classes K --pairs 2 --seed 1`), and
//! `coverage=SHARE` sources that vote on that share of the items and know nothing of each other.
#![allow(clippy::print_stdout, reason = "a script's result")]

use std::time::Instant;

use consilience::model::{CellLimit, Links, Planted, Spread, simulate};
use consilience::sources::Classes;
use consilience::structure::{ExactOptions, fit_exact};
use consilience::votes::Votes;
use consilience_testing::repeating_panel;

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let number = |at: usize, default: usize| numbers.get(at).copied().unwrap_or(default);
    let (sources, items, threads, repeats) = (number(0, 100), number(1, 10_000), number(2, 2), number(3, 5));
    let votes = numbers.get(4).map_or_else(
        || planted(sources, items),
        |&coverage| repeating_panel(sources, items, coverage as f64 / 100.0),
    );
    println!("{} distinct rows, peak {} MB before learning", votes.patterns().len(), peak_megabytes());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let mut best = f64::INFINITY;
    for _ in 0..repeats {
        let (start, processor) = (Instant::now(), processor_seconds());
        let fitted = pool.install(|| fit_exact(&votes, &ExactOptions::default()).unwrap());
        let seconds = start.elapsed().as_secs_f64();
        best = best.min(seconds);
        println!(
            "{seconds:.3} s, {:.2} s of processor time, {} passes over the rows, {} rounds, {} pairs not tested",
            processor_seconds() - processor,
            fitted.passes,
            fitted.rounds,
            fitted.untested
        );
    }
    println!(
        "{sources} sources, {items} items, {threads} threads: {best:.3} s, the best of {repeats}; peak {} MB",
        peak_megabytes()
    );
}

/// The value of `name=value` among the arguments.
fn option<T: std::str::FromStr>(name: &str) -> Option<T> {
    std::env::args().find_map(|argument| argument.strip_prefix(name)?.strip_prefix('=')?.parse().ok())
}

fn planted(sources: usize, items: usize) -> Votes {
    let (classes, coverage) = (option::<usize>("classes"), option::<f64>("coverage"));
    let links = match (classes, coverage) {
        (_, Some(_)) => Links::None,
        (Some(_), None) => Links::Pairs(2),
        (None, None) => Links::Density(0.05),
    };
    let planted = Planted {
        classes: Classes::numbered(classes.unwrap_or(2)).unwrap(),
        abstain: coverage.map(|coverage| Spread::constant(1.0 - coverage)),
        correct: coverage.map(|_| Spread::constant(0.85)),
        links,
        seed: 1,
        ..Planted::new(sources).unwrap()
    };
    simulate(&planted.model().unwrap(), items, 1, CellLimit::default(), |_| {}).unwrap().votes
}

/// Of all threads so far, where the system tells.
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(") ").next().unwrap_or_default().split_whitespace();
    after_name.skip(11).take(2).filter_map(|ticks| ticks.parse::<f64>().ok()).sum::<f64>() / 100.0
}

/// The most memory this process had so far, where the system tells.
fn peak_megabytes() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse::<usize>().ok()).unwrap_or(0) / 1024
}
