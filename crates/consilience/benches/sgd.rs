//! The time of Algorithm 1, minima over repeats.
//!
//! `cargo bench -p consilience --bench sgd -- [sources] [items] [threads]`; defaults 100, 10,000 and 1. Prints one line for
//! each precision. Votes are the paper's: accuracies 1.0, 5% of the pairs correlated with weight 0.25.
#![allow(clippy::print_stdout, missing_docs)]

use std::time::Instant;

use consilience::model::{CellLimit, Links, Planted, simulate};
use consilience::structure::{Precision, SgdOptions, learn_sgd};

const REPEATS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> = std::env::args().filter_map(|text| text.parse().ok()).collect();
    let get = |i: usize, default| numbers.get(i).copied().unwrap_or(default);
    let (n, m, threads) = (get(0, 100), get(1, 10_000), get(2, 1));
    let mut planted = Planted::new(n)?;
    planted.links = Links::Density(0.05);
    let votes = simulate(&planted.model()?, m, 1, CellLimit::default(), |_| {})?.votes;
    println!("{n} sources, {m} items, {} distinct rows, {threads} thread(s)", votes.patterns().len());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
    let mut edges = Vec::new();
    for precision in [Precision::Single, Precision::Double] {
        let options = SgdOptions { precision, ..SgdOptions::default() };
        let mut best = f64::INFINITY;
        let mut all = Vec::new();
        for _ in 0..REPEATS {
            let start = Instant::now();
            let fit = pool.install(|| learn_sgd(&votes, &options))?;
            let seconds = start.elapsed().as_secs_f64();
            best = best.min(seconds);
            all.push(format!("{seconds:.3}"));
            edges.push(fit.dependencies().iter().map(|link| link.selected).collect::<Vec<bool>>());
        }
        println!("{precision:?}: best {best:.4} s of {}", all.join(" "));
    }
    let same = edges.iter().all(|list| *list == edges[0]);
    let count = edges[0].iter().filter(|&&selected| selected).count();
    println!("{count} links selected; the same in both precisions: {same}");
    Ok(())
}
