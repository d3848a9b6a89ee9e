//! Tables of votes from files, as a stream.

mod cell;
#[cfg(feature = "columnar")]
mod columnar;
mod columns;
mod counts;
mod delimited;
mod error;
mod gold;
mod gold_file;
mod handover;
mod json_object;
mod jsonl;
mod labels;
mod options;
mod parts;
mod plan;
mod records;
mod row_sample;
mod rows;
mod sample;
mod sampled;
mod table;
mod wide_rows;

use std::ops::ControlFlow;

use consilience::sources::Vote;
use consilience::votes::{ReadingNote, Votes};

pub use counts::read_counts;
pub use error::{Place, Problem, ReadError, RowNumber};
pub use gold::OTHER_CLASS;
pub use gold_file::{GoldFile, read_gold};
pub use handover::VotesPart;
pub use labels::{LabelTable, read_labels};
pub use options::ReadOptions;
pub use parts::{Parts, PartsRead, read_votes_in_parts};
pub use sampled::{Budget, SampledTable, read_votes_sampled};
pub use table::{TableHeader, TableRow, read_table};

use handover::{Ending, Handover, Limit};

use crate::input::{Consumed, Content, Input};
use crate::items::ItemNames;

/// A table of votes as a file holds it.
///
/// ```
/// use consilience_io::{Input, ReadOptions, read_votes};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("votes.csv");
/// std::fs::write(&path, "item,a,b,gold\nq1,good,bad,good\nq2,good,,bad\n")?;
/// let table = read_votes(&Input::Path(path), &ReadOptions::default())?;
/// assert_eq!(table.gold, Some(vec![2, 1])); // kept apart from the votes
/// assert_eq!(table.votes.sources().len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct VoteTable {
    /// The votes.
    pub votes: Votes,
    /// The item names.
    pub items: ItemNames,
    /// The true class of each item, if there is a gold column: abstain if unknown, [`OTHER_CLASS`] if no source votes for it.
    pub gold: Option<Vec<Vote>>,
    /// Notes for the user on how the table was read.
    pub notes: Vec<ReadingNote>,
}

/// The progress of reading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// Rows read.
    pub rows: u64,
    /// The fraction of the input that has been read, from 0 to 1, if its length is known.
    pub fraction: Option<f64>,
}

/// Reads a table of votes.
///
/// ```
/// use consilience_io::{Input, ReadOptions, read_votes};
///
/// let folder = tempfile::tempdir()?;
/// let path = folder.path().join("votes.csv");
/// std::fs::write(&path, "item,judge_a,judge_b\nq1,good,bad\nq2,good,\n")?;
/// let table = read_votes(&Input::Path(path), &ReadOptions::default())?;
/// assert_eq!(table.votes.sources().names(), ["judge_a", "judge_b"]);
/// assert_eq!(table.items.name(1), "q2");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_votes(input: &Input, options: &ReadOptions) -> Result<VoteTable, ReadError> {
    read_votes_watched(input, options, &|_| ())
}

/// Like [`read_votes`], and calls `progress` every few thousand rows.
///
/// ```
/// use std::cell::Cell;
///
/// use consilience_io::{Input, ReadOptions, read_votes_watched};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("votes.csv");
/// std::fs::write(&path, format!("a,b\n{}", "yes,no\n".repeat(100_000)))?;
/// let calls = Cell::new(0);
/// let count = |_| calls.set(calls.get() + 1);
/// let table = read_votes_watched(&Input::Path(path), &ReadOptions::default(), &count)?;
/// assert_eq!(table.votes.items(), 100_000);
/// assert!(calls.get() > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_votes_watched(
    input: &Input,
    options: &ReadOptions,
    progress: &dyn Fn(Progress),
) -> Result<VoteTable, ReadError> {
    let mut table = None;
    let mut take = |part: VotesPart| {
        table = Some(part.table);
        ControlFlow::Continue(())
    };
    read_to(input, options, progress, &mut Handover { limit: Limit::None, take: &mut take })?;
    table.ok_or_else(|| Place::file(&input.name()).because(Problem::HeaderOnly))
}

/// Reads a table and hands it over.
fn read_to(
    input: &Input,
    options: &ReadOptions,
    progress: &dyn Fn(Progress),
    handover: &mut Handover<'_>,
) -> Result<Ending, ReadError> {
    let place = Place::file(&input.name());
    let opened = input.open(options.format)?;
    let report = Report { progress, consumed: &opened.consumed };
    match opened.content {
        Content::Delimited(stream, separator) => {
            delimited::read(stream, separator, &place, options, handover, &report)
        }
        Content::Jsonl(stream) => jsonl::read(stream, &place, options, handover, &report),
        #[cfg(feature = "columnar")]
        Content::Columnar(content) => columnar::read(content, &place, options, handover, &report),
    }
}

/// Tells the caller how far reading has come.
struct Report<'a> {
    progress: &'a dyn Fn(Progress),
    consumed: &'a Consumed,
}

impl Report<'_> {
    /// After row `rows` of a text file; reports every few thousand rows only.
    fn line(&self, rows: u64) {
        const EVERY: u64 = 1 << 14;
        if rows.is_multiple_of(EVERY) {
            self.rows(rows, self.consumed.fraction());
        }
    }

    fn rows(&self, rows: u64, fraction: Option<f64>) {
        (self.progress)(Progress { rows, fraction });
    }
}
