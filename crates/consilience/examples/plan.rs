//! What the theory asks for on the paper's data: the curvature c of condition (7), and the rows that follow.
//!
//! `cargo run --release -p consilience --example plan -- [sources] [items] [items read for c]`; defaults 25, 5,000 and 2,000.
//! Prints c at the planted weights and at those of Algorithm 1, then the plan for each.
#![allow(clippy::print_stdout)]

use std::time::Instant;

use consilience::dependency::{Accuracy, Factor, Factors};
use consilience::model::{CellLimit, Links, Planted, simulate};
use consilience::structure::{Curvature, LinkType, Plan, PlanOptions, SgdOptions, learn_sgd};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let numbers: Vec<usize> = std::env::args().filter_map(|text| text.parse().ok()).collect();
    let get = |i: usize, default| numbers.get(i).copied().unwrap_or(default);
    let (n, items, read) = (get(0, 25), get(1, 5_000), get(2, 2_000));
    let mut planted = Planted::new(n)?;
    planted.links = Links::Pairs(2);
    let pairs = planted.pairs();
    let votes = simulate(&planted.model()?, items, 1, CellLimit::default(), |_| {})?.votes;
    let fit = learn_sgd(&votes, &SgdOptions::default())?;
    let truth = |j: usize| {
        let mut list: Vec<Factor> = (0..n).map(|l| Factor::new(Accuracy::new(l), 1.0)).collect();
        for l in (0..n).filter(|&l| l != j) {
            let weight = if pairs.contains(&(j.min(l), j.max(l))) { 0.25 } else { 0.0 };
            list.extend(LinkType::Correlation.between(j, l).ok().map(|link| Factor::new(link, weight)));
        }
        Factors::new(list, n)
    };
    for (name, curvature) in [
        ("planted", timed(|| Curvature::estimate(&votes, read, truth))),
        ("algorithm 1", timed(|| Curvature::estimate(&votes, read, |j| fit.factors_of(j)))),
    ] {
        let (curvature, seconds) = curvature;
        let c = curvature.smallest();
        println!("{name}: c = {c:?} from {} items ({seconds:.2} s)", curvature.items);
        let rows = Some(items as u64);
        let mut options = PlanOptions::new(n);
        (options.curvature, options.rows) = (c.filter(|&c| c > 0.0), rows);
        let plan = Plan::new(&options)?;
        println!("  rows for links of 0.25: {:?}", plan.rows);
        println!("  weakest link that {items} rows find: {:?}", plan.strength);
    }
    Ok(())
}

fn timed<T>(work: impl Fn() -> T) -> (T, f64) {
    let start = Instant::now();
    let result = work();
    (result, start.elapsed().as_secs_f64())
}
