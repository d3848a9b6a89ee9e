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

/// Whether `hits` of `trials` runs, or fewer, are seen more often than once in a thousand if each is a hit with
/// probability `p`.
///
/// # Formula
/// ```text
/// Σ_{i <= hits} C(t, i) pⁱ (1-p)^(t-i) >= 0.001
/// ```
pub(crate) fn plausible(hits: usize, trials: usize, p: f64) -> bool {
    if p <= 0.0 || hits >= trials {
        return true;
    }
    if p >= 1.0 {
        return false;
    }
    // The logarithm of each term from that of the one before.
    let mut term = trials as f64 * (1.0 - p).ln();
    let mut sum = term.exp();
    for i in 1..=hits {
        term += ((trials - i + 1) as f64 / i as f64).ln() + (p / (1.0 - p)).ln();
        sum += term.exp();
    }
    sum >= 0.001
}

/// Three standard errors of the difference between two shares of `trials` runs each.
///
/// # Formula
/// ```text
/// 3 sqrt( 2 · ¼ / t )
/// ```
pub(crate) fn difference(trials: usize) -> f64 {
    3.0 * (0.5 / trials.max(1) as f64).sqrt()
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

/// The rising curve nearest to `curve` in squares: neighbours that fall are pooled (Ayer et al. 1955).
///
/// Shares of few runs go up and down by chance; success does not truly fall with more rows.
fn rising(curve: &[(f64, f64)]) -> Vec<(f64, f64)> {
    // Mean and number of points of each pool.
    let mut pools: Vec<(f64, usize)> = Vec::new();
    for &(_, y) in curve {
        let mut last = (y, 1);
        while let Some(&(mean, count)) = pools.last().filter(|(mean, _)| *mean > last.0) {
            let both = count + last.1;
            last = ((mean * count as f64 + last.0 * last.1 as f64) / both as f64, both);
            pools.pop();
        }
        pools.push(last);
    }
    let levels = pools.into_iter().flat_map(|(mean, count)| std::iter::repeat_n(mean, count));
    curve.iter().zip(levels).map(|(&(x, _), y)| (x, y)).collect()
}

/// Where the rising curve nearest to `curve` reaches `level`, by straight lines; `None` if it does not.
pub(crate) fn crossing(curve: &[(f64, f64)], level: f64) -> Option<f64> {
    let curve = rising(curve);
    let above = curve.iter().position(|&(_, y)| y >= level)?;
    let (x, y) = curve[above];
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
    fn tails_of_the_binomial() {
        // P(X <= 1) of 3 at 0.94 is 3 · 0.94 · 0.06² + 0.06³ = 0.0104; P(X = 0) is 0.0002.
        assert!(plausible(1, 3, 0.94) && !plausible(0, 3, 0.94));
        // P(X <= 85) of 100 at 0.95 is 1e-4, of 87 it is 1.6e-3.
        assert!(!plausible(85, 100, 0.95) && plausible(88, 100, 0.95));
        assert!(plausible(5, 5, 1.0) && !plausible(4, 5, 1.0) && plausible(0, 5, 0.0));
    }

    #[test]
    fn where_a_curve_crosses() {
        let curve = [(1.0, 0.0), (2.0, 0.6), (3.0, 0.4), (4.0, 0.8), (5.0, 1.0)];
        // 0.6 and 0.4 are pooled to 0.5.
        assert!((crossing(&curve, 0.5).unwrap() - 2.0).abs() < 1e-12);
        assert!((crossing(&curve, 0.65).unwrap() - 3.5).abs() < 1e-12);
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
