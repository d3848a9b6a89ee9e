//! How a table is returned: whole, as a sample of its rows, or in parts.

use std::ops::ControlFlow;

use consilience::votes::ReadingNote;

use super::VoteTable;
use super::error::{Place, Problem, ReadError};
use super::wide_rows::WideRows;

/// Consecutive rows of a table of votes.
#[derive(Clone, Debug)]
pub struct VotesPart {
    /// The rows.
    pub table: VoteTable,
    /// Rows of the table before these.
    pub rows_before: u64,
    /// Whether this is the whole table.
    pub whole: bool,
}

/// How much of a wide table may be held at once.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// All of it.
    None,
    /// This many distinct rows; of a table with more, a sample of as many rows, unless that is refused.
    Sample { patterns: usize, refuse: bool },
    /// A table with at most `whole` distinct rows; otherwise parts of `rows` rows.
    Parts { rows: usize, whole: usize },
}

impl Limit {
    /// Rows of a batch that would otherwise have `rows`: parts are not much longer than asked for.
    pub(super) fn batch(self, rows: usize) -> usize {
        match self {
            Self::Parts { rows: part, .. } => rows.min(part),
            _ => rows,
        }
    }
}

/// Who gets the table, and how.
pub(super) struct Handover<'a> {
    pub(super) limit: Limit,
    pub(super) take: &'a mut dyn FnMut(VotesPart) -> ControlFlow<()>,
}

/// What is known of a table once all of it has been handed over.
#[derive(Clone, Debug, Default)]
pub(super) struct Ending {
    /// All rows of the table.
    pub(super) rows: u64,
    /// What was decided on the way and was not part of a table.
    pub(super) notes: Vec<ReadingNote>,
}

impl Handover<'_> {
    /// Hands over some rows.
    pub(super) fn give(&mut self, part: VotesPart, place: &Place) -> Result<(), ReadError> {
        match (self.take)(part) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(place.clone().because(Problem::Stopped)),
        }
    }

    /// Hands over what is left of a table after its last row.
    pub(super) fn finish(&mut self, table: WideRows<'_>, place: &Place) -> Result<Ending, ReadError> {
        let (rest, ending) = table.finish().map_err(|problem| place.clone().because(problem))?;
        match rest {
            Some(part) => self.give(part, place).map(|()| ending),
            None => Ok(ending),
        }
    }

    /// Hands over a table that cannot be parted.
    pub(super) fn give_whole(&mut self, table: VoteTable, place: &Place) -> Result<Ending, ReadError> {
        let rows = table.votes.items() as u64;
        self.give(VotesPart { table, rows_before: 0, whole: true }, place)?;
        Ok(Ending { rows, notes: Vec::new() })
    }
}
