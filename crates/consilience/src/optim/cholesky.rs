//! Sixteen Cholesky factorisations side by side.
//!
//! A library would factor one matrix after the other; side by side, every operation fills a vector whatever the size of
//! the matrices, which are small here, and no order of operations depends on the machine.

use super::lanes::{LANES, Lane64};

/// Matrices come from sums in single precision, whose noise is a part in a million.
const SOUND: f64 = 1e-5;

/// Rows that are worked on together, so that a row read from memory serves more than one.
const ROWS: usize = 4;

/// Columns of the inverse that are worked on together, for the same reason.
const COLUMNS: usize = 8;

/// The lower triangular factors L of A = L Lᵀ, one a lane, rows behind each other.
#[derive(Clone, Debug)]
pub(crate) struct Cholesky {
    size: usize,
    factor: Vec<Lane64>,
    /// 1 / L_ii.
    inverse: Vec<Lane64>,
}

/// Where row `i` of a packed lower triangle starts.
#[inline(always)]
pub(crate) fn row_start(i: usize) -> usize {
    i * (i + 1) / 2
}

#[inline(always)]
fn minus_product(sum: &mut Lane64, a: &Lane64, b: &Lane64) {
    let (mut result, a, b) = (*sum, *a, *b);
    for i in 0..LANES {
        result[i] -= a[i] * b[i];
    }
    *sum = result;
}

impl Cholesky {
    /// Factors the symmetric matrices whose packed lower triangles are `lower`, which it consumes.
    ///
    /// Where a pivot is not clearly positive (below [`SOUND`] of the diagonal entry it started as), nothing is known of
    /// that parameter beyond the others: solutions leave it where it is, and its variance is infinite.
    pub(crate) fn new(size: usize, mut lower: Vec<Lane64>) -> Self {
        debug_assert_eq!(lower.len(), row_start(size));
        let mut inverse = vec![[0.0; LANES]; size];
        super::dispatch(
            #[inline(always)]
            || factor_in_place(size, &mut lower, &mut inverse),
        );
        Self { size, factor: lower, inverse }
    }

    /// Replaces `x` by A⁻¹ x.
    pub(crate) fn solve(&self, x: &mut [Lane64]) {
        super::dispatch(
            #[inline(always)]
            || {
                for i in 0..self.size {
                    let row = &self.factor[row_start(i)..row_start(i) + i];
                    let mut sum = x[i];
                    for (l, x) in row.iter().zip(&*x) {
                        minus_product(&mut sum, l, x);
                    }
                    x[i] = times(&sum, &self.inverse[i]);
                }
                for i in (0..self.size).rev() {
                    let value = times(&x[i], &self.inverse[i]);
                    x[i] = value;
                    let row = &self.factor[row_start(i)..row_start(i) + i];
                    for (l, x) in row.iter().zip(&mut *x) {
                        minus_product(x, l, &value);
                    }
                }
            },
        );
    }

    /// The diagonals of A⁻¹.
    ///
    /// # Formula
    /// ```text
    /// (A⁻¹)_jj = Σ_{i >= j} (L⁻¹)_ij²
    /// ```
    pub(crate) fn inverse_diagonal(&self) -> Vec<Lane64> {
        let mut diagonal = vec![[0.0; LANES]; self.size];
        super::dispatch(
            #[inline(always)]
            || {
                let mut columns = vec![[[0.0; LANES]; COLUMNS]; self.size];
                for first in (0..self.size).step_by(COLUMNS) {
                    crate::watch::look();
                    self.inverse_columns(first, &mut columns);
                    for (i, row) in columns.iter().enumerate().skip(first) {
                        for (j, cell) in (first..=i).zip(row) {
                            for lane in 0..LANES {
                                diagonal[j][lane] += cell[lane] * cell[lane];
                            }
                        }
                    }
                }
                for (diagonal, inverse) in diagonal.iter_mut().zip(&self.inverse) {
                    for lane in 0..LANES {
                        if inverse[lane] <= 0.0 {
                            diagonal[lane] = f64::INFINITY;
                        }
                    }
                }
            },
        );
        diagonal
    }

    /// Columns `first` and the following of L⁻¹, from the top down: `columns[i]` gets their cells in row i.
    ///
    /// A row of the factor that is read from memory serves all of them.
    #[inline(always)]
    fn inverse_columns(&self, first: usize, columns: &mut [[Lane64; COLUMNS]]) {
        for i in first..self.size {
            let row = &self.factor[row_start(i) + first..row_start(i) + i];
            let mut sums = [[0.0; LANES]; COLUMNS];
            if i < first + COLUMNS {
                // The unit matrix on the right-hand side.
                sums[i - first] = [1.0; LANES];
            }
            for (l, above) in row.iter().zip(&columns[first..i]) {
                for (sum, above) in sums.iter_mut().zip(above) {
                    minus_product(sum, l, above);
                }
            }
            columns[i] = sums.map(|sum| times(&sum, &self.inverse[i]));
        }
    }
}

