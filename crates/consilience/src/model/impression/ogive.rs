//! Votes by the normal distribution function.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Logistic curves and normal ones are nearest to each other with this factor between their scales.
pub(crate) const OGIVE_SCALE: f64 = 1.7;

/// Φ(x).
pub(crate) fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// log Φ(x), for any x.
///
/// # Formula
/// ```text
/// x < -10:  log Φ(x) ≈ -x²/2 - log( -x √(2π) ) + log( 1 - 1/x² + 3/x⁴ - 15/x⁶ )
/// ```
pub(crate) fn log_normal(x: f64) -> f64 {
    if x >= -10.0 {
        return normal(x).ln();
    }
    let s = 1.0 / (x * x);
    -0.5 * x * x - (-x).ln() - 0.5 * (2.0 * PI).ln() + (1.0 - s + 3.0 * s * s - 15.0 * s * s * s).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of the R project's pnorm.
    #[test]
    fn normal_probabilities_are_those_of_tables() {
        for (x, p) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-1.959_963_984_540_054, 0.025),
            (-3.5, 0.000_232_629_079_035_525_04),
            (-8.0, 6.220_960_574_271_785e-16),
        ] {
            assert!((normal(x) / p - 1.0).abs() < 1e-9, "{x}: {}", normal(x));
        }
        assert!((log_normal(-9.999) - log_normal(-10.001)).abs() < 0.03);
        assert!((log_normal(-12.0) + 75.410_672_994_9).abs() < 1e-6, "{}", log_normal(-12.0));
    }
}
