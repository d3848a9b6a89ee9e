//! Sums of logarithms, one per lane.

use super::lanes::{LANES, Lane, Lane64, ln, map2};

/// Factors below 2 of which so many have a product within single precision.
const MOST_FACTORS: usize = 64;

/// Bits of the fraction in single precision, and the exponent of 1.
const FRACTION: u32 = 23;
const BIAS: u32 = 127;

/// Σ log x in every lane, with one logarithm for many x.
///
/// # Formula
/// ```text
/// x = 2^n f, f of 1 to 2;   Σ log x = log 2 · Σ n + log Π f
/// ```
#[derive(Clone, Debug)]
pub(crate) struct SumOfLogs {
    product: Lane,
    /// Σ (n + 127) of the factors of the product.
    exponents: [u32; LANES],
    factors: usize,
    sum: Lane64,
}

impl SumOfLogs {
    pub(crate) fn new() -> Self {
        Self { product: Lane([1.0; LANES]), exponents: [0; LANES], factors: 0, sum: [0.0; LANES] }
    }

    /// Adds log x of each of up to sixty-four x, normal and above 0.
    #[inline(always)]
    pub(crate) fn add(&mut self, all: &[Lane]) {
        if self.factors + all.len() > MOST_FACTORS {
            self.fold();
        }
        let (mut product, mut exponents) = (self.product, self.exponents);
        for x in all {
            let mut fraction = Lane::ZERO;
            for i in 0..LANES {
                let bits = x[i].to_bits();
                exponents[i] += bits >> FRACTION;
                fraction[i] = f32::from_bits(bits & ((1 << FRACTION) - 1) | BIAS << FRACTION);
            }
            product = map2(product, fraction, |product, fraction| product * fraction);
        }
        (self.product, self.exponents) = (product, exponents);
        self.factors += all.len();
    }

    #[inline(always)]
    fn fold(&mut self) {
        let logs = ln(self.product);
        let bias = (self.factors as u32 * BIAS) as f64;
        for i in 0..LANES {
            self.sum[i] +=
                f64::from(logs[i]) + (f64::from(self.exponents[i]) - bias) * std::f64::consts::LN_2;
        }
        *self = Self { sum: self.sum, ..Self::new() };
    }

    /// The sums.
    #[inline(always)]
    pub(crate) fn finish(mut self) -> Lane64 {
        self.fold();
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_logs_are_those_of_each() {
        for count in [0, 1, 63, 64, 65, 1000] {
            let mut logs = SumOfLogs::new();
            let mut truth = [0.0; LANES];
            for at in 0..count {
                let x = Lane(std::array::from_fn(|lane| {
                    // From 1e-38 to about 1.
                    10f32.powf(-0.037 * ((at * 7 + lane * 13) % 1001) as f32)
                }));
                logs.add(&[x]);
                for lane in 0..LANES {
                    truth[lane] += f64::from(x[lane]).ln();
                }
            }
            for (sum, truth) in logs.finish().iter().zip(truth) {
                assert!((sum - truth).abs() <= 1e-6 * truth.abs(), "{count}: {sum}, but {truth}");
            }
        }
    }
}
