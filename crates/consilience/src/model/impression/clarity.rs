//! What is believed of clarity before any vote is seen.

/// The prior of the log odds of clarity: normal, or Student's t, whose tails let many votes overrule it.
///
/// # Formula
/// ```text
/// r = (x - mean) / spread
/// normal:    cost = r² / 2                           weight = 1 / spread²
/// Student:   cost = (ν + 1) / 2 log(1 + r² / ν)      weight = (ν + 1) / (ν + r²) / spread²
/// slope = weight (x - mean);   the weight stands for the curvature, which would be negative far from the mean
/// ```
#[derive(Clone, Copy, Debug)]
pub(super) struct ClarityPrior {
    pub(super) mean: f64,
    pub(super) spread: f64,
    /// The degrees of freedom ν of Student's t; `None` for the normal.
    pub(super) freedom: Option<f64>,
}

impl ClarityPrior {
    /// Minus the log density, but for a constant.
    pub(super) fn cost(&self, x: f64) -> f64 {
        let squared = self.squared(x);
        self.freedom.map_or(0.5 * squared, |freedom| 0.5 * (freedom + 1.0) * (squared / freedom).ln_1p())
    }

    /// The curvature of the parabola that touches the cost at `x` and lies above it.
    pub(super) fn weight(&self, x: f64) -> f64 {
        let squared = self.squared(x);
        self.freedom.map_or(1.0, |freedom| (freedom + 1.0) / (freedom + squared)) / self.spread.powi(2)
    }

    pub(super) fn slope(&self, x: f64) -> f64 {
        self.weight(x) * (x - self.mean)
    }

    fn squared(&self, x: f64) -> f64 {
        ((x - self.mean) / self.spread).powi(2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Slopes by finite differences, and the parabola that touches the cost is above it everywhere.
    #[test]
    fn slopes_and_parabolas_belong_to_the_cost() {
        for freedom in [None, Some(3.0)] {
            let prior = ClarityPrior { mean: -0.8, spread: 0.3, freedom };
            for x in [-2.0, -0.9, -0.8, 0.1, 3.0] {
                let slope = (prior.cost(x + 1e-6) - prior.cost(x - 1e-6)) / 2e-6;
                assert!((slope - prior.slope(x)).abs() < 1e-6 * (1.0 + slope.abs()), "{freedom:?} {x}");
                for step in [-2.0, -0.1, 0.3, 1.5] {
                    let parabola =
                        prior.cost(x) + prior.slope(x) * step + 0.5 * prior.weight(x) * step * step;
                    assert!(prior.cost(x + step) <= parabola + 1e-9, "{freedom:?} {x} {step}");
                }
            }
        }
    }

    /// Near its mean, Student's t is the narrower one; far from it, it costs much less.
    #[test]
    fn only_the_normal_forbids_what_is_far_from_its_mean() {
        let prior = |freedom| ClarityPrior { mean: 0.0, spread: 0.3, freedom };
        assert!(prior(Some(3.0)).weight(0.0) > prior(None).weight(0.0));
        assert!(prior(None).cost(1.5) > 12.0 && prior(Some(3.0)).cost(1.5) < 5.0);
    }
}
