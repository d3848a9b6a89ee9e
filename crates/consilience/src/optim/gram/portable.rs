//! Sums of products on any processor: one matrix after the other, written so that compilers find the instruction for two
//! products and their sum, which most processors have.

use super::{Quad, ROWS, Sum};
use crate::optim::cholesky::row_start;
use crate::optim::lanes::LANES;

/// All products.
pub(super) fn gram(panels: &[[Quad; ROWS]], steps: usize, sums: &mut [Sum]) {
    let width = ROWS * steps;
    let size = panels.len() / steps * ROWS;
    let mut matrix = vec![0i16; size * width];
    for lane in 0..LANES {
        for (number, panel) in panels.chunks_exact(steps).enumerate() {
            for (r, row) in matrix[number * ROWS * width..].chunks_exact_mut(width).take(ROWS).enumerate() {
                for (step, columns) in panel.iter().zip(row.chunks_exact_mut(ROWS)) {
                    for (byte, column) in step[r].0[lane].to_le_bytes().into_iter().zip(columns) {
                        *column = i16::from(byte.cast_signed());
                    }
                }
            }
        }
        for i in 0..size {
            let row = &matrix[i * width..(i + 1) * width];
            let cells = &mut sums[row_start(i)..=row_start(i) + i];
            // Rows come in fours, so that the four columns are all there where the first is.
            for (cells, columns) in cells.chunks_mut(ROWS).zip(matrix.chunks_exact(ROWS * width)) {
                for (cell, sum) in cells.iter_mut().zip(dots(row, columns)) {
                    cell.0[lane] += sum;
                }
            }
        }
    }
}

/// The products with four rows behind each other, so that what is read of `a` serves all of them.
#[inline(always)]
fn dots(a: &[i16], columns: &[i16]) -> [i32; ROWS] {
    let width = a.len();
    let [b, c, d, e] = std::array::from_fn(|at| &columns[at * width..(at + 1) * width]);
    let mut sums = [0; ROWS];
    for i in 0..width {
        let a = i32::from(a[i]);
        sums[0] += a * i32::from(b[i]);
        sums[1] += a * i32::from(c[i]);
        sums[2] += a * i32::from(d[i]);
        sums[3] += a * i32::from(e[i]);
    }
    sums
}
