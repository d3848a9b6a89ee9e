//! How often the exact structure comes back on the paper's synthetic data.
//!
//! `cargo run --release -p consilience --example recovery -- pairs 25 0.5 100` draws 100 tables of 25 sources with two
//! correlated pairs at gamma = 0.5 and prints the share of exact recoveries and the spread of z on absent edges.
#![allow(clippy::print_stdout, reason = "a script's result")]

use std::time::Instant;

use consilience::dependency::DependencyType as _;
use consilience::model::{CellLimit, Links, Planted, simulate};
use consilience::structure::{ExactOptions, Select, learn_exact};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let text = |at: usize, default: &str| arguments.get(at).cloned().unwrap_or_else(|| default.to_string());
    let (kind, n) = (text(0, "pairs"), text(1, "25").parse::<usize>().unwrap());
    let (gamma, trials) = (text(2, "0.5").parse::<f64>().unwrap(), text(3, "20").parse::<u64>().unwrap());
    let (items, links) = match kind.as_str() {
        "pairs" => ((750.0 * gamma * 2.0 * (n as f64).ln()).round() as usize, Links::Pairs(2)),
        "density" => (10_000, Links::Density(0.05)),
        _ => panic!("pairs or density"),
    };
    let mut exact = [0; 2];
    let (mut sum, mut squares, mut count) = (0.0, 0.0, 0.0);
    let mut beyond = [0.0; 3];
    let mut lost = 0;
    let mut false_share = [0.0; 4];
    let (mut missed, mut extra) = (0.0, 0.0);
    let rules = [0.05, 0.07, 0.1, 0.15, 0.2]
        .map(Select::Miss)
        .into_iter()
        .chain([0.08, 0.09, 0.1].map(Select::Threshold))
        .collect::<Vec<_>>();
    let mut by_rule = vec![(0.0, 0.0); rules.len()];
    let mut seconds = 0.0;
    for seed in 0..trials {
        let planted = Planted { links, seed, ..Planted::new(n).unwrap() };
        let truth = planted.pairs();
        let votes =
            simulate(&planted.model().unwrap(), items, seed, CellLimit::default(), |_| {}).unwrap().votes;
        let start = Instant::now();
        let structure = learn_exact(&votes, &ExactOptions::default(), Select::Fwer(0.05)).unwrap();
        seconds += start.elapsed().as_secs_f64();
        let is_true = |d: &consilience::structure::LearnedDependency| {
            let s = d.dependency.sources();
            truth.contains(&(s[0], s[1]))
        };
        for (level, exact) in [0.05, 0.01].iter().zip(&mut exact) {
            let tests = structure.dependencies.len() as f64;
            *exact += u32::from(
                structure.dependencies.iter().all(|d| (d.p.unwrap() * tests <= *level) == is_true(d)),
            );
        }
        for (rate, share) in [0.01, 0.05, 0.1, 0.2].iter().zip(&mut false_share) {
            let chosen: Vec<_> = structure.dependencies.iter().filter(|d| d.q.unwrap() <= *rate).collect();
            let wrong = chosen.iter().filter(|d| !is_true(d)).count();
            *share += wrong as f64 / chosen.len().max(1) as f64;
            if *rate > 0.15 {
                missed += f64::from(u8::from(chosen.len() - wrong < truth.len()));
                extra += wrong as f64;
            }
        }
        for (rule, (all, extra)) in rules.iter().zip(&mut by_rule) {
            let structure = structure.clone().selected_by(*rule);
            let (right, wrong): (Vec<_>, Vec<_>) = structure.selected().partition(|d| is_true(d));
            *all += f64::from(u8::from(right.len() == truth.len()));
            *extra += wrong.len() as f64;
        }
        for d in structure.dependencies.iter().filter(|d| !is_true(d)) {
            let z = d.z.unwrap();
            sum += z;
            squares += z * z;
            count += 1.0;
            for (limit, beyond) in [2.0, 3.0, 4.0].iter().zip(&mut beyond) {
                *beyond += f64::from(u8::from(z.abs() > *limit));
            }
        }
        let tests = structure.dependencies.len() as f64;
        lost += u32::from(structure.dependencies.iter().any(|d| is_true(d) && d.p.unwrap() * tests > 0.05));
    }
    let m = trials as f64;
    for (rule, (all, extra)) in rules.iter().zip(by_rule) {
        println!("{rule}: all true edges in {:.2}, {:.1} extra", all / m, extra / m);
    }
    let mean: f64 = sum / count;
    println!(
        "{kind} n={n} items={items} trials={trials}: exact at fwer 0.05 {:.2}, 0.01 {:.2}; z mean {mean:.3} spread {:.3}; fdr 0.01/0.05/0.1/0.2 -> {:?}; at fdr 0.2 all true in {:.2}, extra {:.1}; {:.3} s each; fwer 0.05 loses an edge in {lost}; |z| beyond 2, 3, 4 on absent edges, seen / expected: {:?}",
        f64::from(exact[0]) / m,
        f64::from(exact[1]) / m,
        (squares / count - mean * mean).sqrt(),
        false_share.map(|share| (share / m * 1000.0).round() / 1000.0),
        1.0 - missed / m,
        extra / m,
        seconds / m,
        std::array::from_fn::<f64, 3, _>(|i| {
            let expected = count * [0.045_500, 0.002_699_8, 6.334e-5][i];
            (beyond[i] / expected * 100.0).round() / 100.0
        })
    );
}
