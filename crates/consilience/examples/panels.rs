//! Simulated panels in which sources copy a coin or each other: how far the labels are from those of an oracle that knows the
//! true accuracies and counts copies once, over many draws.
//!
//! `cargo run --release -p consilience --example panels -- [DRAWS]` prints for each panel the share of right labels of the
//! oracle, of majority vote, of the independent model and of the default one, the mean gap between the last and the oracle,
//! and in how many draws the gap is wider than the limit.
#![allow(clippy::print_stdout, reason = "a script's result")]

use consilience::labels::{Labels, Ties, infer, majority_vote};
use consilience::model::{Dependence, FitOptions, fit};
use consilience::rng::{Streams, unit};
use consilience::sources::{Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};

const ITEMS: usize = 10_000;
const PROPENSITY: f64 = 0.3;

/// Who copies what.
#[derive(Clone, Copy)]
enum Copied {
    /// Six sources: a coin and five copies of it, each vote flipped with this probability.
    Coin(f64),
    /// Six copies of a coin that is not a source itself.
    HiddenCoin(f64),
    /// Five more sources copy the first.
    First(f64),
}

struct Panel {
    name: &'static str,
    sources: usize,
    copied: Copied,
    limit: f64,
}

const PANELS: [Panel; 8] = [
    Panel { name: "4 and a coin six times", sources: 4, copied: Copied::Coin(0.0), limit: 0.01 },
    Panel { name: "the same, 5% flipped", sources: 4, copied: Copied::Coin(0.05), limit: 0.01 },
    Panel { name: "the same, 20% flipped", sources: 4, copied: Copied::Coin(0.2), limit: 0.01 },
    Panel { name: "coin no source, 5% flipped", sources: 4, copied: Copied::HiddenCoin(0.05), limit: 0.01 },
    // Two copies agree in 80% of their votes.
    Panel {
        name: "coin no source, 11.3% flipped",
        sources: 4,
        copied: Copied::HiddenCoin(0.112_701_665),
        limit: 0.01,
    },
    Panel { name: "coin no source, 20% flipped", sources: 4, copied: Copied::HiddenCoin(0.2), limit: 0.01 },
    Panel { name: "100, one copied five times", sources: 100, copied: Copied::First(0.0), limit: 0.002 },
    Panel { name: "the same, 20% flipped", sources: 100, copied: Copied::First(0.2), limit: 0.002 },
];

/// Votes, the true classes, and for each item what the oracle's score says: above 0 for the first class.
fn draw(panel: &Panel, seed: u64) -> (Votes, Vec<Vote>, Vec<f64>) {
    let mut rng = Streams::new(seed).stream(0);
    let accuracies: Vec<f64> = (0..panel.sources).map(|_| 0.55 + 0.3 * unit(&mut rng)).collect();
    let copies = if matches!(panel.copied, Copied::First(_)) { 5 } else { 6 };
    let mut builder = VotesBuilder::new(Sources::numbered(panel.sources + copies).unwrap());
    let (mut truth, mut scores) = (Vec::new(), Vec::new());
    for _ in 0..ITEMS {
        let mut flip = |p: f64| unit(&mut rng) < p;
        let y: Vote = if flip(0.5) { 1 } else { 2 };
        let mut row = Vec::with_capacity(panel.sources + copies);
        let mut score = 0.0;
        for &accuracy in &accuracies {
            if flip(PROPENSITY) {
                let vote = if flip(accuracy) { y } else { 3 - y };
                let odds = (accuracy / (1.0 - accuracy)).ln();
                score += if vote == 1 { odds } else { -odds };
                row.push(vote);
            } else {
                row.push(0);
            }
        }
        let (said, noise, first_is_source) = match panel.copied {
            Copied::First(noise) => (row[0], noise, false),
            Copied::Coin(noise) | Copied::HiddenCoin(noise) => {
                let said = if !flip(PROPENSITY) {
                    0
                } else if flip(0.5) {
                    1
                } else {
                    2
                };
                (said, noise, matches!(panel.copied, Copied::Coin(_)))
            }
        };
        for copy in 0..copies {
            let exact = copy == 0 && first_is_source;
            row.push(if said == 0 || exact || !flip(noise) { said } else { 3 - said });
        }
        truth.push(y);
        scores.push(score);
        builder.push_dense(&row).unwrap();
    }
    (builder.finish_as(Classes::numbered(2).unwrap()).unwrap(), truth, scores)
}

/// The share of right labels; ties count one half.
fn right(labels: &Labels, truth: &[Vote]) -> f64 {
    let one = |i: usize| match labels.decide(i, Ties::Empty) {
        None => 0.5,
        Some(vote) => f64::from(u8::from(vote == truth[i])),
    };
    (0..truth.len()).map(one).sum::<f64>() / truth.len() as f64
}

fn main() {
    let draws: u64 = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(20);
    println!(
        "{draws} draws of {ITEMS} items, accuracies 0.55 to 0.85, propensity {PROPENSITY}; share of right labels"
    );
    println!(
        "{:32} {:>7} {:>9} {:>12} {:>8} {:>9} {:>9} {:>6}",
        "", "oracle", "majority", "independent", "default", "mean gap", "worst gap", "beyond"
    );
    for panel in &PANELS {
        let (mut sums, mut worst, mut beyond) = ([0.0; 4], f64::NEG_INFINITY, 0);
        for seed in 0..draws {
            let (votes, truth, scores) = draw(panel, seed);
            let oracle = scores.iter().zip(&truth).map(|(&score, &y)| match score {
                score if score > 0.0 => f64::from(u8::from(y == 1)),
                score if score < 0.0 => f64::from(u8::from(y == 2)),
                _ => 0.5,
            });
            let oracle = oracle.sum::<f64>() / truth.len() as f64;
            let of = |dependence: Dependence<'_>| {
                let fitted = fit(&votes, dependence, &FitOptions::default()).unwrap();
                right(&infer(&fitted, &votes).unwrap(), &truth)
            };
            let shares = [
                oracle,
                right(&majority_vote(&votes), &truth),
                of(Dependence::Independent),
                of(Dependence::Repeats),
            ];
            sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share / draws as f64);
            let gap = oracle - shares[3];
            worst = gap.max(worst);
            beyond += u64::from(gap > panel.limit);
        }
        println!(
            "{:32} {:7.4} {:9.4} {:12.4} {:8.4} {:9.4} {:9.4} {:6}",
            panel.name,
            sums[0],
            sums[1],
            sums[2],
            sums[3],
            sums[0] - sums[3],
            worst,
            beyond
        );
    }
}
