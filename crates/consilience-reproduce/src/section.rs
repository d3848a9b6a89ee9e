//! What is told of one figure.

use crate::Figure;

/// Something that the paper, or this program, claims; as an inequality with room for chance.
#[derive(Clone, Debug, PartialEq, Eq)]
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

/// What is told of one figure, in words and names of files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Which figure.
    pub figure: Figure,
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
    /// The pictures: name of the files without their ending, and what is to be seen.
    pub pictures: Vec<(String, String)>,
    /// The tables of data: names of the files.
    pub data: Vec<String>,
}
