//! The roles of the columns of a table, from their contents and, if these leave it open, from their names.
//!
//! A source votes for few classes, and other sources vote for them too. What does not look like that (identifiers, texts, dates,
//! other properties of the items) is left out with a note; where two readings are possible, the table is refused.

mod header;
mod long;
mod names;
mod profile;
mod sources;
mod wide;

pub use header::{looks_like_votes, numbered};
pub use names::{gold_rank, is_item_name};
pub(super) use names::{is_vote_word, is_voter, names_gold, words};

use super::marks::AbstainMarks;
use super::notes::{NotSource, ReadingNote};
use super::vocabulary::quoted;

/// The first rows of a table, column by column.
#[derive(Clone, Debug, Default)]
pub struct Sample {
    /// The columns, all with the same number of cells.
    pub columns: Vec<SampleColumn>,
    /// Whether these are all rows of the table.
    pub whole: bool,
}

/// The first cells of a column.
#[derive(Clone, Debug, Default)]
pub struct SampleColumn {
    /// Its name.
    pub name: String,
    /// Its type, if that holds no votes.
    pub kind: Option<String>,
    texts: Vec<String>,
    number_of: hashbrown::HashMap<String, u32>,
    /// For each row the number of its text counted from 1, or 0.
    cells: Vec<u32>,
}

impl SampleColumn {
    /// A column without cells.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// Adds a cell; an empty one is missing.
    pub fn push(&mut self, text: &str) {
        let text = text.trim();
        let number = match self.number_of.get(text) {
            _ if text.is_empty() => 0,
            Some(&number) => number,
            None => {
                self.texts.push(text.to_string());
                let number = self.texts.len() as u32;
                self.number_of.insert(text.to_string(), number);
                number
            }
        };
        self.cells.push(number);
    }

    /// How many cells there are, missing ones included.
    pub fn rows(&self) -> usize {
        self.cells.len()
    }

    fn different(&self) -> usize {
        self.texts.len()
    }

    fn filled(&self) -> usize {
        self.cells.iter().filter(|&&cell| cell != 0).count()
    }

    /// The first value that more than one row has.
    fn repeated(&self) -> Option<&str> {
        let mut seen = vec![false; self.texts.len() + 1];
        let mut filled = self.cells.iter().map(|&cell| cell as usize).filter(|&cell| cell != 0);
        let cell = filled.find(|&cell| std::mem::replace(&mut seen[cell], true))?;
        Some(&self.texts[cell - 1])
    }

    /// Whether every row has a value, and no two the same.
    fn names_each_row(&self) -> bool {
        !self.cells.is_empty() && self.texts.len() == self.cells.len()
    }
}

/// What the user says about the columns.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Told {
    /// The column that names the items.
    pub item: Option<String>,
    /// The column with the true classes.
    pub gold: Option<String>,
    /// Columns that are sources, whatever they look like.
    pub sources: Vec<String>,
    /// Columns to leave out.
    pub ignore: Vec<String>,
    /// Whether there is one row per vote.
    pub long: Option<bool>,
    /// The column of the sources, in a table with one row per vote.
    pub long_source: Option<String>,
    /// The column of the votes, in a table with one row per vote.
    pub long_vote: Option<String>,
    /// The classes, if they are known.
    pub classes: Option<Vec<String>>,
    /// The marks of abstaining.
    pub marks: AbstainMarks,
}

/// What a column of a table with one row per item is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// The votes of a source.
    Source,
    /// The names of the items.
    Item,
    /// The true classes.
    Gold,
    /// Nothing.
    LeftOut,
}

/// How a table is laid out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One row per item: the use of each column.
    Wide(Vec<Use>),
    /// One row per vote: the positions of the columns.
    Long {
        /// The items.
        item: usize,
        /// The sources.
        source: usize,
        /// The votes.
        vote: usize,
        /// The true classes.
        gold: Option<usize>,
    },
}

