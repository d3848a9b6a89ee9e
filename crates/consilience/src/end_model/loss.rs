//! The expected loss over the probabilities of the labels.
//!
//! # Formula
//! ```text
//! q_c(x) = exp(b_c + w_c . x) / Σ_d exp(b_d + w_d . x)
//!
//! F(w, b) = Σ_i s_i Σ_c p_ic ( -log q_c(x_i) ) / Σ_i s_i  +  penalty/2 ‖w‖²  +  1e-6/2 ‖b‖²
//!
//! ∂F/∂w_c = Σ_i s_i (q_ic - p_ic) x_i / Σ_i s_i  +  penalty * w_c
//! ```
//! with p_ic the probability of class c for item i and s_i the item's weight. It is convex, so it has one minimum. The
//! penalty of the intercepts b only keeps them finite if a class has no probability anywhere.
//!
//! # Reference
//! Ratner, De Sa, Wu, Selsam, Ré, *Data Programming: Creating Large Training Sets, Quickly*, NIPS 2016, Eq. (2).

use super::sparse::{PIECE, Sparse};
use crate::num::softmax_in_place;
use crate::optim::{All, Products as _};
use crate::parallel;

const INTERCEPT_PENALTY: f64 = 1e-6;

/// Numbers that are added up one after the other before the sums are.
const SUM_PIECE: usize = 4096;

/// The items with their probabilities and weights, and the penalty.
pub(super) struct ExpectedLoss {
    pub(super) items: Sparse,
    /// Row by row, one number per class.
    probabilities: Vec<f64>,
    /// Adds up to 1.
    weights: Vec<f64>,
    k: usize,
    penalty: f64,
}

impl ExpectedLoss {
    pub(super) fn new(
        items: Sparse,
        probabilities: Vec<f64>,
        weights: Vec<f64>,
        k: usize,
        penalty: f64,
    ) -> Self {
        Self { items, probabilities, weights: scaled(weights), k, penalty }
    }

    /// Gives items `from` to the last new probabilities, and all items new weights.
    pub(super) fn replace(&mut self, from: usize, probabilities: &[f64], weights: Vec<f64>) {
        self.probabilities[from * self.k..].copy_from_slice(probabilities);
        self.weights = scaled(weights);
    }

    /// The scores of items `from` to the last at `parameters`, item by item.
    pub(super) fn scores_from(&self, from: usize, parameters: &[f64]) -> Vec<f64> {
        let (weights, intercepts) = parameters.split_at(self.items.columns() * self.k);
        let mut of_items = vec![0.0; (self.items.rows() - from) * self.k];
        parallel::for_each(of_items.chunks_mut(PIECE * self.k).enumerate(), |(piece, of_items)| {
            for (i, of_item) in (from + piece * PIECE..).zip(of_items.chunks_exact_mut(self.k)) {
                scores(self.items.row(i), weights, intercepts, of_item);
            }
        });
        of_items
    }

    /// How many parameters there are: the weights feature by feature, one a class; then the intercepts.
    pub(super) fn parameters(&self) -> usize {
        (self.items.columns() + 1) * self.k
    }

    /// The loss at `parameters`; puts its gradient into `gradient`.
    pub(super) fn value(&self, parameters: &[f64], gradient: &mut [f64]) -> f64 {
        let k = self.k;
        let (weights, intercepts) = parameters.split_at(self.items.columns() * k);
        let mut residuals = vec![0.0; self.items.rows() * k];
        let mut losses = vec![0.0; self.items.rows()];
        let pieces = residuals.chunks_mut(PIECE * k).zip(losses.chunks_mut(PIECE)).enumerate();
        parallel::for_each(pieces, |(piece, (residuals, losses))| {
            for (i, (q, loss)) in (piece * PIECE..).zip(residuals.chunks_exact_mut(k).zip(losses)) {
                *loss = self.item(i, weights, intercepts, q);
            }
        });
        let (of_weights, of_intercepts) = gradient.split_at_mut(weights.len());
        self.items.transposed_times(&residuals, k, of_weights);
        parallel::for_each(of_weights.chunks_mut(SUM_PIECE).zip(weights.chunks(SUM_PIECE)), |(g, w)| {
            g.iter_mut().zip(w).for_each(|(g, w)| *g += self.penalty * w);
        });
        for (c, (g, b)) in of_intercepts.iter_mut().zip(intercepts).enumerate() {
            *g = residuals.iter().skip(c).step_by(k).sum::<f64>() + INTERCEPT_PENALTY * b;
        }
        losses.iter().sum::<f64>()
            + 0.5 * self.penalty * All.dot(weights, weights)
            + 0.5 * INTERCEPT_PENALTY * All.dot(intercepts, intercepts)
    }

