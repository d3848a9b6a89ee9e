//! Time of the exact method.
use consilience::model::{CellLimit, Links, Planted, simulate};
use consilience::structure::{ExactOptions, fit_exact};
use std::time::Instant;
fn main() {
    let arg = |i: usize, d: usize| std::env::args().nth(i).and_then(|a| a.parse().ok()).unwrap_or(d);
    let (n, m) = (arg(1, 100), arg(2, 10_000));
    let planted = Planted { links: Links::Density(0.05), seed: 1, ..Planted::new(n).unwrap() };
    let votes = simulate(&planted.model().unwrap(), m, 1, CellLimit::default(), |_| {}).unwrap().votes;
    for _ in 0..arg(3, 3) {
        let start = Instant::now();
        let fit = fit_exact(&votes, &ExactOptions::default()).unwrap();
        println!("{:.3} s, passes {} rounds {}", start.elapsed().as_secs_f64(), fit.passes, fit.rounds);
    }
}