#[inline(always)]
fn times(a: &Lane64, b: &Lane64) -> Lane64 {
    let mut c = [0.0; LANES];
    for i in 0..LANES {
        c[i] = a[i] * b[i];
    }
    c
}

#[inline(always)]
fn factor_in_place(size: usize, lower: &mut [Lane64], inverse: &mut [Lane64]) {
    for block in (0..size).step_by(ROWS) {
        crate::watch::look();
        let rows = ROWS.min(size - block);
        let (above, here) = lower.split_at_mut(row_start(block));
        // The part of the block's rows left of the block, a column at a time.
        for j in 0..block {
            let pivot_row = &above[row_start(j)..row_start(j) + j];
            for r in 0..rows {
                let row = &mut here[row_start(block + r) - row_start(block)..][..=j];
                let (done, rest) = row.split_at_mut(j);
                let mut sum = rest[0];
                for (a, b) in done.iter().zip(pivot_row) {
                    minus_product(&mut sum, a, b);
                }
                rest[0] = times(&sum, &inverse[j]);
            }
        }
        // The triangle on the diagonal.
        for r in 0..rows {
            let start = row_start(block + r) - row_start(block);
            for c in 0..=r {
                let pivot_start = row_start(block + c) - row_start(block);
                let mut sum = here[start + block + c];
                for k in 0..block + c {
                    let (a, b) = (here[start + k], here[pivot_start + k]);
                    minus_product(&mut sum, &a, &b);
                }
                if c < r {
                    here[start + block + c] = times(&sum, &inverse[block + c]);
                } else {
                    let before = here[start + block + c];
                    for i in 0..LANES {
                        let sound = sum[i] > SOUND * before[i].abs() && sum[i] > 0.0;
                        sum[i] = if sound { sum[i].sqrt() } else { f64::INFINITY };
                        inverse[block + c][i] = if sound { 1.0 / sum[i] } else { 0.0 };
                    }
                    here[start + block + c] = sum;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::{Streams, unit};

    /// A = B Bᵀ + I with a random B, another one in each lane.
    fn random_matrix(size: usize) -> Vec<Lane64> {
        let mut rng = Streams::new(size as u64).stream(0);
        let b: Vec<Lane64> =
            (0..size * size).map(|_| std::array::from_fn(|_| unit(&mut rng) - 0.5)).collect();
        let mut lower = Vec::new();
        for i in 0..size {
            for j in 0..=i {
                let dot =
                    |lane| (0..size).map(|k| b[i * size + k][lane] * b[j * size + k][lane]).sum::<f64>();
                lower.push(std::array::from_fn(|lane| dot(lane) + f64::from(u8::from(i == j))));
            }
        }
        lower
    }

    #[test]
    fn solutions_solve_and_diagonals_are_those_of_the_inverse() {
        for size in [1, 2, 3, 4, 5, 9, 30] {
            let lower = random_matrix(size);
            let cholesky = Cholesky::new(size, lower.clone());
            let entry = |i: usize, j: usize, lane: usize| lower[row_start(i.max(j)) + i.min(j)][lane];
            let diagonal = cholesky.inverse_diagonal();
            for j in 0..size {
                let mut x = vec![[0.0; LANES]; size];
                x[j] = [1.0; LANES];
                cholesky.solve(&mut x);
                for lane in [0, 7, 15] {
                    for i in 0..size {
                        let back: f64 = (0..size).map(|k| entry(i, k, lane) * x[k][lane]).sum();
                        assert!((back - f64::from(u8::from(i == j))).abs() < 1e-10);
                    }
                    assert!((x[j][lane] - diagonal[j][lane]).abs() < 1e-10);
                }
            }
        }
    }

    #[test]
    fn a_parameter_without_information_stays_where_it_is() {
        let lower = vec![[2.0; LANES], [0.0; LANES], [0.0; LANES]];
        let cholesky = Cholesky::new(2, lower);
        let mut x = vec![[1.0; LANES]; 2];
        cholesky.solve(&mut x);
        assert!((x[0][0] - 0.5).abs() < 1e-12 && x[1][0].abs() < 1e-20);
        assert!((cholesky.inverse_diagonal()[0][3] - 0.5).abs() < 1e-12);
        assert!(cholesky.inverse_diagonal()[1][3].is_infinite());
    }

    #[test]
    fn two_parameters_that_say_the_same_are_not_certain() {
        let lower = vec![[1e5; LANES], [1e5; LANES], [1e5 + 0.01; LANES]];
        assert!(Cholesky::new(2, lower).inverse_diagonal()[1][0].is_infinite());
    }
}
