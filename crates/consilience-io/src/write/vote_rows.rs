//! Votes into a table row by row, for those that never hold all of them.

use consilience::sources::{Classes, Vote};

use super::error::WriteError;
use super::output::Output;
use super::table::{Cell, Column, Kind, TableWriter};
use super::votes::Spelling;
use crate::format::Format;

/// Writes a wide table of votes as a stream: some columns of text, one column per source, and the count if rows have one.
///
/// ```
/// use consilience::sources::Classes;
/// use consilience_io::{Output, VoteRowWriter};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("votes.csv");
/// let classes = Classes::new(vec!["ham".into(), "spam".into()])?;
/// let names = ["free".to_string(), "short".to_string()];
/// let mut writer = VoteRowWriter::new(Output::create(&path)?, None, &["item"], &names, &classes, None)?;
/// writer.row(&[Some("mail-1")], &[2, 0], None)?;
/// writer.finish()?;
/// assert_eq!(std::fs::read_to_string(&path)?, "item,free,short\nmail-1,spam,\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct VoteRowWriter<'a> {
    writer: TableWriter,
    spelling: Spelling<'a>,
}

impl<'a> VoteRowWriter<'a> {
    /// Begins a table in `format`, or in the one that the output's name says; `texts` are the columns before the sources,
    /// `count` the one behind them.
    pub fn new(
        output: Output,
        format: Option<Format>,
        texts: &[&str],
        sources: &[String],
        classes: &'a Classes,
        count: Option<&str>,
    ) -> Result<Self, WriteError> {
        let spelling = Spelling::new(classes);
        let columns: Vec<Column> = texts
            .iter()
            .map(|name| Column::new(*name, Kind::Text))
            .chain(sources.iter().map(|name| Column::new(name, spelling.kind)))
            .chain(count.map(|name| Column::new(name, Kind::Integer)))
            .collect();
        Ok(Self { writer: TableWriter::new(output, format, &columns)?, spelling })
    }

    /// Adds a row.
    pub fn row(
        &mut self,
        texts: &[Option<&str>],
        votes: &[Vote],
        count: Option<u64>,
    ) -> Result<(), WriteError> {
        let texts = texts.iter().map(|text| text.map_or(Cell::Empty, Cell::Text));
        let votes = votes.iter().map(|&vote| self.spelling.cell(vote));
        let count = count.map(|count| Cell::Integer(i64::try_from(count).unwrap_or(i64::MAX)));
        self.writer.row(texts.chain(votes).chain(count))
    }

    /// Completes the table and renames the file to its final name.
    pub fn finish(self) -> Result<(), WriteError> {
        self.writer.finish()
    }
}
