//! The items as a sparse matrix, by rows and by columns.
//!
//! Rows give each item's scores, columns each feature's gradient: both are sums in a fixed order that no other thread
//! writes to, so that results do not depend on the number of threads.

use super::error::EndModelError;
use super::vocabulary::Values;
use crate::parallel;

/// A sparse matrix, kept twice.
#[derive(Clone, Debug, Default)]
pub(super) struct Sparse {
    rows: Compressed,
    columns: Compressed,
}

/// The entries of each line (row or column), one line behind the other.
#[derive(Clone, Debug, Default)]
struct Compressed {
    starts: Vec<usize>,
    entries: Vec<(u32, f32)>,
}

impl Compressed {
    fn line(&self, line: usize) -> &[(u32, f32)] {
        &self.entries[self.starts[line]..self.starts[line + 1]]
    }

    fn lines(&self) -> usize {
        self.starts.len() - 1
    }
}

impl Sparse {
    /// Takes the rows in order; each names columns below `columns`.
    pub(super) fn new(rows: Vec<Values>, columns: usize) -> Result<Self, EndModelError> {
        let entries: usize = rows.iter().map(Vec::len).sum();
        if u32::try_from(rows.len().max(entries)).is_err() {
            return Err(EndModelError::TooLarge(entries));
        }
        let mut by_row = Compressed { starts: vec![0], entries: Vec::with_capacity(entries) };
        for row in rows {
            by_row.entries.extend_from_slice(&row);
            by_row.starts.push(by_row.entries.len());
        }
        let by_column = transposed(&by_row, columns);
        Ok(Self { rows: by_row, columns: by_column })
    }

    pub(super) fn rows(&self) -> usize {
        self.rows.lines()
    }

    pub(super) fn columns(&self) -> usize {
        self.columns.lines()
    }

    /// The entries of row `i`.
    pub(super) fn row(&self, i: usize) -> &[(u32, f32)] {
        self.rows.line(i)
    }

    /// result[f, c] = scale * sum over rows i of x[i, f] * values[i, c], with `k` columns c.
    pub(super) fn transposed_times(&self, values: &[f64], k: usize, result: &mut [f64]) {
        let of_feature = |(feature, sums): (usize, &mut [f64])| {
            sums.fill(0.0);
            for &(row, x) in self.columns.line(feature) {
                let row = &values[row as usize * k..(row as usize + 1) * k];
                for (sum, value) in sums.iter_mut().zip(row) {
                    *sum += f64::from(x) * value;
                }
            }
        };
        parallel::for_each(result.chunks_mut(PIECE * k).enumerate(), |(piece, sums)| {
            (piece * PIECE..).zip(sums.chunks_exact_mut(k)).for_each(of_feature);
        });
    }
}

/// Lines that one thread takes at a time.
pub(super) const PIECE: usize = 64;

fn transposed(rows: &Compressed, columns: usize) -> Compressed {
    let mut starts = vec![0; columns + 1];
    for &(column, _) in &rows.entries {
        starts[column as usize + 1] += 1;
    }
    for column in 0..columns {
        starts[column + 1] += starts[column];
    }
    let mut next = starts.clone();
    let mut entries = vec![(0, 0.0); rows.entries.len()];
    for row in 0..rows.lines() {
        for &(column, x) in rows.line(row) {
            let place = &mut next[column as usize];
            entries[*place] = (row as u32, x);
            *place += 1;
        }
    }
    Compressed { starts, entries }
}
