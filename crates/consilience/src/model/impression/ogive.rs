//! Votes by the normal distribution function.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// Logistic curves and normal ones are nearest to each other with this factor between their scales.
pub(crate) const OGIVE_SCALE: f64 = 1.7;

/// Φ(x).
pub(crate) fn normal(x: f64) -> f64 {
    0.5 * complement(-x * FRAC_1_SQRT_2)
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

/// erfc(x), with a relative error of about 1e-12.
///
/// # Formula
/// ```text
/// |x| < 2:  1 - erf(x),   erf(x) = 2/√π e^{-x²} Σ_n 2^n x^{2n+1} / (1·3·...·(2n+1))
/// x >= 2:   e^{-x²}/√π · 1 / (x + (1/2)/(x + 1/(x + (3/2)/(x + ...))))
/// ```
fn complement(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - complement(-x);
    }
    if x < 2.0 {
        let (mut term, mut sum) = (x, x);
        let mut n = 0.0;
        while term > 1e-17 * sum {
            n += 1.0;
            term *= 2.0 * x * x / (2.0 * n + 1.0);
            sum += term;
        }
        return 1.0 - 2.0 / PI.sqrt() * (-x * x).exp() * sum;
    }
    let mut fraction = x;
    for step in (1..=60).rev() {
        fraction = x + 0.5 * f64::from(step) / fraction;
    }
    (-x * x).exp() / PI.sqrt() / fraction
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
