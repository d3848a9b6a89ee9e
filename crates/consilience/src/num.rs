//! Small numeric helpers that know nothing of votes.

/// `log(sum(exp(x)))`, without overflow; negative infinity for an empty slice.
///
/// # Formula
/// ```text
/// max + log( Σ exp(x_i - max) )
/// ```
pub fn log_sum_exp(x: &[f64]) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if max == f64::NEG_INFINITY {
        return max;
    }
    max + x.iter().map(|v| (v - max).exp()).sum::<f64>().ln()
}

/// Turns log weights into probabilities in place and returns their [`log_sum_exp`].
///
/// # Formula
/// ```text
/// x_i <- exp(x_i - logsumexp(x))
/// ```
pub fn softmax_in_place(x: &mut [f64]) -> f64 {
    let max = x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if max == f64::NEG_INFINITY {
        let uniform = 1.0 / x.len().max(1) as f64;
        x.fill(uniform);
        return max;
    }
    let mut sum = 0.0;
    for v in x.iter_mut() {
        *v = (*v - max).exp();
        sum += *v;
    }
    for v in x.iter_mut() {
        *v /= sum;
    }
    max + sum.ln()
}

/// The position whose share of the cumulated weights holds `u * total`, for `u` in `[0, 1)`.
///
/// Never returns a position of weight zero, however the additions round.
pub fn pick(weights: &[f64], u: f64) -> usize {
    let total: f64 = weights.iter().sum();
    let mut rest = u * total;
    let mut last = 0;
    for (i, &w) in weights.iter().enumerate() {
        if w > 0.0 {
            if rest < w {
                return i;
            }
            rest -= w;
            last = i;
        }
    }
    last
}

/// log( p / (1 - p) ).
pub(crate) fn log_odds(p: f64) -> f64 {
    (p / (1.0 - p)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_sum_exp_survives_large_and_missing_terms() {
        assert!((log_sum_exp(&[1000.0, 1000.0]) - (1000.0 + 2f64.ln())).abs() < 1e-12);
        assert!((log_sum_exp(&[f64::NEG_INFINITY, 3.0]) - 3.0).abs() < 1e-15);
        assert!(log_sum_exp(&[]).is_infinite());
    }

    #[test]
    fn softmax_sums_to_one() {
        let mut x = [-1000.0, -1001.0, -999.0];
        let log_z = softmax_in_place(&mut x);
        assert!((x.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        assert!((log_z - log_sum_exp(&[-1000.0, -1001.0, -999.0])).abs() < 1e-12);
    }

    #[test]
    fn pick_skips_empty_positions() {
        assert_eq!(pick(&[0.0, 2.0, 0.0, 2.0, 0.0], 0.0), 1);
        assert_eq!(pick(&[0.0, 2.0, 0.0, 2.0, 0.0], 0.5), 3);
        assert_eq!(pick(&[0.0, 2.0, 0.0, 2.0, 0.0], 1.0 - f64::EPSILON), 3);
    }
}