/// A table's layout, and what was decided to find it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Survey {
    /// The layout.
    pub layout: Layout,
    /// Notes for the user.
    pub notes: Vec<ReadingNote>,
}

/// Why the columns of a table are unclear.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// Columns that could be sources have no class in common.
    #[error(
        "{} and {} have no value in common, so they cannot all be sources of the same classes",
        quoted(first),
        quoted(second)
    )]
    NothingShared {
        /// Some columns.
        first: Vec<String>,
        /// The others.
        second: Vec<String>,
    },
    /// Several columns have values and no name.
    #[error(
        "{columns} columns have no name; is there a title or a note above the header? Remove it, or name the columns"
    )]
    Unnamed {
        /// How many.
        columns: usize,
    },
    /// No column looks like a source.
    #[error(
        "no column looks like a source: {}",
        columns.iter().take(8).map(|(name, why)| format!("\"{name}\" ({why})")).collect::<Vec<_>>().join(", ")
    )]
    NoSources {
        /// The columns, each with the reason.
        columns: Vec<(String, NotSource)>,
    },
    /// The only source is named like gold.
    #[error("\"{column}\" is read as gold because of its name, and no other column looks like a source")]
    OnlyGold {
        /// The column.
        column: String,
    },
    /// Every row is a source, and every column an item.
    #[error(
        "column \"{column}\" names a different source in every row: the table looks transposed, with one row per source; write one row per item and one column per source"
    )]
    Transposed {
        /// The column.
        column: String,
    },
    /// The numbers of every row add up to the same.
    #[error(
        "the numbers of {} add up to {sum} in every row: this looks like one column per class, not one per source; write one column per source, with the class as the vote",
        quoted(columns)
    )]
    OnePerClass {
        /// The columns.
        columns: Vec<String>,
        /// What each row adds up to.
        sum: u64,
    },
    /// The names suggest one row per vote, and other columns look like sources side by side.
    #[error(
        "{} suggest one row per vote, but {} look like sources with one row per item",
        quoted(long),
        quoted(panel)
    )]
    LongOrWide {
        /// The columns that could be item, source and vote.
        long: Vec<String>,
        /// The columns that could be sources.
        panel: Vec<String>,
    },
    /// Several columns of a table with one row per vote could be the same thing.
    #[error(
        "this looks like one row per vote, but it is not clear which column is which: {}",
        quoted(columns)
    )]
    UnclearLong {
        /// The columns.
        columns: Vec<String>,
    },
    /// Several columns of a table with one row per vote could hold the votes.
    #[error(
        "this looks like one row per vote, but the votes could be in any of these columns: {}",
        quoted(columns)
    )]
    UnclearVotes {
        /// The columns.
        columns: Vec<String>,
    },
    /// Items are written once, above the rows of their votes.
    #[error(
        "column \"{column}\" is empty in {empty} of {rows} rows, as if its cells were merged; write the item in every row"
    )]
    MergedCells {
        /// The column.
        column: String,
        /// Its empty cells.
        empty: usize,
        /// All rows.
        rows: usize,
    },
    /// Columns of a table with one row per vote are missing.
    #[error(
        "a long table needs the columns item, source and vote (or task, worker, label), but {} missing; the columns are {}",
        if missing.len() == 1 { format!("{} is", quoted(missing)) } else { format!("{} are", quoted(missing)) },
        quoted(columns)
    )]
    NotLong {
        /// What is missing.
        missing: Vec<String>,
        /// The columns there are.
        columns: Vec<String>,
    },
}

/// Finds out what the columns of a table are for.
pub fn survey(sample: &Sample, told: &Told) -> Result<Survey, SurveyError> {
    let mut notes = Vec::new();
    if let Some(layout) = long::find(sample, told, &mut notes)? {
        return Ok(Survey { layout, notes });
    }
    let layout = wide::find(sample, told, &mut notes)?;
    Ok(Survey { layout, notes })
}
