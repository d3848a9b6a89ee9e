//! Sums of logarithms with counts.

/// Two numbers between these have a product that is neither 0 nor infinite.
const SMALL: f64 = 1e-150;
const LARGE: f64 = 1e150;

/// Σ c log x, with one logarithm for many x that count alike.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogSum {
    sum: f64,
    product: f64,
    count_of_each: f64,
}

impl Default for LogSum {
    fn default() -> Self {
        Self { sum: 0.0, product: 1.0, count_of_each: 1.0 }
    }
}

impl LogSum {
    /// Adds `count` times the logarithm of `x`, which is above 0.
    #[inline(always)]
    pub(super) fn add(&mut self, x: f64, count: f64) {
        if x <= SMALL {
            self.sum += count * x.ln();
            return;
        }
        if count.to_bits() != self.count_of_each.to_bits() {
            self.sum += self.count_of_each * self.product.ln();
            (self.product, self.count_of_each) = (1.0, count);
        }
        self.product *= x;
        if !(SMALL..LARGE).contains(&self.product) {
            self.sum += count * self.product.ln();
            self.product = 1.0;
        }
    }

    pub(super) fn total(&self) -> f64 {
        self.sum + self.count_of_each * self.product.ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_logarithms() {
        let terms =
            [(1e-300, 2.0), (0.3, 1.0), (1e-120, 1.0), (1e-120, 1.0), (7.0, 5.0), (0.5, 5.0), (1e140, 1.0)];
        let mut sum = LogSum::default();
        let mut expected = 0.0;
        for (x, count) in terms {
            sum.add(x, count);
            expected += count * f64::ln(x);
        }
        assert!((sum.total() - expected).abs() < 1e-9, "{} instead of {expected}", sum.total());
    }
}
