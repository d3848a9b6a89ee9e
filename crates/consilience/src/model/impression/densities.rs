//! How often an impression has which strength, as a function of log level and log odds of clarity.

use super::grid::Curve;
use super::strength::Strength;
use crate::optim::EIGHT;

/// The log odds of clarity are no larger: the grid is too coarse for less spread.
pub(super) const CLEAREST: f64 = 6.0;

/// The spread at this log level and these log odds of clarity.
pub(super) fn spread_of(level: f64, clarity: f64) -> f64 {
    (level - 0.5 * clarity.min(CLEAREST)).exp()
}

/// p(z_g) with its first and second derivatives (first, mixed, second) by log level and log odds of clarity.
pub(super) struct Densities {
    pub(super) value: Curve,
    pub(super) slopes: [Curve; 2],
    pub(super) curvature: [Curve; 3],
}

impl Densities {
    /// By differences, whose error moves the maximum by less than 1e-5.
    pub(super) fn new([level, clarity]: [f64; 2]) -> Self {
        const STEP: f64 = 1e-3;
        let at = |i: f64, j: f64| {
            let (level, clarity) = (level + i * STEP, clarity + j * STEP);
            Strength::new(level.exp(), spread_of(level, clarity)).density()
        };
        let value = at(0.0, 0.0);
        let [below, above] = [[at(-1.0, 0.0), at(0.0, -1.0)], [at(1.0, 0.0), at(0.0, 1.0)]];
        let second = |i: usize| -> Curve {
            Curve::of(|g| (above[i][g] - 2.0 * value[g] + below[i][g]) / (STEP * STEP))
        };
        let corners = [at(1.0, 1.0), at(1.0, -1.0), at(-1.0, 1.0), at(-1.0, -1.0)];
        let mixed =
            |g: usize| (corners[0][g] - corners[1][g] - corners[2][g] + corners[3][g]) / (4.0 * STEP * STEP);
        Self {
            value,
            slopes: [0, 1].map(|i| Curve::of(|g| (above[i][g] - below[i][g]) / (2.0 * STEP))),
            curvature: [second(0), Curve::of(mixed), second(1)],
        }
    }
}

/// Σ_g x_g y_g.
#[inline(always)]
pub(super) fn product(x: &Curve, y: &Curve) -> f64 {
    let (x, y) = (x.as_chunks::<EIGHT>().0, y.as_chunks::<EIGHT>().0);
    let mut parts = [0.0; EIGHT];
    for i in 0..EIGHT {
        parts[i] = x[0][i] * y[0][i] + x[1][i] * y[1][i] + x[2][i] * y[2][i] + x[3][i] * y[3][i];
    }
    let [a, b, c, d, e, f, g, h] = parts;
    ((a + e) + (b + f)) + ((c + g) + (d + h))
}
