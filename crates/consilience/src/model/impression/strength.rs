//! How strong impressions are, and how often they are right.

use super::grid::{Curve, POINTS, STRENGTHS, WIDTHS};
use crate::num::log_sum_exp;

/// The distribution of the strength over the grid.
///
/// # Formula
/// ```text
/// R_g = d_g exp( -(z_g - level)² / 2 spread² ) / C,   F_g = d_g exp( -(z_g + level)² / 2 spread² ) / C,   Σ (R + F) = 1
/// p(z_g) = R_g + F_g,   right(z) = R / (R + F) = 1 / (1 + exp( -2 level z / spread² ))
/// ```
#[derive(Clone, Debug)]
pub(crate) struct Strength {
    /// log p(z_g).
    pub(crate) log_density: Curve,
    /// The probability that the class seen is the true one.
    pub(crate) right: Curve,
}

impl Strength {
    pub(crate) fn new(level: f64, spread: f64) -> Self {
        let mut log_density = Curve::ZERO;
        let mut right = Curve::ZERO;
        for g in 0..POINTS {
            let wrong = (-2.0 * level * STRENGTHS[g] / (spread * spread)).exp();
            let away = (STRENGTHS[g] - level) / spread;
            log_density[g] = WIDTHS[g].ln() - 0.5 * away * away + wrong.ln_1p();
            right[g] = 1.0 / (1.0 + wrong);
        }
        let total = log_sum_exp(&log_density[..]);
        for density in log_density.iter_mut() {
            *density -= total;
        }
        Self { log_density, right }
    }

    /// p(z_g).
    pub(crate) fn density(&self) -> Curve {
        Curve(self.log_density.map(f64::exp))
    }
}