    /// The weighted loss of item `i`; puts its weighted q - p into `residuals`.
    fn item(&self, i: usize, weights: &[f64], intercepts: &[f64], residuals: &mut [f64]) -> f64 {
        scores(self.items.row(i), weights, intercepts, residuals);
        let p = &self.probabilities[i * self.k..(i + 1) * self.k];
        let score: f64 = p.iter().zip(residuals.iter()).map(|(p, score)| p * score).sum();
        let mass: f64 = p.iter().sum();
        let loss = mass * softmax_in_place(residuals) - score;
        for (q, p) in residuals.iter_mut().zip(p) {
            *q = self.weights[i] * (mass * *q - p);
        }
        self.weights[i] * loss
    }
}

/// Weights that add up to 1.
fn scaled(mut weights: Vec<f64>) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    for weight in &mut weights {
        *weight /= total;
    }
    weights
}

/// b_c + w_c . x for every class.
pub(super) fn scores(x: &[(u32, f32)], weights: &[f64], intercepts: &[f64], scores: &mut [f64]) {
    let k = intercepts.len();
    scores.copy_from_slice(intercepts);
    for &(feature, value) in x {
        let start = feature as usize * k;
        for (score, w) in scores.iter_mut().zip(&weights[start..start + k]) {
            *score += f64::from(value) * w;
        }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::rng::{Streams, unit};
    use consilience_testing::{close, gradient};

    /// Random sparse items with random probabilities and weights.
    pub(in super::super) fn random_problem(
        k: usize,
        rows: usize,
        columns: usize,
        penalty: f64,
    ) -> ExpectedLoss {
        let mut rng = Streams::new(k as u64).stream(1);
        let mut probabilities = Vec::new();
        let mut items = Vec::new();
        for _ in 0..rows {
            let x = (0..columns as u32).filter_map(|f| {
                let value = unit(&mut rng) as f32;
                (value < 0.4).then_some((f, value))
            });
            items.push(x.collect());
            let mut p: Vec<f64> = (0..k).map(|_| 4.0 * unit(&mut rng)).collect();
            softmax_in_place(&mut p);
            probabilities.extend(p);
        }
        let weights = (0..rows).map(|_| 0.5 + unit(&mut rng)).collect();
        ExpectedLoss::new(Sparse::new(items, columns).unwrap(), probabilities, weights, k, penalty)
    }

    #[test]
    fn the_gradient_is_that_of_finite_differences() {
        for k in [2, 3, 5] {
            let problem = random_problem(k, 30, 7, 0.02);
            let mut rng = Streams::new(9).stream(2);
            let at: Vec<f64> = (0..problem.parameters()).map(|_| 4.0 * unit(&mut rng) - 2.0).collect();
            let mut found = vec![0.0; at.len()];
            problem.value(&at, &mut found);
            let expected = gradient(&at, |x| problem.value(x, &mut vec![0.0; x.len()]));
            for (found, expected) in found.iter().zip(&expected) {
                assert!(close(*found, *expected, 1e-8), "{found} and {expected}");
            }
        }
    }

    /// Written out a second time from the formula, item by item.
    #[test]
    fn the_loss_is_that_of_the_formula() {
        let problem = random_problem(3, 20, 5, 0.1);
        let at: Vec<f64> = (0..problem.parameters()).map(|i| (i as f64 * 0.7).sin()).collect();
        let (w, b) = at.split_at(15);
        let mut expected = 0.05 * w.iter().map(|w| w * w).sum::<f64>();
        expected += 0.5e-6 * b.iter().map(|b| b * b).sum::<f64>();
        for i in 0..20 {
            let score = |c: usize| {
                let x = problem.items.row(i).iter();
                b[c] + x.map(|&(f, x)| w[f as usize * 3 + c] * f64::from(x)).sum::<f64>()
            };
            let z = (0..3).map(|c| score(c).exp()).sum::<f64>();
            for c in 0..3 {
                expected -= problem.weights[i] * problem.probabilities[i * 3 + c] * (score(c).exp() / z).ln();
            }
        }
        assert!(close(problem.value(&at, &mut vec![0.0; at.len()]), expected, 1e-12));
    }
}
