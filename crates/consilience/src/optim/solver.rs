//! Sixteen systems of linear equations side by side, with factors that are there already.

use super::cholesky::row_start;
use super::lanes::{LANES, Lane, Lane64, step_by_step};

/// Solves A x = b with A = L Lᵀ.
///
/// The factors are kept in single precision: they are read from memory at every step of a search, which corrects itself.
#[derive(Clone, Debug)]
pub(crate) struct Solver {
    /// The packed lower triangles of L.
    pub(super) factor: Vec<Lane>,
    /// 1 / L_ii; 0 if nothing is known of the parameter, which then stays where it is.
    pub(super) inverse: Vec<Lane64>,
}

#[inline(always)]
fn minus_product(sum: &mut Lane64, a: &Lane, b: &Lane64) {
    step_by_step();
    let (mut result, a, b) = (*sum, *a, *b);
    for i in 0..LANES {
        result[i] -= f64::from(a[i]) * b[i];
    }
    *sum = result;
}

#[inline(always)]
fn times(a: &Lane64, b: &Lane64) -> Lane64 {
    let mut c = [0.0; LANES];
    for i in 0..LANES {
        c[i] = a[i] * b[i];
    }
    c
}

impl Solver {
    /// Replaces `x` by A⁻¹ x.
    pub(crate) fn solve(&self, x: &mut [Lane64]) {
        super::dispatch(
            #[inline(always)]
            || {
                let size = self.inverse.len();
                for i in 0..size {
                    let row = &self.factor[row_start(i)..row_start(i) + i];
                    let mut sum = x[i];
                    for (l, x) in row.iter().zip(&*x) {
                        minus_product(&mut sum, l, x);
                    }
                    x[i] = times(&sum, &self.inverse[i]);
                }
                for i in (0..size).rev() {
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
}
