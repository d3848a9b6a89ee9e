//! Tables of votes part by part, for work that needs no more than some rows at a time.

use std::ops::ControlFlow;

use consilience::votes::ReadingNote;

use super::error::ReadError;
use super::handover::{Handover, Limit, VotesPart};
use super::options::ReadOptions;
use super::{Progress, read_to};
use crate::input::Input;

/// How a table is cut into parts.
#[derive(Clone, Copy, Debug)]
pub struct Parts {
    /// Rows of a part; tables with typed columns may exceed it by less than a batch.
    pub rows: usize,
    /// A table with at most this many distinct rows comes as one part. Default: 0.
    pub whole: usize,
}

/// What is known about a table after its last part.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct PartsRead {
    /// All rows of the table.
    pub rows: u64,
    /// Notes that were not among those of a part.
    pub notes: Vec<ReadingNote>,
}

/// Reads a table of votes part by part and hands each part to `each`; memory holds one part at a time.
///
/// The classes must be known ([`ReadOptions::classes`] or [`ReadOptions::known`]): otherwise, and if the table has one row
/// per vote, it comes as one part. Items without names are numbered through all parts.
///
/// ```
/// use consilience::sources::Classes;
/// use consilience_io::{Input, Parts, ReadError, ReadOptions, read_votes_in_parts};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("votes.csv");
/// std::fs::write(&path, format!("a,b\n{}", "yes,no\nno,no\n".repeat(50)))?;
/// let options = ReadOptions::default().with_known(Classes::new(vec!["no".into(), "yes".into()])?);
/// let mut first_names = Vec::new();
/// read_votes_in_parts(&Input::Path(path), &options, &Parts { rows: 40, whole: 0 }, &|_| (), |part| {
///     first_names.push(part.table.items.name(0).into_owned());
///     Ok::<(), ReadError>(())
/// })?;
/// assert_eq!(first_names, ["0", "40", "80"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_votes_in_parts<E: From<ReadError>>(
    input: &Input,
    options: &ReadOptions,
    parts: &Parts,
    progress: &dyn Fn(Progress),
    mut each: impl FnMut(VotesPart) -> Result<(), E>,
) -> Result<PartsRead, E> {
    let mut stopped = None;
    let mut take = |part: VotesPart| match each(part) {
        Ok(()) => ControlFlow::Continue(()),
        Err(error) => {
            stopped = Some(error);
            ControlFlow::Break(())
        }
    };
    let limit = if options.classes.is_some() || options.known.is_some() {
        Limit::Parts { rows: parts.rows.max(1), whole: parts.whole }
    } else {
        Limit::None
    };
    let read = read_to(input, options, progress, &mut Handover { limit, take: &mut take });
    match (read, stopped) {
        (_, Some(error)) => Err(error),
        (Err(error), None) => Err(error.into()),
        (Ok(ending), None) => Ok(PartsRead { rows: ending.rows, notes: ending.notes }),
    }
}
