//! Votes listed both ways: the columns of each row, and the rows of each column.

use super::Patterns;
use super::columns::Columns;

/// The votes of some patterns; rows are numbered in the order in which the patterns were given.
#[derive(Clone, Debug)]
pub(crate) struct BothWays {
    counts: Vec<u64>,
    row_starts: Vec<usize>,
    row_columns: Vec<u32>,
    column_starts: Vec<usize>,
    column_rows: Vec<u32>,
}

impl BothWays {
    pub(crate) fn new(
        patterns: &Patterns,
        columns: &Columns<'_>,
        chosen: impl Iterator<Item = usize>,
    ) -> Self {
        let mut counts = Vec::new();
        let mut row_starts = vec![0];
        let mut row_columns = Vec::new();
        let mut column_starts = vec![0; columns.len() + 1];
        for p in chosen {
            for (source, vote) in patterns.row(p) {
                let column = columns.position(source, vote);
                row_columns.push(column as u32);
                column_starts[column + 1] += 1;
            }
            counts.push(patterns.counts()[p]);
            row_starts.push(row_columns.len());
        }
        for column in 0..columns.len() {
            column_starts[column + 1] += column_starts[column];
        }
        let mut next = column_starts.clone();
        let mut column_rows = vec![0; row_columns.len()];
        for row in 0..counts.len() {
            for &column in &row_columns[row_starts[row]..row_starts[row + 1]] {
                let place = &mut next[column as usize];
                column_rows[*place] = row as u32;
                *place += 1;
            }
        }
        Self { counts, row_starts, row_columns, column_starts, column_rows }
    }

    /// The rows of one column, each with its count and its columns from `from` on, the last one first.
    #[inline]
    pub(crate) fn rows(
        &self,
        column: usize,
        from: usize,
    ) -> impl Iterator<Item = (u64, impl Iterator<Item = usize> + '_)> + '_ {
        let rows = &self.column_rows[self.column_starts[column]..self.column_starts[column + 1]];
        rows.iter().map(move |&row| {
            let row = row as usize;
            let columns = &self.row_columns[self.row_starts[row]..self.row_starts[row + 1]];
            let later = columns.iter().rev().map(|&y| y as usize).take_while(move |&y| y >= from);
            (self.counts[row], later)
        })
    }
}
