//! Tables of texts, such as a sample for people to label.

use super::error::WriteError;
use super::output::Output;
use super::table::{Cell, Column, Kind, TableWriter};
use crate::format::Format;

/// Writes rows of texts one at a time; the file appears when it is complete.
///
/// ```
/// use consilience_io::{Output, TextTableWriter};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("sample.csv");
/// let columns = ["item".to_string(), "answer".to_string()];
/// let mut writer = TextTableWriter::new(Output::create(&path)?, &columns, None)?;
/// writer.write(&["q7", ""])?; // for a person to fill in
/// writer.finish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "item,answer\nq7,\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct TextTableWriter {
    table: TableWriter,
}

impl TextTableWriter {
    /// Begins a table with these columns. The default `format` is that of the output's extension; CSV for standard output.
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
