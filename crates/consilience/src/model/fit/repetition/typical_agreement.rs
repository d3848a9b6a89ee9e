//! The typical agreement of pairs of sources, so that unusual ones stand out.

use crate::model::impression::normal;

/// Linked sources of several classes agree beyond the usual by this many standard deviations, of which one is this many median
/// deviations.
const STANDS_OUT: f64 = 3.0;
const DEVIATION: f64 = 1.4826;
/// Tables without repetition in which one is seen.
const ERROR: f64 = 0.001;

/// What excess agreement pairs of sources of several classes have where nothing is special about them: the middle of all pairs and
/// how far they spread around it, which a few special ones hardly change.
pub(crate) struct Usual {
    pub(crate) pairs: f64,
    pub(crate) rho: Middle,
    pub(crate) z: Middle,
}

impl Usual {
    /// # Formula
    /// ```text
    /// median of ρ + 3 · 1.4826 · median of |ρ - median of ρ|
    /// ```
    pub(crate) fn largest_rho(&self) -> f64 {
        (self.rho.median + STANDS_OUT * self.rho.deviation).max(0.0)
    }

    /// Whether none of so many usual pairs would have such a z, but by an error in a thousand tables.
    ///
    /// # Formula
    /// ```text
    /// pairs · Φ( -(z - median of z) / (1.4826 · median of |z - median of z|) ) < 0.001
    /// ```
    /// # Reference
    /// Efron, Large-scale simultaneous hypothesis testing: the choice of a null hypothesis (2004).
    pub(crate) fn stands_out(&self, z: f64) -> bool {
        z > self.z.median && self.pairs * normal(-(z - self.z.median) / self.z.deviation.max(1e-9)) < ERROR
    }
}

/// The median of many numbers, and their standard deviation by the median of the distances from it.
pub(crate) struct Middle {
    median: f64,
    deviation: f64,
}

impl Middle {
    pub(crate) fn of(numbers: &[f64]) -> Self {
        if numbers.is_empty() {
            return Self { median: 0.0, deviation: 0.0 };
        }
        let middle = median(numbers.to_vec());
        let away = median(numbers.iter().map(|x| (x - middle).abs()).collect());
        Self { median: middle, deviation: DEVIATION * away }
    }
}

/// The middle one, or the mean of the two in the middle.
pub(crate) fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    let half = numbers.len() / 2;
    if numbers.len() % 2 == 1 { numbers[half] } else { 0.5 * (numbers[half - 1] + numbers[half]) }
}
