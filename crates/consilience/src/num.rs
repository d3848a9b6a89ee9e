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

/// The logarithm of the determinant of a small symmetric matrix, and the diagonal of its inverse; not numbers if the matrix is not
/// positive definite.
pub(crate) fn log_determinant_and_variances(matrix: &[Vec<f64>]) -> (f64, Vec<f64>) {
    let n = matrix.len();
    // The Cholesky factor, and its inverse, both lower triangles.
    let (mut factor, mut inverse) = (vec![vec![0.0; n]; n], vec![vec![0.0; n]; n]);
    let mut log_determinant = 0.0;
    for i in 0..n {
        for j in 0..=i {
            let known: f64 = (0..j).map(|l| factor[i][l] * factor[j][l]).sum();
            let left = matrix[i][j] - known;
            factor[i][j] = if i == j { left.sqrt() } else { left / factor[j][j] };
        }
        log_determinant += 2.0 * factor[i][i].ln();
        inverse[i][i] = 1.0 / factor[i][i];
        for j in 0..i {
            let known: f64 = (j..i).map(|l| factor[i][l] * inverse[l][j]).sum();
            inverse[i][j] = -known / factor[i][i];
        }
    }
    let variance = |j: usize| (j..n).map(|i| inverse[i][j].powi(2)).sum();
    (log_determinant, (0..n).map(variance).collect())
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

    #[test]
    fn determinants_and_variances_of_small_matrices() {
        let matrix = [[4.0, 2.0, 0.6], [2.0, 3.0, 0.4], [0.6, 0.4, 1.0]].map(|row| row.to_vec());
        let (log_determinant, variances) = log_determinant_and_variances(&matrix);
        // By cofactors: 4 (3 - 0.16) - 2 (2 - 0.24) + 0.6 (0.8 - 1.8) = 7.24.
        assert!((log_determinant - 7.24_f64.ln()).abs() < 1e-12);
        let expected = [3.0 - 0.16, 4.0 - 0.36, 12.0 - 4.0].map(|cofactor| cofactor / 7.24);
        for (variance, expected) in variances.iter().zip(expected) {
            assert!((variance - expected).abs() < 1e-12, "{variance} and {expected}");
        }
        assert_eq!(log_determinant_and_variances(&[]), (0.0, vec![]));
    }
}
