//! Gradients by central differences.

/// The gradient of `f` at `x`.
///
/// # Formula
/// ```text
/// ∂f/∂x_i ≈ ( f(x + h e_i) - f(x - h e_i) ) / 2h,   h = 1e-5
/// ```
/// The error is of the order h² plus rounding / h: about 1e-10 for smooth functions of size 1.
pub fn gradient(x: &[f64], f: impl Fn(&[f64]) -> f64) -> Vec<f64> {
    const STEP: f64 = 1e-5;
    let mut moved = x.to_vec();
    let mut slope = |i: usize| {
        moved[i] = x[i] + STEP;
        let above = f(&moved);
        moved[i] = x[i] - STEP;
        let below = f(&moved);
        moved[i] = x[i];
        (above - below) / (2.0 * STEP)
    };
    (0..x.len()).map(&mut slope).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_cubic_has_its_slope() {
        let slope = super::gradient(&[2.0, -1.0], |x| x[0].powi(3) + x[0] * x[1]);
        assert!((slope[0] - 11.0).abs() < 1e-8 && (slope[1] - 2.0).abs() < 1e-8);
    }
}
