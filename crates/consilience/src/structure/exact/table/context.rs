//! What the other sources say about the class: the prior that each problem starts from.

use super::rows::Rows;
use crate::parallel;

/// For each row and class, the probability of the class from all votes of the row, sources taken as independent.
///
/// # Formula
/// ```text
/// Q_u(y) ∝ exp( π_y + Σ_l 2 a_l 1{λ_ul = y} )
/// ```
/// which is π_y + Σ_l a_l φ^acc_l up to a constant of the row. The vote of the source in question is taken out again by
/// each problem, as one factor exp(-2 a_j) on the class it voted for.
#[derive(Clone, Debug)]
pub(crate) struct Context {
    classes: usize,
    probability: Vec<f32>,
    /// For each row, the probability of a class that nobody votes for in it, less its e^π.
    rest: Vec<f32>,
    /// e^π for each class.
    base: Vec<f32>,
    /// For each active source, the factor exp(-2 a_j) that takes its vote out again.
    take_out: Vec<f32>,
}

/// Probabilities are kept above this, so that taking a vote out never divides zero by zero.
const FLOOR: f64 = 1e-30;

/// Rows that one thread takes at a time.
const CHUNK: usize = 1024;

impl Context {
    pub(crate) fn new(rows: &Rows, accuracies: &[f64], class_terms: &[f64]) -> Self {
        let k = rows.classes;
        let mut probability = vec![0.0; rows.len() * k];
        let mut rest = vec![0.0; rows.len()];
        let chunks = probability.chunks_mut(CHUNK * k).zip(rest.chunks_mut(CHUNK)).enumerate();
        parallel::for_each(chunks, |(chunk, (probability, rest))| {
            let mut scores = vec![0.0; k];
            let of_rows = probability.chunks_exact_mut(k).zip(rest);
            for (u, (probability, rest)) in (chunk * CHUNK..).zip(of_rows) {
                for (class, (score, term)) in scores.iter_mut().zip(class_terms).enumerate() {
                    let sum: f64 = rows.of_class(u, class).iter().map(|&l| accuracies[usize::from(l)]).sum();
                    *score = term + 2.0 * sum;
                }
                *rest = (-crate::num::softmax_in_place(&mut scores)).exp() as f32;
                for (p, score) in probability.iter_mut().zip(&scores) {
                    *p = score.max(FLOOR) as f32;
                }
            }
        });
        let take_out = accuracies.iter().map(|a| (-2.0 * a).exp() as f32).collect();
        let base = class_terms.iter().map(|term| term.exp() as f32).collect();
        Self { classes: k, probability, rest, base, take_out }
    }

    /// The factor on the class that source `j` voted for which takes its vote out.
    pub(crate) fn take_out(&self, j: usize) -> f32 {
        self.take_out[j]
    }

    /// e^π for each class.
    pub(crate) fn base(&self) -> &[f32] {
        &self.base
    }

    /// The probability in row `u` of any class that nobody votes for in it, divided by its e^π.
    #[inline(always)]
    pub(crate) fn rest(&self, u: usize) -> f32 {
        self.rest[u]
    }

    /// The probability of each class in each of some rows.
    #[inline(always)]
    pub(crate) fn rows(&self, rows: std::ops::Range<usize>) -> &[f32] {
        &self.probability[rows.start * self.classes..rows.end * self.classes]
    }

    /// The probability of each class in row `u`.
    #[inline(always)]
    pub(crate) fn row(&self, u: usize) -> &[f32] {
        &self.probability[u * self.classes..(u + 1) * self.classes]
    }
}
