//! Why a table of votes cannot be read: where, what, and what to do about it.

use std::fmt;
use std::io;

use consilience::sources::NamesError;
use consilience::votes::survey::SurveyError;
use consilience::votes::{VoteError, VotesError};

use crate::one_line::{one_line, some_of};

/// A place in a table.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The file, as the user named it.
    pub file: String,
    /// The row.
    pub row: Option<RowNumber>,
    /// The name of the column.
    pub column: Option<String>,
}

/// A row of a table, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowNumber {
    /// The line of a text file, the header included.
    Line(u64),
    /// The row of a table that is not text.
    Row(u64),
}

impl Place {
    pub(crate) fn file(file: &str) -> Self {
        Self { file: file.to_string(), row: None, column: None }
    }

    pub(crate) fn line(&self, line: u64) -> Self {
        Self { row: Some(RowNumber::Line(line)), ..self.clone() }
    }

    pub(crate) fn row(&self, row: u64) -> Self {
        Self { row: Some(RowNumber::Row(row)), ..self.clone() }
    }

    pub(crate) fn column(&self, column: &str) -> Self {
        Self { column: Some(column.to_string()), ..self.clone() }
    }

    pub(crate) fn because(self, problem: impl Into<Problem>) -> ReadError {
        ReadError { place: Box::new(self), problem: Box::new(problem.into()) }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        match self.row {
            Some(RowNumber::Line(line)) => write!(f, ", line {line}")?,
            Some(RowNumber::Row(row)) => write!(f, ", row {row}")?,
            None => {}
        }
        match &self.column {
            Some(column) => write!(f, ", column \"{column}\""),
            None => Ok(()),
        }
    }
}

/// Why a table of votes cannot be read. Its text is one line: the place, what is wrong, what to do.
///
/// ```
/// use consilience_io::{Input, ReadOptions, read_votes};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("votes.csv");
/// std::fs::write(&path, "item,a,b\nq1,good,bad,good\n")?;
/// let error = read_votes(&Input::Path(path), &ReadOptions::default()).expect_err("a cell too many");
/// assert!(error.place.row.is_some());
/// assert!(!error.to_string().contains('\n'));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[error("{}", one_line(&format!("{place}: {problem}")))]
#[non_exhaustive]
pub struct ReadError {
    /// Where.
    pub place: Box<Place>,
    /// What, and what to do.
    pub problem: Box<Problem>,
}

