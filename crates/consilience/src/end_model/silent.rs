//! Items that nobody votes on: their texts and the shares of missed classes give them probabilities to learn from.
//!
//! # Formula
//! ```text
//! p_ic = q_c(x_i) exp(t_c) / Σ_d q_d(x_i) exp(t_d)      with t such that the mean of p_ic over these items is share_c
//! ```
//! with q the end model of the other items. Text says which of them are of a class, silence how many: that of all
//! probabilities with these shares which is nearest to q (in relative entropy).

use super::sparse::PIECE;
use crate::num::softmax_in_place;
use crate::parallel;

const MOST_STEPS: usize = 1000;
const TOLERANCE: f64 = 1e-9;
/// No class is ruled out by an estimate.
const LEAST_SHARE: f64 = 1e-6;

/// Turns the scores of items, `shares.len()` numbers each, into probabilities whose means are `shares`.
pub(super) fn with_shares(scores: &mut [f64], shares: &[f64]) {
    let k = shares.len();
    let items = scores.len() / k;
    let least: Vec<f64> = shares.iter().map(|share| share.max(LEAST_SHARE)).collect();
    let total: f64 = least.iter().sum();
    let mut probabilities = scores.to_vec();
    let mut shift = vec![0.0; k];
    for _ in 0..MOST_STEPS {
        parallel::for_each(
            probabilities.chunks_mut(PIECE * k).zip(scores.chunks(PIECE * k)),
            |(p, scores)| {
                for (p, score) in p.chunks_exact_mut(k).zip(scores.chunks_exact(k)) {
                    for ((p, score), shift) in p.iter_mut().zip(score).zip(&shift) {
                        *p = score + shift;
                    }
                    softmax_in_place(p);
                }
            },
        );
        let mut furthest: f64 = 0.0;
        for c in 0..k {
            let mean = probabilities.iter().skip(c).step_by(k).sum::<f64>() / items as f64;
            let step = (least[c] / total / mean.max(f64::MIN_POSITIVE)).ln();
            shift[c] += step;
            furthest = furthest.max(step.abs());
        }
        if furthest <= TOLERANCE {
            break;
        }
    }
    scores.copy_from_slice(&probabilities);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Streams, unit};
    use consilience_testing::close;

    #[test]
    fn shares_are_met_and_the_order_of_items_stays() {
        let mut rng = Streams::new(8).stream(0);
        for shares in [vec![0.9, 0.1], vec![0.2, 0.5, 0.3], vec![1.0, 0.0]] {
            let k = shares.len();
            let scores: Vec<f64> = (0..200 * k).map(|_| 6.0 * unit(&mut rng) - 3.0).collect();
            let mut p = scores.clone();
            with_shares(&mut p, &shares);
            for (c, share) in shares.iter().enumerate() {
                let mean = p.iter().skip(c).step_by(k).sum::<f64>() / 200.0;
                assert!((mean - share).abs() < 1e-5, "{mean} and {share}");
            }
            // Log odds have moved by the same number in all items.
            let moved = |i: usize| (p[i * k] / p[i * k + 1]).ln() - (scores[i * k] - scores[i * k + 1]);
            assert!((1..200).all(|i| close(moved(i), moved(0), 1e-6)));
        }
    }
}
