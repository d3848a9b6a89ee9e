//! The correction with the highest penalised likelihood.

use super::objective::{AnsweredRow, Objective};
use super::{Correction, CorrectionPriors};
use crate::optim::{Bounds, Curvature, Stop, minimise};
use crate::sources::Domain;

/// The answers' log likelihood still to be gained, at the end.
const TOLERANCE: f64 = 1e-8;
/// The most steps; a few dozen are usual.
const STEPS: usize = 500;
/// The logarithm of the slope stays between these many standard deviations of its prior.
const FARTHEST_SLOPE: f64 = 6.0;

/// The correction that the answers of `rows` teach, for `k` classes, sources with these domains, and a
/// table with `usual_votes` on an item that has any.
pub(super) fn fit_one(
    rows: &[AnsweredRow],
    k: usize,
    domains: &[Domain],
    usual_votes: f64,
    priors: CorrectionPriors,
) -> Correction {
    let objective = Objective::new(rows, k, usual_votes, priors);
    let mut x = vec![0.0; objective.weights()];
    let mut bounds = Bounds { lower: vec![f64::NEG_INFINITY; x.len()], upper: vec![f64::INFINITY; x.len()] };
    (bounds.lower[0], bounds.upper[0]) = (-FARTHEST_SLOPE, FARTHEST_SLOPE);
    let stop = Stop { tolerance: TOLERANCE, iterations: STEPS, rounding: 0.0 };
    let mut curvature = Curvature::new(vec![1.0; x.len()]);
    minimise(&mut x, &bounds, &mut curvature, stop, |x: &[f64], gradient: &mut [f64]| {
        objective.value(x, gradient)
    });
    objective.correction(&x, domains)
}
