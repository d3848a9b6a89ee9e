//! Tables of texts, such as a sample for people to label.

use super::error::WriteError;
use super::output::Output;
use super::table::{Cell, Column, Kind, TableWriter};
use crate::format::Format;

/// Writes rows of texts one by one; the file gets its name when all are in.
pub struct TextTableWriter {
    table: TableWriter,
}

impl TextTableWriter {
    /// Begins a table with these columns; without a `format` the output's name tells, and standard output gets CSV.
    pub fn new(output: Output, columns: &[String], format: Option<Format>) -> Result<Self, WriteError> {
        let columns: Vec<Column> = columns.iter().map(|name| Column::new(name, Kind::Text)).collect();
        Ok(Self { table: TableWriter::new(output, format, &columns)? })
    }

    /// Adds a row with one cell per column; an empty text is an empty cell.
    pub fn write(&mut self, cells: &[&str]) -> Result<(), WriteError> {
        let cells = cells.iter().map(|&text| if text.is_empty() { Cell::Empty } else { Cell::Text(text) });
        self.table.row(cells)
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), WriteError> {
        self.table.finish()
    }
}
