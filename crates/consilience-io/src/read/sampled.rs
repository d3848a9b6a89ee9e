//! Tables with more distinct rows than memory should hold: read whole up to a budget, or else as a sample of rows.

use std::ops::ControlFlow;

use super::error::{Place, Problem, ReadError};
use super::handover::{Handover, Limit, VotesPart};
use super::options::ReadOptions;
use super::{Progress, VoteTable, read_to};
use crate::input::Input;

/// How many distinct rows of votes may be held at once.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// A table with at most this many distinct rows is read whole; of a table with more, a sample of as many rows.
    pub patterns: usize,
    /// Whether the table will be read again if it is sampled, which standard input cannot.
    pub again: bool,
}

/// A table, or a uniform sample of its rows.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledTable {
    /// The rows, in the order of the table; those of a sample without item names are called by their numbers in the table.
    pub table: VoteTable,
    /// How many rows there are in all.
    pub rows: u64,
}

impl SampledTable {
    /// Whether some rows were left out.
    pub fn is_sample(&self) -> bool {
        self.rows > self.table.votes.items() as u64
    }
}

/// Reads a table of votes within a budget.
///
/// A table with more distinct rows is read to its end, and everything about it is checked, but only a sample of its rows is
/// kept. The sample is uniform, and always the same for the same number of rows. A table with one row per vote is read whole.
///
/// ```
/// use consilience_io::{Budget, Input, ReadOptions, read_votes_sampled};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("votes.csv");
/// std::fs::write(&path, format!("a,b\n{}", "yes,no\nno,no\nno,yes\n".repeat(100)))?;
/// let read = |patterns| {
///     let budget = Budget { patterns, again: false };
///     read_votes_sampled(&Input::Path(path.clone()), &ReadOptions::default(), &budget, &|_| ())
/// };
/// assert!(!read(3)?.is_sample());
/// let sampled = read(2)?;
/// assert_eq!((sampled.table.votes.items(), sampled.rows), (2, 300));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_votes_sampled(
    input: &Input,
    options: &ReadOptions,
    budget: &Budget,
    progress: &dyn Fn(Progress),
) -> Result<SampledTable, ReadError> {
    let mut read = None;
    let mut take = |part: VotesPart| {
        read = Some(part.table);
        ControlFlow::Continue(())
    };
    let refuse = budget.again && *input == Input::Stdin;
    let limit = Limit::Sample { patterns: budget.patterns.max(1), refuse };
    let ending = read_to(input, options, progress, &mut Handover { limit, take: &mut take })?;
    match read {
        Some(table) => Ok(SampledTable { table, rows: ending.rows }),
        None => Err(Place::file(&input.name()).because(Problem::HeaderOnly)),
    }
}
