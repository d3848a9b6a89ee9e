//! From the first rows of a table to how all of them are read.

use std::borrow::Cow;

use consilience::sources::{MAX_SOURCES, NamesError};
use consilience::votes::ReadingNote;
use consilience::votes::survey::{self, Sample, Survey, Told, Use, survey};

use super::columns::{ColumnProblem, Layout, LongColumns, check_options, wide};
use super::error::Problem;
use super::options::ReadOptions;

/// Rows that are looked at before a table is read.
pub(super) const SAMPLE_ROWS: usize = 4096;

/// Cells that are looked at: a very wide table shows what it is in fewer rows.
const SAMPLE_CELLS: usize = 1 << 19;

/// How many rows of a table with `columns` columns are looked at.
pub(super) fn sample_rows(columns: usize) -> usize {
    (SAMPLE_CELLS / columns.max(1)).clamp(64, SAMPLE_ROWS)
}

/// How a table is read.
pub(super) struct Plan<'a> {
    pub(super) layout: Layout,
    /// The options, with the uses that were found.
    pub(super) options: Cow<'a, ReadOptions>,
    pub(super) notes: Vec<ReadingNote>,
}

/// Decides how a table is read whose first rows are those of `sample`.
pub(super) fn plan<'a>(sample: &Sample, options: &'a ReadOptions) -> Result<Plan<'a>, ColumnProblem> {
    let names: Vec<String> = sample.columns.iter().map(|column| column.name.clone()).collect();
    check_options(&names, options)?;
    if names.len() > MAX_SOURCES + MAX_SOURCES / 8 {
        // Too many to be looked at; a few that are not sources would not help.
        let too_many = NamesError::TooMany { kind: "source", count: names.len(), limit: MAX_SOURCES };
        return Err((None, too_many.into()));
    }
    if options.only.is_some() {
        let layout = wide(&names, options)?;
        return Ok(Plan { layout, options: Cow::Borrowed(options), notes: Vec::new() });
    }
    let Survey { layout, notes } =
        survey(sample, &told(options)).map_err(|error| (None, Problem::Survey(error)))?;
    let mut found = options.clone();
    let layout = match layout {
        survey::Layout::Long { item, source, vote, gold } => {
            found.gold = gold.map(|gold| names[gold].clone());
            Layout::Long(LongColumns { item, source, vote, gold })
        }
        survey::Layout::Wide(uses) => {
            for (name, used) in names.iter().zip(&uses) {
                match used {
                    Use::Item => found.item = Some(name.clone()),
                    Use::Gold => found.gold = Some(name.clone()),
                    Use::LeftOut if !found.ignore.contains(name) => found.ignore.push(name.clone()),
                    Use::LeftOut | Use::Source => {}
                }
            }
            wide(&names, &found)?
        }
    };
    Ok(Plan { layout, options: Cow::Owned(found), notes })
}

/// What the options say about columns.
pub(super) fn told(options: &ReadOptions) -> Told {
    let classes = options.classes.as_ref().or(options.known.as_ref());
    let mut told = Told::default();
    told.item.clone_from(&options.item);
    told.gold.clone_from(&options.gold);
    told.sources.clone_from(&options.sources);
    let named = |name: &String| {
        options.item.as_ref() == Some(name)
            || options.gold.as_ref() == Some(name)
            || options.ignore.contains(name)
    };
    told.sources.extend(options.expected_sources.iter().filter(|name| !named(name)).cloned());
    told.ignore.clone_from(&options.ignore);
    told.long = options.long;
    told.long_source.clone_from(&options.source_column);
    told.long_vote.clone_from(&options.vote_column);
    told.classes = classes.map(|classes| classes.names().to_vec());
    told.marks = options.abstain.clone();
    told
}
