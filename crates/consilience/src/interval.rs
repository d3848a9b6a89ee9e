//! Intervals of shares, by Wilson's score test.

use serde::Serialize;

/// The normal quantile of two-sided 95% intervals.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// An estimate and its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// The estimate.
    pub estimate: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Half the distance between the ends.
    pub fn half_width(&self) -> f64 {
        0.5 * (self.high - self.low)
    }

    /// The interval of a share among `items` items: the true share is a whole number of them, so both ends move outwards to the
    /// next one. This matters if the items are few.
    ///
    /// ```
    /// use consilience::interval::Interval;
    ///
    /// let interval = Interval { estimate: 0.9, low: 0.81, high: 0.97 }.in_counts(20.0);
    /// assert_eq!((interval.low, interval.high), (0.8, 1.0));
    /// ```
    #[must_use]
    pub fn in_counts(self, items: f64) -> Self {
        if items < 1.0 {
            return self;
        }
        // A count that rounding errors moved is still that count.
        let (low, high) = ((self.low * items + 1e-9).floor(), (self.high * items - 1e-9).ceil());
        Self { low: (low / items).clamp(0.0, self.low), high: (high / items).clamp(self.high, 1.0), ..self }
    }
}

/// Wilson's interval for a share that was observed `right` times in `trials` draws; `None` without draws.
///
/// # Formula
/// ```text
/// n = trials / (1 - fraction)        p = right / trials
/// ( p + z²/2n ± z sqrt( p (1 - p) / n + z²/4n² ) ) / ( 1 + z²/n )
/// ```
/// `fraction` is the part of the population that was drawn: if every item was drawn, nothing is left to chance and the
/// interval is a point. For the share among the items that were not drawn, it is -drawn / not drawn: they are few, too, and
/// their own share varies. `trials` need not be a whole number: estimates with less variance than a plain
/// share count as more draws.
///
/// # When it holds
/// From about ten draws on, also for shares near 0 and 1, where the normal interval p ± z sqrt( p (1 - p) / n ) is far too
/// short.
///
/// # Reference
/// Wilson (1927), Probable inference, the law of succession, and statistical inference; Brown, Cai and DasGupta (2001),
/// Interval estimation for a binomial proportion.
///
/// ```
/// use consilience::interval::{Z_95, wilson};
///
/// let interval = wilson(90.0, 100.0, 0.0, Z_95).expect("there are trials");
/// assert!(interval.low > 0.82 && interval.high < 0.95);
/// assert_eq!(wilson(0.0, 0.0, 0.0, Z_95), None);
/// ```
pub fn wilson(right: f64, trials: f64, fraction: f64, z: f64) -> Option<Interval> {
    if trials <= 0.0 {
        return None;
    }
    let p = (right / trials).clamp(0.0, 1.0);
    if fraction >= 1.0 {
        return Some(Interval { estimate: p, low: p, high: p });
    }
    let n = trials / (1.0 - fraction);
    let whole = 1.0 + z * z / n;
    let middle = (p + z * z / (2.0 * n)) / whole;
    let half = z / whole * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    // Rounding must not move an end past the estimate: 0 of 30 has the lower end 0.
    Some(Interval { estimate: p, low: (middle - half).clamp(0.0, p), high: (middle + half).clamp(p, 1.0) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Streams, unit};

    /// The definition by another road: at each end of the interval the score test of that share has exactly the critical
    /// value.
    #[test]
    fn the_score_test_is_critical_at_both_ends() {
        for (right, trials) in [(27.0, 30.0), (1.0, 50.0), (150.0, 300.0), (7.3, 41.5)] {
            let Interval { estimate, low, high } = wilson(right, trials, 0.0, Z_95).unwrap();
            for end in [low, high] {
                let score = (estimate - end).abs() / (end * (1.0 - end) / trials).sqrt();
                assert!((score - Z_95).abs() < 1e-9, "{right} of {trials}: {score}");
            }
        }
    }

    /// 9 of 10 by hand: (0.5958, 0.9821), as published tables have it.
    #[test]
    fn a_published_value() {
        let found = wilson(9.0, 10.0, 0.0, Z_95).unwrap();
        assert!((found.low - 0.5958).abs() < 1e-4 && (found.high - 0.9821).abs() < 1e-4, "{found:?}");
    }

    #[test]
    fn edges() {
        assert_eq!(wilson(0.0, 0.0, 0.0, Z_95), None);
        let none = wilson(0.0, 30.0, 0.0, Z_95).unwrap();
        assert!(none.low.abs() < 1e-15 && none.high > 0.1 && none.high < 0.12, "{none:?}");
        let all = wilson(30.0, 30.0, 0.0, Z_95).unwrap();
        assert!((all.high - 1.0).abs() < 1e-15 && (all.low - (1.0 - none.high)).abs() < 1e-12, "{all:?}");
        let known = wilson(20.0, 30.0, 1.0, Z_95).unwrap();
        assert!((known.low - known.high).abs() < 1e-15, "{known:?}");
    }

    /// Drawn without repetition from 200 items of which 190 are right: the interval covers the share about 95 times in a
    /// hundred, and only thanks to the part that was drawn it is not far too wide.
    #[test]
    fn coverage_of_a_finite_file() {
        let (items, right, drawn, runs) = (200usize, 190usize, 100usize, 4000u64);
        let mut covered = 0u32;
        for run in 0..runs {
            let found = crate::answers::sample(items, drawn, run).into_iter().filter(|&i| i < right).count();
            let interval = wilson(found as f64, drawn as f64, drawn as f64 / items as f64, Z_95).unwrap();
            covered += u32::from(interval.low <= 0.95 && 0.95 <= interval.high);
        }
        let coverage = f64::from(covered) / runs as f64;
        assert!((0.93..=0.985).contains(&coverage), "{coverage}");
    }

    /// 300 of 800 items are drawn, and the share is that of the other 500.
    #[test]
    fn coverage_of_the_items_that_were_not_drawn() {
        let (items, right, drawn, runs) = (800usize, 680usize, 300usize, 2000u64);
        let (mut covered, mut without) = (0u32, 0u32);
        for run in 0..runs {
            let found = crate::answers::sample(items, drawn, run).into_iter().filter(|&i| i < right).count();
            let truth = (right - found) as f64 / (items - drawn) as f64;
            let covers = |fraction: f64| {
                let interval = wilson(found as f64, drawn as f64, fraction, Z_95).unwrap();
                u32::from(interval.low <= truth && truth <= interval.high)
            };
            covered += covers(-(drawn as f64) / (items - drawn) as f64);
            without += covers(0.0);
        }
        let of_runs = |count: u32| f64::from(count) / runs as f64;
        assert!((0.935..=0.98).contains(&of_runs(covered)), "{}", of_runs(covered));
        assert!(of_runs(without) < 0.91, "{}", of_runs(without));
    }

    /// Draws with repetition at a true share of 95%: Wilson covers where the normal interval does not.
    #[test]
    fn coverage_where_normal_intervals_fail() {
        let (p, trials, runs) = (0.95, 30usize, 4000u64);
        let (mut wilson_covers, mut normal_covers) = (0u32, 0u32);
        for run in 0..runs {
            let mut rng = Streams::new(11).stream(run);
            let right = (0..trials).filter(|_| unit(&mut rng) < p).count() as f64;
            let interval = wilson(right, trials as f64, 0.0, Z_95).unwrap();
            wilson_covers += u32::from(interval.low <= p && p <= interval.high);
            let share = right / trials as f64;
            let half = Z_95 * (share * (1.0 - share) / trials as f64).sqrt();
            normal_covers += u32::from((share - p).abs() <= half);
        }
        let of_runs = |count: u32| f64::from(count) / runs as f64;
        // Wilson's interval covers where 27 or more of the 30 are right, which has the probability 0.9392; the normal one where
        // 25 to 29 are. Four standard errors are 0.016.
        assert!((of_runs(wilson_covers) - 0.9392).abs() < 0.016, "{}", of_runs(wilson_covers));
        assert!(of_runs(normal_covers) < 0.82, "{}", of_runs(normal_covers));
    }
}
