//! The text for one figure.

use serde::{Deserialize, Serialize};

use crate::Figure;

/// Something that the paper, or this program, claims; as an inequality with room for chance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// What is claimed.
    pub text: String,
    /// What was seen.
    pub seen: String,
    /// Whether what was seen agrees.
    pub holds: bool,
}

impl Claim {
    pub(crate) fn new(text: impl Into<String>, seen: impl Into<String>, holds: bool) -> Self {
        Self { text: text.into(), seen: seen.into(), holds }
    }
}

/// A table of words and numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub title: String,
    /// The names of its columns; all but the first are set to the right.
    pub header: Vec<String>,
    /// Its rows, each as long as the header.
    pub rows: Vec<Vec<String>>,
}

/// By what a section was made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Made {
    /// The version of this program.
    pub version: String,
    /// The fingerprint of the code that did the work: the same for the same code, whatever its comments.
    pub solver: String,
    /// The requested number of tables per point.
    pub trials: Option<usize>,
    /// Whether it was a quick run.
    pub quick: bool,
    /// The seed.
    pub seed: u64,
    /// Which tables were given, if the figure is about given ones: their names and what distinguishes them from others.
    pub input: Option<String>,
}

/// The description of one figure: texts and file names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Section {
    /// Which figure.
    pub figure: Figure,
    /// By what it was made.
    pub made: Made,
    /// Its title.
    pub title: String,
    /// What was run.
    pub ran: String,
    /// What the paper reports.
    pub paper: String,
    /// What came out.
    pub came_out: Vec<String>,
    /// Where that differs from the paper, and why.
    pub differs: Vec<String>,
    /// Claims and whether they hold.
    pub claims: Vec<Claim>,
    /// Numbers as tables.
    pub tables: Vec<Table>,
    /// The pictures: file names without extension, and what they show.
    pub pictures: Vec<(String, String)>,
    /// The tables of data: names of the files.
    pub data: Vec<String>,
    /// What whoever started the run should know; not part of the page.
    #[serde(skip)]
    pub notes: Vec<String>,
}
