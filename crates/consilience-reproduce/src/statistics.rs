//! Shares of runs, and how far they can be trusted.

/// The 95% interval of a probability of which `hits` of `trials` runs were seen (Wilson 1927).
///
/// # Formula
/// ```text
/// ( p + z²/2t ± z sqrt( p(1-p)/t + z²/4t² ) ) / ( 1 + z²/t ),   p = hits/t, z = 1.96
/// ```
pub(crate) fn interval(hits: usize, trials: usize) -> (f64, f64) {
    const Z: f64 = 1.959_963_984_540_054;
    let t = trials.max(1) as f64;
    let p = hits as f64 / t;
    let middle = p + Z * Z / (2.0 * t);
    let reach = Z * (p * (1.0 - p) / t + Z * Z / (4.0 * t * t)).sqrt();
    let scale = 1.0 + Z * Z / t;
    (((middle - reach) / scale).max(0.0), ((middle + reach) / scale).min(1.0))
}

/// How far below `p` a share of `trials` runs may fall by chance alone: three standard errors and half a run.
///
/// # Formula
/// ```text
/// 3 sqrt( p(1-p)/t ) + 1/2t
/// ```
pub(crate) fn slack(p: f64, trials: usize) -> f64 {
    let t = trials.max(1) as f64;
    3.0 * (p * (1.0 - p) / t).sqrt() + 0.5 / t
}

/// The middle one of `values`, or the mean of the two in the middle; 0 for none.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        odd if odd % 2 == 1 => sorted[odd / 2],
        even => f64::midpoint(sorted[even / 2 - 1], sorted[even / 2]),
    }
}

/// Where a curve first reaches `level` and stays there, by straight lines between points; `None` where it does not.
pub(crate) fn crossing(curve: &[(f64, f64)], level: f64) -> Option<f64> {
    let above = curve.iter().rposition(|&(_, y)| y < level).map_or(0, |last| last + 1);
    let &(x, y) = curve.get(above)?;
    let Some(&(x0, y0)) = above.checked_sub(1).and_then(|before| curve.get(before)) else { return Some(x) };
    Some(x0 + (x - x0) * (level - y0) / (y - y0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_wilson() {
        // Computed by hand for 8 of 10: (0.8 + 0.19207 ± 1.96 sqrt(0.016 + 0.009604)) / 1.38415.
        let (low, high) = interval(8, 10);
        assert!((low - 0.4902).abs() < 2e-4 && (high - 0.9433).abs() < 2e-4, "{low} {high}");
        assert!(interval(0, 20).0.abs() < 1e-12 && (interval(20, 20).1 - 1.0).abs() < 1e-12);
    }

    #[test]
    fn where_a_curve_crosses() {
        let curve = [(1.0, 0.0), (2.0, 0.6), (3.0, 0.4), (4.0, 0.8), (5.0, 1.0)];
        assert!((crossing(&curve, 0.5).unwrap() - 3.25).abs() < 1e-12);
        assert!(crossing(&curve, 1.1).is_none());
        assert_eq!(crossing(&curve[4..], 0.5), Some(5.0));
        assert!(crossing(&[], 0.5).is_none());
    }

    #[test]
    fn the_median() {
        assert!((median(&[3.0, 1.0, 2.0]) - 2.0).abs() < 1e-12);
        assert!((median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-12);
    }
}
