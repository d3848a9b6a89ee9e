//! How many answers an interval of a given width needs.

use crate::interval::wilson;

/// The smallest number of answers, out of `items`, with which the interval of a share near `estimate` extends at most
/// `within` to either side on average.
///
/// # Formula
/// ```text
/// the smallest n with   half width of Wilson's interval( estimate, n / ratio, fraction n / items ) <= within
/// ```
/// `ratio` is the variance of the estimate relative to that of the answers alone (see [`super::share_interval`]).
///
/// ```
/// use consilience::certificate::needed;
/// use consilience::interval::Z_95;
///
/// let answers = needed(0.9, 1.0, 0.03, 100_000, Z_95); // accuracy near 90%, to within 3 points
/// assert!((350..450).contains(&answers));
/// assert!(needed(0.9, 1.0, 0.03, 500, Z_95) < answers); // a short file needs fewer
/// ```
pub fn needed(estimate: f64, ratio: f64, within: f64, items: usize, z: f64) -> usize {
    let wide = |n: usize| {
        let draws = n as f64 / ratio;
        wilson(estimate * draws, draws, n as f64 / items as f64, z)
            .is_none_or(|interval| interval.half_width() > within)
    };
    // The width falls with n.
    let (mut too_few, mut enough) = (0, items);
    while enough - too_few > 1 {
        let middle = too_few + (enough - too_few) / 2;
        if wide(middle) {
            too_few = middle;
        } else {
            enough = middle;
        }
    }
    enough
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interval::Z_95;

    /// The normal approximation by hand: 1.96² · 0.25 / 0.03² = 1067 of many, fewer of few.
    #[test]
    fn half_a_share_within_three_points() {
        let many = needed(0.5, 1.0, 0.03, 100_000_000, Z_95);
        assert!((1060..=1068).contains(&many), "{many}");
        let few = needed(0.5, 1.0, 0.03, 2000, Z_95);
        // n / (1 + n / N).
        assert!((690..=700).contains(&few), "{few}");
        let helped = needed(0.5, 0.49, 0.03, 100_000_000, Z_95);
        assert!((0.48..0.5).contains(&(helped as f64 / many as f64)), "{helped}");
        assert_eq!(needed(0.5, 1.0, 0.0, 50, Z_95), 50);
    }
}
