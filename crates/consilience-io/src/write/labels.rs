//! Labels into files: `item, label, confidence, p_<class>...`.

use consilience::sources::Classes;

use super::error::WriteError;
use super::output::Output;
use super::table::{Cell, Column, Kind, TableWriter};
use crate::format::Format;
use crate::items::ITEM_COLUMN;

/// The label of one item.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LabelRow<'a> {
    /// The item's name.
    pub item: &'a str,
    /// The class, or none where nothing can be said.
    pub label: Option<&'a str>,
    /// The probability of that class.
    pub confidence: f64,
    /// The probability of each class.
    pub probabilities: &'a [f64],
}

/// Writes labels one by one; the file gets its name when all are in.
pub struct LabelWriter {
    table: TableWriter,
}

impl LabelWriter {
    /// Begins a file of labels over `classes`; without a `format` the output's name tells, and standard output gets CSV.
    pub fn new(output: Output, classes: &Classes, format: Option<Format>) -> Result<Self, WriteError> {
        let mut columns = vec![
            Column::new(ITEM_COLUMN, Kind::Text),
            Column::new("label", Kind::Text),
            Column::new("confidence", Kind::Number),
        ];
        columns.extend(classes.names().iter().map(|class| Column::new(format!("p_{class}"), Kind::Number)));
        Ok(Self { table: TableWriter::new(output, format, &columns)? })
    }

    /// Adds the label of the next item.
    pub fn write(&mut self, row: &LabelRow<'_>) -> Result<(), WriteError> {
        let label = row.label.map_or(Cell::Empty, Cell::Text);
        let head = [Cell::Text(row.item), label, number(row.confidence)];
        self.table.row(head.into_iter().chain(row.probabilities.iter().map(|&p| number(p))))
    }

    /// Completes the file.
    pub fn finish(self) -> Result<(), WriteError> {
        self.table.finish()
    }
}

/// No format of ours has a word for what is no number, so it stays empty.
fn number(number: f64) -> Cell<'static> {
    if number.is_finite() { Cell::Number(number) } else { Cell::Empty }
}

/// Writes the labels of all items, in order.
pub fn write_labels<'a>(
    output: Output,
    classes: &Classes,
    format: Option<Format>,
    rows: impl IntoIterator<Item = LabelRow<'a>>,
) -> Result<(), WriteError> {
    let mut writer = LabelWriter::new(output, classes, format)?;
    for row in rows {
        writer.write(&row)?;
    }
    writer.finish()
}
