//! `sources.toml`: what sources a user declares, and everything that is wrong with the file, each with line and column.

mod blocks;
mod check;
mod fault;
mod kinds;
mod read;
mod table;
mod write;

use std::path::PathBuf;

use consilience::structure::{Composition, CompositionWay};

pub use blocks::Block;
pub use fault::{Fault, FileError};

/// A file of declared sources.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SourcesFile {
    /// The classes, in order.
    pub classes: Vec<String>,
    /// The column that text rules read unless they name another one.
    pub text: Option<String>,
    /// The sources, in order.
    pub sources: Vec<Declared>,
    /// The folder of the file: dictionaries and lists are looked for below it, programs run in it.
    pub folder: PathBuf,
}

/// One declared source.
#[derive(Clone, Debug, PartialEq)]
pub struct Declared {
    /// Its name.
    pub name: String,
    /// The class that it votes for, if its kind does not say.
    pub vote: Option<String>,
    /// The class that it votes for if its condition does not hold; without it, it abstains there.
    pub otherwise: Option<String>,
    /// The column that a text rule reads, if it is not the file's.
    pub on: Option<String>,
    /// Whether texts are compared lower-cased.
    pub lower: bool,
    /// How it votes.
    pub kind: Kind,
    /// The position of its kind in the file: line and column, from 1.
    pub place: (usize, usize),
}

/// How a source votes.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Where a text has one of some keywords.
    Keywords {
        /// The keywords, or the file that lists them.
        keywords: Keywords,
        /// Whether only whole words count.
        words: bool,
    },
    /// Where a regular expression is found in a text.
    Regex {
        /// The expression.
        pattern: String,
        /// Whether capitals and small letters are the same.
        ignore_case: bool,
    },
    /// Where an SQL expression over the columns is true, or for the class that it gives.
    Sql(String),
    /// Where a dictionary has the item's keys.
    Lookup {
        /// The dictionary's file, CSV or Parquet, relative to the sources' folder.
        file: String,
        /// Columns of the data and those of the dictionary that they are compared with.
        keys: Vec<(String, String)>,
        /// The dictionary's column with the classes; without it, all keys vote for the source's class.
        vote: Option<String>,
        /// Whether white space around keys is left aside.
        strip: bool,
    },
    /// As a column of the data says.
    Column {
        /// The column.
        column: String,
        /// What its cells mean.
        reading: Reading,
    },
    /// As a program says.
    Command(Command),
    /// Where all of these sources vote.
    All(Vec<String>),
    /// Where one of these sources votes.
    Any(Vec<String>),
    /// Where this source does not vote.
    Not(String),
}

/// Where keywords come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Keywords {
    /// The file of the sources.
    List(Vec<String>),
    /// A file with one keyword per line, relative to the sources' folder.
    File(String),
}

/// What the cells of a column mean.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// They are classes.
    Classes,
    /// The listed values stand for classes.
    Map(Vec<(String, String)>),
    /// They are numbers; the first threshold that holds gives the class.
    Thresholds(Vec<Threshold>),
}

/// A class for numbers on one side of a bound.
#[derive(Clone, Debug, PartialEq)]
pub struct Threshold {
    /// Which side.
    pub side: Side,
    /// The bound.
    pub bound: f64,
    /// The class.
    pub vote: String,
}

/// A side of a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// The bound and above.
    AtLeast,
    /// Above the bound.
    Above,
    /// The bound and below.
    AtMost,
    /// Below the bound.
    Below,
}

impl Side {
    const ALL: [(Self, &'static str); 4] = [
        (Self::AtLeast, "at_least"),
        (Self::Above, "above"),
        (Self::AtMost, "at_most"),
        (Self::Below, "below"),
    ];

    /// Whether `number` is on this side of `bound`.
    pub fn holds(self, number: f64, bound: f64) -> bool {
        match self {
            Self::AtLeast => number >= bound,
            Self::Above => number > bound,
            Self::AtMost => number <= bound,
            Self::Below => number < bound,
        }
    }
}

/// A program that reads one JSON object per line and answers one vote per line.
#[derive(Clone, Debug, PartialEq)]
pub struct Command {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// The columns that it is given; without any, the column of the texts.
    pub columns: Vec<String>,
    /// How many items it is given at a time.
    pub batch: usize,
    /// How often a batch that failed is tried again.
    pub retries: usize,
    /// Seconds that a batch may take.
    pub timeout: f64,
    /// Answers of another version are not used again.
    pub version: Option<String>,
}

impl Command {
    /// Items at a time, by default.
    pub const BATCH: usize = 100;
    /// Further tries, by default.
    pub const RETRIES: usize = 2;
    /// Seconds per batch, by default.
    pub const TIMEOUT: f64 = 60.0;
}

impl Kind {
    /// What the kind is called in the file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Keywords { .. } => "keywords",
            Self::Regex { .. } => "regex",
            Self::Sql(_) => "sql",
            Self::Lookup { .. } => "lookup",
            Self::Column { .. } => "column",
            Self::Command(_) => "command",
            Self::All(_) => "all",
            Self::Any(_) => "any",
            Self::Not(_) => "not",
        }
    }

    /// The sources that it is composed of.
    pub fn parts(&self) -> &[String] {
        match self {
            Self::All(parts) | Self::Any(parts) => parts,
            Self::Not(part) => std::slice::from_ref(part),
            _ => &[],
        }
    }
}

impl SourcesFile {
    /// The position of the source `name`.
    pub fn position(&self, name: &str) -> Option<usize> {
        self.sources.iter().position(|source| source.name == name)
    }

    /// The sources that are made of others, by their positions.
    pub fn compositions(&self) -> Vec<Composition> {
        let composition = |(source, declared): (usize, &Declared)| {
            let way = match &declared.kind {
                Kind::All(_) => CompositionWay::All,
                Kind::Any(_) => CompositionWay::Any,
                Kind::Not(_) => CompositionWay::Not,
                _ => return None,
            };
            let parts = declared.kind.parts().iter().filter_map(|part| self.position(part)).collect();
            Some(Composition { source, way, parts })
        };
        self.sources.iter().enumerate().filter_map(composition).collect()
    }

    /// The column that the source reads as text, if it is a text rule and there is one.
    pub fn text_column<'a>(&'a self, source: &'a Declared) -> Option<&'a str> {
        source.on.as_deref().or(self.text.as_deref())
    }
}
