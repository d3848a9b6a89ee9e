//! How often Algorithm 1 returns the exact correlation structure: the paper's figure 1 (and 2).
//!
//! `cargo run --release -p consilience --example recovery_sgd -- [sources] [trials] [cliques of size]`; defaults 25, 100 and
//! two pairs. Prints one line for each gamma: m = 750 · gamma · d* · ln n items, and for each epsilon the share of trials
//! with exactly the planted links, then the mean number of links missed and of links too many.
#![allow(clippy::print_stdout)]

use consilience::model::{CellLimit, Links, Planted, simulate};
use consilience::structure::{SgdOptions, learn_sgd};

const GAMMAS: [f64; 9] = [0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 1.0, 1.25, 1.5];
const EPSILONS: [f64; 5] = [0.01, 0.02, 0.025, 0.03, 0.05];

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> = std::env::args().filter_map(|text| text.parse().ok()).collect();
    let get = |i: usize, default| numbers.get(i).copied().unwrap_or(default);
    let (n, trials, clique) = (get(0, 25), get(1, 100), get(2, 0));
    let mut planted = Planted::new(n)?;
    planted.links = if clique == 0 { Links::Pairs(2) } else { Links::Cliques { size: clique, count: 1 } };
    let degree = clique.max(2);
    let pairs = planted.pairs();
    let model = planted.model()?;
    println!("{n} sources, {trials} trials a row, {:?}; share exact (missed, too many)", planted.links);
    println!("gamma  items  {}", EPSILONS.map(|e| format!("epsilon {e:<11}")).join("  "));
    for gamma in GAMMAS {
        let items = (750.0 * gamma * degree as f64 * (n as f64).ln()).round() as usize;
        let mut counts = [(0usize, 0usize, 0usize); EPSILONS.len()];
        for trial in 0..trials {
            let votes = simulate(&model, items, trial as u64, CellLimit::default(), |_| {})?.votes;
            for (epsilon, (exact, missed, extra)) in EPSILONS.into_iter().zip(&mut counts) {
                let fit = learn_sgd(&votes, &SgdOptions::default().with_epsilon(epsilon))?;
                let all = (0..n).flat_map(|j| (j + 1..n).map(move |l| (j, l)));
                let selected = fit.dependencies().into_iter().map(|learned| learned.selected);
                let mut wrong = (0, 0);
                for (pair, selected) in all.zip(selected) {
                    match (pairs.contains(&pair), selected) {
                        (true, false) => wrong.0 += 1,
                        (false, true) => wrong.1 += 1,
                        _ => {}
                    }
                }
                *exact += usize::from(wrong == (0, 0));
                *missed += wrong.0;
                *extra += wrong.1;
            }
        }
        let share = |count: usize| count as f64 / trials as f64;
        let cells = counts.map(|(exact, missed, extra)| {
            format!("{:.2} ({:.2}, {:6.2})", share(exact), share(missed), share(extra))
        });
        println!("{gamma:<5}  {items:>5}  {}", cells.join("   "));
    }
    Ok(())
}
