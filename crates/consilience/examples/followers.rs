//! Panels of ten judges in which three follow a weak one: how often the labels take the leader for the truth.
//!
//! `cargo run --release -p consilience --example followers -- [DRAWS]`. Every judge votes on every item. The leader is right with
//! probability 0.62; three judges repeat its vote on a share of the items and else vote on their own, as six others always do,
//! right with probabilities from 0.66 to 0.80. Prints the share of right labels by majority vote, with independent sources, by
//! default, and the worst draw of the default.
#![allow(clippy::print_stdout, reason = "a script's result")]

use consilience::labels::{Labels, Ties, infer, majority_vote};
use consilience::model::{Dependence, FitOptions, fit};
use consilience::rng::{Streams, unit};
use consilience::sources::{Classes, Sources, Vote};
use consilience::votes::{Votes, VotesBuilder};

const JUDGES: usize = 10;
const FOLLOWERS: usize = 3;
const LEADER: f64 = 0.62;

fn accuracy(judge: usize) -> f64 {
    0.66 + 0.02 * (judge % 8) as f64
}

/// Votes and the true classes.
fn draw(items: usize, followed: f64, seed: u64) -> (Votes, Vec<Vote>) {
    let mut rng = Streams::new(seed).stream(0);
    let mut flip = |p: f64| unit(&mut rng) < p;
    let mut builder = VotesBuilder::new(Sources::numbered(JUDGES).unwrap());
    let mut truth = Vec::with_capacity(items);
    for _ in 0..items {
        let y: Vote = if flip(0.5) { 1 } else { 2 };
        let leader = if flip(LEADER) { y } else { 3 - y };
        let mut row = vec![leader];
        for judge in 1..JUDGES {
            let own = if flip(accuracy(judge)) { y } else { 3 - y };
            row.push(if judge <= FOLLOWERS && flip(followed) { leader } else { own });
        }
        builder.push_dense(&row).unwrap();
        truth.push(y);
    }
    (builder.finish_as(Classes::numbered(2).unwrap()).unwrap(), truth)
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
    let draws: u64 = std::env::args().find_map(|argument| argument.parse().ok()).unwrap_or(10);
    println!(
        "{draws} draws; share of right labels\n items  followed  majority  independent  default  worst draw"
    );
    for items in [600, 2_000, 5_000] {
        for followed in [0.5, 0.7, 0.85] {
            let (mut sums, mut worst) = ([0.0; 3], f64::INFINITY);
            for seed in 0..draws {
                let (votes, truth) = draw(items, followed, seed);
                let of = |dependence: Dependence<'_>| {
                    let fitted = fit(&votes, dependence, &FitOptions::default()).unwrap();
                    right(&infer(&fitted, &votes).unwrap(), &truth)
                };
                let shares = [
                    right(&majority_vote(&votes), &truth),
                    of(Dependence::Independent),
                    of(Dependence::Repeats),
                ];
                sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share / draws as f64);
                worst = shares[2].min(worst);
            }
            let [majority, independent, default] = sums;
            println!(
                "{items:6}  {followed:8}  {majority:8.3}  {independent:11.3}  {default:7.3}  {worst:10.3}"
            );
        }
    }
}
