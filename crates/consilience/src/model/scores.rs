//! The scores of the classes, row by row, for many rows.

use super::Model;
use crate::dependency::DependencyType as _;
use crate::sources::{ABSTAIN, Vote};

/// More numbers than this are not tabulated.
const MOST_CELLS: usize = 1 << 26;

/// What each vote of each source adds to the score of each class, counted from silence.
///
/// # Formula
/// ```text
/// S(y) = silent(y) + Σ over votes of change(j, λ_j, y) + what dependencies over several sources add
/// ```
/// The same numbers as [`Model::class_scores`] up to the order of the additions.
#[derive(Clone, Debug)]
pub(crate) struct RowScores<'a> {
    model: &'a Model,
    k: usize,
    /// For each source, each vote (abstain included) and each class; empty if it would be too large.
    change: Vec<f64>,
    /// Whether a dependency over several sources reads the class.
    joints: bool,
}

impl<'a> RowScores<'a> {
    /// Of `model`.
    pub(crate) fn new(model: &'a Model) -> Self {
        let k = model.classes.len();
        let n = model.sources.len();
        let of_class = || model.factors.of_class().iter().map(|&d| &model.factors.list()[d as usize]);
        let joints = of_class().any(|factor| factor.dependency.sources().len() > 1);
        let cells = n.saturating_mul(k + 1).saturating_mul(k);
        let mut change = vec![0.0; if joints || cells > MOST_CELLS { 0 } else { cells }];
        if !change.is_empty() {
            for factor in of_class() {
                let [j] = *factor.dependency.sources() else { continue };
                for vote in 1..=k as Vote {
                    let cells = &mut change[(j * (k + 1) + usize::from(vote)) * k..][..k];
                    for (cell, y) in cells.iter_mut().zip(1..) {
                        let phi = |vote| factor.dependency.phi(&[vote], y);
                        *cell += factor.weight * (phi(vote) - phi(ABSTAIN));
                    }
                }
            }
        }
        Self { model, k, change, joints }
    }

    /// The scores of one row of `(source, vote)`, ascending by source, into `scores`.
    pub(crate) fn row(&self, votes: impl Iterator<Item = (usize, Vote)>, scores: &mut [f64]) {
        if self.joints || self.change.is_empty() {
            let votes: Vec<(usize, Vote)> = votes.collect();
            scores.copy_from_slice(&self.model.class_scores(&votes));
            return;
        }
        scores.copy_from_slice(&self.model.silent_scores);
        votes.for_each(|(j, vote)| {
            let change = &self.change[(j * (self.k + 1) + usize::from(vote)) * self.k..][..self.k];
            scores.iter_mut().zip(change).for_each(|(score, change)| *score += change);
        });
    }
}