/// What is wrong with a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Problem {
    /// An invalid count.
    #[error("\"{text}\" is not a count; expected a whole number, 0 or more")]
    Count {
        /// The cell.
        text: String,
    },
    /// No such file.
    #[error("there is no such file; check the path")]
    Missing,
    /// A folder.
    #[error("this is a directory; name a file of votes")]
    Directory,
    /// No permission.
    #[error("no permission to read it; check the owner and mode of the file and its folders")]
    Permission,
    /// The system refused to read.
    #[error("it cannot be read ({0}); check the disk or the connection and try again")]
    Io(#[source] io::Error),
    /// No bytes at all.
    #[error("the input is empty; a header and at least one row of votes are needed")]
    Empty,
    /// Column names, but no row.
    #[error("there is a header but no row; at least one row of votes is needed")]
    HeaderOnly,
    /// A table without columns.
    #[error("the table has no columns; one column per source is needed")]
    NoColumns,
    /// Too many distinct rows to be held, in an input that cannot be read again.
    #[error(
        "it has more than {patterns} distinct rows, so it must be read twice, which is impossible with standard input; save it to a file"
    )]
    ReadTwice {
        /// Distinct rows that may be held.
        patterns: usize,
    },
    /// Whoever gets the parts of the table wants no more of them.
    #[error("reading was stopped")]
    Stopped,
    /// Only columns that are not sources.
    #[error(
        "no source columns remain besides the item, gold and ignored columns; one column per source is needed"
    )]
    NoSources,
    /// The roles of the columns are unclear.
    #[error(transparent)]
    Survey(#[from] SurveyError),
    /// A source with very many classes that nobody else votes for.
    #[error(
        "\"{name}\" votes for {alone} classes that no other source votes for: it looks like a column of IDs or texts, not a source"
    )]
    ManyClassesAlone {
        /// The source.
        name: String,
        /// How many classes.
        alone: usize,
    },
    /// A long table whose votes hardly ever agree.
    #[error(
        "{alone} of {classes} distinct votes are cast by only one source: they look like texts or IDs, not votes for classes"
    )]
    VotesOfNobodyElse {
        /// Classes that one source votes for.
        alone: usize,
        /// All classes.
        classes: usize,
    },
    /// A character that is not a known separator occurs equally often in every line.
    #[error(
        "every line has the character {sign:?} the same number of times: it looks like a separator; separate cells with commas, semicolons, tabs, vertical bars or spaces"
    )]
    OtherSeparator {
        /// The sign.
        sign: char,
    },
    /// The first line holds votes.
    #[error(
        "the first line ({}) looks like a row of votes, not column names: is the header missing?",
        some_of(cells)
    )]
    MissingHeader {
        /// The cells of the first line.
        cells: Vec<String>,
    },
    /// Gold in other words than the votes.
    #[error(
        "the gold classes ({}) and the classes voted for ({}) have nothing in common; use the same names for both",
        some_of(gold),
        some_of(classes)
    )]
    OtherGold {
        /// The gold classes.
        gold: Vec<String>,
        /// The classes of the votes.
        classes: Vec<String>,
    },
    /// No rows, in a table other than a vote table.
    #[error("there are no rows; a table with a header and at least one row is needed")]
    NoRows,
    /// A folder instead of a table other than votes.
    #[error("this is a directory; name a file")]
    Folder,
    /// A column of a type that is neither text nor a number.
    #[error("its type {kind} is neither text nor a number; convert it")]
    CellType {
        /// The type.
        kind: String,
    },
    /// A JSON value that is neither text nor a number.
    #[error("a cell must be text, a number, a boolean or null, not {kind}")]
    CellValue {
        /// What it is.
        kind: &'static str,
    },
    /// Two columns with the same name, one of which is requested.
    #[error("duplicate column; rename one of them")]
    ColumnTwice,
    /// A table that holds no probabilities.
    #[error(
        "this is not a table of labels: it has {} p_<class>, but needs one for each class; the columns are {}",
        if *found == 0 { "no column" } else { "one column" },
        some_of(columns)
    )]
    NotLabels {
        /// Columns with probabilities.
        found: usize,
        /// The columns there are.
        columns: Vec<String>,
    },
    /// An invalid probability.
    #[error("\"{text}\" is not a probability; use a number from 0 to 1")]
    NotProbability {
        /// The text found there.
        text: String,
    },
    /// Probabilities that do not add up.
    #[error("the class probabilities add up to {sum}, not 1; write the labels again")]
    ProbabilitySum {
        /// Their sum.
        sum: f64,
    },
    /// Another file names items, but not those of the votes.
    #[error(
        "its column \"{column}\" should hold the item names, but has \"{theirs}\" where the votes have \"{ours}\"; use the same names in both files"
    )]
    ItemsApart {
        /// What the file holds.
        what: &'static str,
        /// Its column.
        column: String,
        /// A name there.
        theirs: String,
        /// A name in the votes.
        ours: String,
    },
    /// An item of the votes has two rows, so that nothing can be joined to it.
    #[error(
        "item \"{item}\" occurs twice in the votes, so the {what} cannot be matched by item; give every item a unique name"
    )]
    ItemTwiceInVotes {
        /// The item.
        item: String,
        /// What the file holds.
        what: &'static str,
    },
    /// Two rows about one item.
    #[error("duplicate item \"{item}\"; keep one of its rows")]
    ItemTwice {
        /// The item.
        item: String,
    },
    /// A row with a different number of cells than the header.
    #[error(
        "the row has {found} {}, but the header has {expected}; {}add or remove separators, or quote cells that contain one",
        if *found == 1 { "cell" } else { "cells" },
        if *may_have_row_names { "name the first column in the header if it holds row names, " } else { "" }
    )]
    Ragged {
        /// Cells in the row.
        found: usize,
        /// Cells in the header.
        expected: usize,
        /// Whether this is the first row, and one cell longer.
        may_have_row_names: bool,
    },
    /// A column that is not there.
    #[error("column \"{name}\" does not exist (needed for {wanted}{}); the columns are {}",
        nearest.as_ref().map(|n| format!("; did you mean \"{n}\"?")).unwrap_or_default(), some_of(columns))]
    UnknownColumn {
        /// What it is needed for.
        wanted: &'static str,
        /// The name asked for.
        name: String,
        /// A column with nearly that name.
        nearest: Option<String>,
        /// The columns there are.
        columns: Vec<String>,
    },
    /// One column would have to be two things.
    #[error("the column is used for both {first} and {second}; choose one of them")]
    TwoUses {
        /// A use.
        first: &'static str,
        /// Another use.
        second: &'static str,
    },
    /// A column without a name.
    #[error(
        "column {position} has no name; if it is a row index (as pandas writes), leave it out or read it as the item names, otherwise name it"
    )]
    Unnamed {
        /// Which column, counted from 1.
        position: usize,
    },
    /// A row index that pandas left in the table.
    #[error(
        "this is a row index that pandas wrote, not a source; leave it out, or read it as the item names"
    )]
    PandasIndex {
        /// The column.
        name: String,
    },
    /// Bad source or class names.
    #[error(transparent)]
    Names(#[from] NamesError),
    /// A cell that is not a valid vote.
    #[error(transparent)]
    Vote(#[from] VoteError),
    /// Rows that make no table.
    #[error(transparent)]
    Votes(VotesError),
    /// Bytes that are not UTF-8.
    #[error("the text is not UTF-8; save the file as UTF-8")]
    NotUtf8,
    /// A first line for a spreadsheet program.
    #[error("the first line (\"{line}\") is for spreadsheet programs and not a header; remove it")]
    SeparatorLine {
        /// The line.
        line: String,
    },
    /// UTF-16 text.
    #[error("the text is UTF-16, not UTF-8; save the file as UTF-8")]
    Utf16,
    /// Neither text nor a known binary format.
    #[error("this is not text, Parquet or Arrow; export the votes as CSV, JSONL, Parquet or Arrow")]
    Binary,
    /// Parquet or Arrow, which this build leaves out.
    #[error(
        "this is Parquet or Arrow, which this build leaves out (cargo feature \"columnar\", on by default); export the votes as CSV or JSONL, or build with the feature"
    )]
    LeftOut,
    /// Packed twice.
    #[error("it is compressed twice; decompress it once and try again")]
    CompressedTwice,
    /// Cut short or damaged.
    #[error("the {what} data is truncated or damaged ({detail}); copy or export the file again")]
    Damaged {
        /// The format.
        what: &'static str,
        /// What the decoder says.
        detail: String,
    },
    /// A cell that begins with a quotation mark and never ends.
    #[error(
        "a quotation mark is never closed, so a cell extends to the end of the file; close it, or double it if it is part of the text"
    )]
    OpenQuote,
    /// A line without end.
    #[error("the line is longer than {limit} bytes; is this a table of votes?")]
    LongLine {
        /// How long a line may be.
        limit: usize,
    },
    /// A column of a type that holds no votes.
    #[error(
        "its type {kind} cannot hold votes; convert it to text, whole numbers or booleans, or leave it out"
    )]
    ColumnType {
        /// The type.
        kind: String,
    },
    /// A column type that cannot hold item names.
    #[error("its type {kind} cannot hold item names; convert it to text or whole numbers")]
    ItemType {
        /// The type.
        kind: String,
    },
    /// A JSON value that is not a vote.
    #[error("a vote must be text, a whole number, a boolean or null, not {kind}")]
    JsonValue {
        /// What it is.
        kind: &'static str,
    },
    /// A line that is not a JSON object.
    #[error("not a JSON object ({detail}); write one complete object per line")]
    Json {
        /// What the parser says.
        detail: String,
    },
    /// One key twice in a JSON object.
    #[error("duplicate key in one object; keep one of them")]
    KeyTwice,
    /// An object without the item's name.
    #[error("the object lacks this key; every object needs the key with the item name")]
    NoKey,
    /// A row of a long table that does not say what it is about.
    #[error("the cell is empty; every row of a long table needs an item and a source")]
    EmptyName,
    /// Answers that cannot be used.
    #[error(transparent)]
    Answer(#[from] crate::answers::AnswerProblem),
    /// Two gold classes for one item.
    #[error("item \"{item}\" has two different gold classes, \"{first}\" and \"{second}\"; keep one of them")]
    TwoGolds {
        /// The item.
        item: String,
        /// The class that came first.
        first: String,
        /// The class that came later.
        second: String,
    },
}

impl From<VotesError> for Problem {
    fn from(error: VotesError) -> Self {
        match error {
            VotesError::Names(names) => Self::Names(names),
            VotesError::Vote(vote) => Self::Vote(vote),
            VotesError::NoItems => Self::HeaderOnly,
            other => Self::Votes(other),
        }
    }
}

impl From<io::Error> for Problem {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound => Self::Missing,
            io::ErrorKind::IsADirectory => Self::Directory,
            io::ErrorKind::PermissionDenied => Self::Permission,
            _ => match error.downcast::<Self>() {
                Ok(problem) => problem,
                Err(error) => Self::Io(error),
            },
        }
    }
}
