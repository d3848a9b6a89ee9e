//! Sums of products on any processor: one matrix after the other, written so that compilers find the instruction for two
//! products and their sum, which most processors have.

use super::{Quad, ROWS, Sum};
use crate::optim::cholesky::row_start;
use crate::optim::lanes::LANES;

/// Columns whose products are summed without a loop.
const COLUMNS: usize = 32;

/// Some columns of a row, behind the last of them 0.
type Part = [i16; COLUMNS];

/// All products.
pub(super) fn gram(panels: &[[Quad; ROWS]], steps: usize, sums: &mut [Sum]) {
    let parts = (ROWS * steps).div_ceil(COLUMNS);
    let size = panels.len() / steps * ROWS;
    let mut matrix = vec![[0; COLUMNS]; size * parts];
    for lane in 0..LANES {
        for (number, panel) in panels.chunks_exact(steps).enumerate() {
            for (r, row) in matrix[number * ROWS * parts..].chunks_exact_mut(parts).take(ROWS).enumerate() {
                for (step, columns) in panel.iter().zip(row.as_flattened_mut().chunks_exact_mut(ROWS)) {
                    for (byte, column) in step[r].0[lane].to_le_bytes().into_iter().zip(columns) {
                        *column = i16::from(byte.cast_signed());
                    }
                }
            }
        }
        for (i, row) in matrix.chunks_exact(parts).enumerate() {
            let cells = &mut sums[row_start(i)..=row_start(i) + i];
            for (cell, column) in cells.iter_mut().zip(matrix.chunks_exact(parts)) {
                cell.0[lane] += dot(row, column);
            }
        }
    }
}

#[inline(always)]
fn dot(a: &[Part], b: &[Part]) -> i32 {
    let mut sum = 0;
    for (a, b) in a.iter().zip(b) {
        let mut part = 0;
        for i in 0..COLUMNS {
            part += i32::from(a[i]) * i32::from(b[i]);
        }
        sum += part;
    }
    sum
}
