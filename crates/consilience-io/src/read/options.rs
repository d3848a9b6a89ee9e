//! What a user can say about a table that its bytes do not.

use consilience::sources::Classes;

use crate::format::Format;

/// How to read a table of votes.
#[derive(Clone, Debug)]
pub struct ReadOptions {
    /// The classes, in order, and no others; without them the classes come from the votes.
    pub classes: Option<Classes>,
    /// How abstaining is written, beside the empty cell. Default: `-1`.
    pub abstain: String,
    /// The column that names the items; without it a column called item, and where there is none items are called by their row
    /// numbers. An empty name stands for a column without a name.
    pub item: Option<String>,
    /// The column with the true classes, where some are known.
    pub gold: Option<String>,
    /// Columns that are neither sources nor anything else of use.
    pub ignore: Vec<String>,
    /// Read no other column than this one, as the only source.
    pub only: Option<String>,
    /// Whether the table is long (one row a vote); without it, the header tells.
    pub long: Option<bool>,
    /// The format; without it, the first bytes tell.
    pub format: Option<Format>,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            classes: None,
            abstain: "-1".to_string(),
            item: None,
            gold: None,
            ignore: Vec::new(),
            only: None,
            long: None,
            format: None,
        }
    }
}
