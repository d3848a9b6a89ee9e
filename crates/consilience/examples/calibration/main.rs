//! Whether certainty is what it says: z of absent links, and runs with any false edge at a family-wise error of 0.05.
//!
//! `cargo run --release -p consilience --example calibration -- TRIALS ITEMS` goes over panels that real votes look like:
//! sources that vote for one class only, uneven classes, weak sources, few sources. `-- sparse TRIALS` goes over tables in which
//! sources seldom meet, and `-- planted TRIALS` over such tables with links.
#![allow(clippy::print_stdout, reason = "a script's result")]

mod sparse;

use consilience::model::Spread;
use consilience::rng::{Stream, Streams};
use consilience::sources::{Classes, Sources};
use consilience::structure::{ExactOptions, Select, learn_exact};
use consilience::votes::{Votes, VotesBuilder};
use rand::RngExt as _;

/// A panel of independent sources.
struct Panel {
    name: &'static str,
    sources: usize,
    /// Sources that vote only for the class of their turn.
    one_class: usize,
    /// One-class sources of the second class.
    of_second: usize,
    classes: usize,
    /// Share of the first class.
    first: f64,
    correct: Spread,
    coverage: Spread,
}

fn draw(panel: &Panel, items: usize, seed: u64) -> Votes {
    let mut rng = Streams::new(seed).stream(0);
    let n = panel.sources;
    let between = |s: Spread, rng: &mut Stream| s.low + (s.high - s.low) * rng.random::<f64>();
    let correct: Vec<f64> = (0..n).map(|_| between(panel.correct, &mut rng)).collect();
    let coverage: Vec<f64> = (0..n).map(|_| between(panel.coverage, &mut rng)).collect();
    let mut builder = VotesBuilder::new(Sources::numbered(n).unwrap());
    for _ in 0..items {
        let y = if rng.random::<f64>() < panel.first {
            1
        } else {
            2 + rng.random_range(0..panel.classes as u16 - 1)
        };
        let row: Vec<u16> = (0..n)
            .map(|j| {
                let right = rng.random::<f64>() < correct[j];
                let votes = rng.random::<f64>() < coverage[j];
                let other =
                    1 + (y - 1 + 1 + rng.random_range(0..panel.classes as u16 - 1)) % panel.classes as u16;
                let vote = if right { y } else { other };
                let of = if j < panel.of_second { 2 } else { 1 };
                if votes && (j >= panel.one_class || vote == of) { vote } else { 0 }
            })
            .collect();
        builder.push_dense(&row).unwrap();
    }
    builder.finish_as(Classes::numbered(panel.classes).unwrap()).unwrap()
}

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|argument| argument.parse().ok()).collect();
    let trials = numbers.first().map_or(20, |&trials| trials as u64);
    match std::env::args().nth(1).as_deref() {
        Some("sparse") => return sparse::false_links(trials, numbers.get(1).copied()),
        Some("planted") => return sparse::planted_links(trials),
        _ => {}
    }
    let (trials, items) = (numbers.first().copied().unwrap_or(10), numbers.get(1).copied().unwrap_or(10_000));
    let good = Spread { low: 0.65, high: 0.9 };
    let some = Spread { low: 0.2, high: 0.6 };
    let base = Panel {
        name: "",
        sources: 20,
        one_class: 0,
        of_second: 0,
        classes: 2,
        first: 0.5,
        correct: good,
        coverage: some,
    };
    let panels = [
        Panel { name: "two classes, even", ..base },
        Panel { name: "ten one-class sources", one_class: 10, ..base },
        Panel { name: "ten one-class sources, five each", one_class: 10, of_second: 5, ..base },
        Panel { name: "ten one-class sources, classes 20:80", one_class: 10, first: 0.2, ..base },
        Panel { name: "all one-class, ten each", one_class: 20, of_second: 10, ..base },
        Panel {
            name: "all one-class, ten each, sparse",
            one_class: 20,
            of_second: 10,
            coverage: Spread { low: 0.02, high: 0.2 },
            ..base
        },
        Panel { name: "uneven classes 10:90", first: 0.1, ..base },
        Panel {
            name: "uneven classes 10:90, sparse",
            first: 0.1,
            coverage: Spread { low: 0.05, high: 0.3 },
            ..base
        },
        Panel { name: "weak sources", correct: Spread { low: 0.52, high: 0.65 }, ..base },
        Panel { name: "eight sources", sources: 8, ..base },
        Panel { name: "eight weak sources", sources: 8, correct: Spread { low: 0.55, high: 0.7 }, ..base },
        Panel { name: "four classes, uneven", classes: 4, first: 0.6, ..base },
        Panel { name: "five one-class of four, uneven", one_class: 5, classes: 4, first: 0.6, ..base },
    ];
    for panel in panels {
        let (mut sum, mut squares, mut count, mut any, mut edges, mut strong) = (0.0, 0.0, 0.0, 0, 0, 0);
        for seed in 0..trials {
            let votes = draw(&panel, items, seed as u64);
            let structure = learn_exact(&votes, &ExactOptions::default(), Select::Fwer(0.05)).unwrap();
            for d in &structure.dependencies {
                let z = d.z.unwrap();
                (sum, squares, count) = (sum + z, squares + z * z, count + 1.0);
            }
            let found: Vec<_> = structure.selected().collect();
            any += usize::from(!found.is_empty());
            edges += found.len();
            strong += found.iter().filter(|d| d.weight.abs() > 0.1).count();
        }
        let mean: f64 = sum / count;
        println!(
            "{:40} false edges in {any} of {trials} runs ({edges} in all, {strong} above 0.1); z mean {mean:.3}, spread {:.3}",
            panel.name,
            (squares / count - mean * mean).sqrt()
        );
    }
}
