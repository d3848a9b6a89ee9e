//! Sixteen Cholesky factorisations: side by side if they are small, one after the other if they are large.
//!
//! A library would factor one matrix after the other; side by side, every operation fills a vector whatever the size of
//! the matrices, which are mostly small here, and no order of operations depends on the machine.

use super::lanes::{LANES, Lane, Lane64};
use super::solver::Solver;
use super::tiled::Tiled;

/// Matrices come from sums in single precision, whose noise is a part in a million.
pub(super) const SOUND: f64 = 1e-5;

/// Matrices larger than this are factored one at a time: sixteen of them have outgrown the second cache by far.
const LARGE: usize = 48;

/// Rows that are worked on together, so that a row read from memory serves more than one.
const ROWS: usize = 4;

/// Columns of the inverse that are worked on together, for the same reason.
const COLUMNS: usize = 8;

/// Sixteen factorisations A = L Lᵀ.
#[derive(Clone, Debug)]
pub(crate) enum Cholesky {
    /// Small ones.
    Together(Together),
    /// Large ones.
    Apart(Apart),
}

/// One factor for each lane.
#[derive(Clone, Debug)]
pub(crate) struct Apart {
    size: usize,
    factors: Vec<Tiled>,
}

/// The lower triangular factors L, one per lane, rows behind each other.
#[derive(Clone, Debug)]
pub(crate) struct Together {
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
    /// Factors the symmetric matrices whose packed lower triangles are `lower`, which it consumes; those of the lanes from
    /// `lanes` on are of no account.
    ///
    /// Where a pivot is not clearly positive (below [`SOUND`] of the diagonal entry it started as), nothing is known of
    /// that parameter beyond the others: solutions leave it where it is, and its variance is infinite.
    pub(crate) fn new(size: usize, lower: Vec<Lane64>, lanes: usize) -> Self {
        debug_assert_eq!(lower.len(), row_start(size));
        if size > LARGE {
            let factors = (0..lanes).map(|lane| Tiled::new(size, &lower, lane)).collect();
            return Self::Apart(Apart { size, factors });
        }
        Self::Together(Together::new(size, lower))
    }

    /// What solves linear equations with these matrices, in half the memory.
    pub(crate) fn solver(self) -> Solver {
        match self {
            Self::Together(small) => {
                let single = |cell: &Lane64| Lane(cell.map(|x| x as f32));
                Solver { factor: small.factor.iter().map(single).collect(), inverse: small.inverse }
            }
            Self::Apart(large) => {
                let mut factor = vec![Lane::ZERO; row_start(large.size)];
                let mut inverse = vec![[0.0; LANES]; large.size];
                for (lane, tiled) in large.factors.iter().enumerate() {
                    tiled.write(lane, &mut factor, &mut inverse);
                }
                Solver { factor, inverse }
            }
        }
    }

    /// The diagonals of A⁻¹.
    ///
    /// # Formula
    /// ```text
    /// (A⁻¹)_jj = Σ_{i >= j} (L⁻¹)_ij²
    /// ```
    pub(crate) fn inverse_diagonal(&self) -> Vec<Lane64> {
        match self {
            Self::Together(small) => small.inverse_diagonal(),
            Self::Apart(large) => {
                let mut diagonal = vec![[0.0; LANES]; large.size];
                for (lane, factor) in large.factors.iter().enumerate() {
                    factor.inverse_diagonal(&mut diagonal, lane);
                }
                diagonal
            }
        }
    }
}

impl Together {
    fn new(size: usize, mut lower: Vec<Lane64>) -> Self {
        let mut inverse = vec![[0.0; LANES]; size];
        super::dispatch(
            #[inline(always)]
            || factor_in_place(size, &mut lower, &mut inverse),
        );
        Self { size, factor: lower, inverse }
    }

    fn inverse_diagonal(&self) -> Vec<Lane64> {
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
        for size in [1, 2, 3, 4, 5, 9, 30, LARGE + 1, LARGE + 16] {
            let lower = random_matrix(size);
            let cholesky = Cholesky::new(size, lower.clone(), LANES);
            assert_eq!(matches!(cholesky, Cholesky::Apart(_)), size > LARGE);
            let entry = |i: usize, j: usize, lane: usize| lower[row_start(i.max(j)) + i.min(j)][lane];
            let diagonal = cholesky.inverse_diagonal();
            let solver = cholesky.solver();
            for j in (0..size).step_by(1 + size / 20) {
                let mut x = vec![[0.0; LANES]; size];
                x[j] = [1.0; LANES];
                solver.solve(&mut x);
                for lane in [0, 7, 15] {
                    // Solving again for what the single-precision factor has left over gives all digits.
                    let mut exact: Vec<f64> = x.iter().map(|x| x[lane]).collect();
                    for _ in 0..4 {
                        let mut rest: Vec<Lane64> = (0..size)
                            .map(|i| {
                                let back: f64 = (0..size).map(|k| entry(i, k, lane) * exact[k]).sum();
                                [f64::from(u8::from(i == j)) - back; LANES]
                            })
                            .collect();
                        let left_over = rest.iter().map(|rest| rest[lane].abs()).fold(0.0, f64::max);
                        assert!(left_over < 1e-4);
                        solver.solve(&mut rest);
                        exact.iter_mut().zip(&rest).for_each(|(x, rest)| *x += rest[lane]);
                    }
                    assert!((exact[j] - diagonal[j][lane]).abs() < 1e-10);
                }
            }
        }
    }

    #[test]
    fn a_parameter_without_information_stays_where_it_is() {
        let lower = vec![[2.0; LANES], [0.0; LANES], [0.0; LANES]];
        let cholesky = Cholesky::new(2, lower, LANES);
        let mut x = vec![[1.0; LANES]; 2];
        cholesky.clone().solver().solve(&mut x);
        assert!((x[0][0] - 0.5).abs() < 1e-7 && x[1][0].abs() < 1e-20);
        assert!((cholesky.inverse_diagonal()[0][3] - 0.5).abs() < 1e-12);
        assert!(cholesky.inverse_diagonal()[1][3].is_infinite());
    }

    /// The same where matrices are large: the last parameter says the same as the first.
    #[test]
    fn a_large_matrix_without_information_somewhere() {
        let size = LARGE + 5;
        let mut lower = vec![[0.0; LANES]; row_start(size)];
        for i in 0..size {
            lower[row_start(i) + i] = [2.0; LANES];
        }
        lower[row_start(size - 1)] = [2.0; LANES];
        lower[row_start(7) + 7] = [0.0; LANES];
        let cholesky = Cholesky::new(size, lower, 3);
        let diagonal = cholesky.inverse_diagonal();
        for (d, variance) in diagonal.iter().enumerate() {
            let unknown = d == 7 || d == size - 1;
            assert!(if unknown { variance[2].is_infinite() } else { (variance[2] - 0.5).abs() < 1e-12 });
        }
        let mut x = vec![[1.0; LANES]; size];
        cholesky.solver().solve(&mut x);
        assert!((x[0][2] - 0.5).abs() < 1e-7 && x[7][2].abs() < 1e-20 && x[size - 1][2].abs() < 1e-20);
    }

    #[test]
    fn two_parameters_that_say_the_same_are_not_certain() {
        let lower = vec![[1e5; LANES], [1e5; LANES], [1e5 + 0.01; LANES]];
        assert!(Cholesky::new(2, lower, LANES).inverse_diagonal()[1][0].is_infinite());
    }
}
