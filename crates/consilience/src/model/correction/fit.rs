//! The correction with the highest penalised likelihood.

use super::objective::Objective;
use crate::optim::{Bounds, Curvature, Stop, minimise};

/// The answers' log likelihood still to be gained, at the end.
pub(super) const TOLERANCE: f64 = 1e-8;
/// The most steps; a few dozen are usual.
const STEPS: usize = 500;
/// The logarithm of the slope stays between these many standard deviations of its prior.
const FARTHEST_SLOPE: f64 = 6.0;

/// The weights at the maximum, and what the search learned about the curvature around them.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    pub(super) x: Vec<f64>,
    curvature: Curvature,
}

/// Maximises the penalised likelihood to within `tolerance`. The search begins at `start`, the solution with somewhat different
/// answers, or at no correction; that decides how long the search takes, and not where it ends.
pub(super) fn solve(objective: &Objective<'_>, start: Option<&Solution>, tolerance: f64) -> Solution {
    let n = objective.weights();
    let cold = || Solution { x: vec![0.0; n], curvature: Curvature::new(vec![1.0; n]) };
    let Solution { mut x, mut curvature } = start.cloned().unwrap_or_else(cold);
    if start.is_some() {
        objective.forget_unseen(&mut x);
    }
    let mut bounds = Bounds { lower: vec![f64::NEG_INFINITY; n], upper: vec![f64::INFINITY; n] };
    (bounds.lower[0], bounds.upper[0]) = (-FARTHEST_SLOPE, FARTHEST_SLOPE);
    let stop = Stop { tolerance, iterations: STEPS, rounding: 0.0 };
    minimise(&mut x, &bounds, &mut curvature, stop, |x: &[f64], gradient: &mut [f64]| {
        objective.value(x, gradient)
    });
    Solution { x, curvature }
}
