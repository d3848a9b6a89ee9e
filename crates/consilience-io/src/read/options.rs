//! What a user can say about a table that its bytes do not.

use consilience::sources::Classes;
use consilience::votes::{AbstainMarks, Vocabulary};

use crate::format::Format;

/// How to read a table of votes.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// The classes, in order, and no others; without them the classes come from the votes.
    pub classes: Option<Classes>,
    /// The classes of a model that is to label the votes: these and no others, by name only.
    pub known: Option<Classes>,
    /// How abstaining is written, beside the empty cell.
    pub abstain: AbstainMarks,
    /// The column that names the items; without it the names and the cells of the columns tell, and where no column names the
    /// items they are called by their row numbers. An empty name stands for a column without a name.
    pub item: Option<String>,
    /// The column with the true classes, where some are known; without it, a name such as gold or truth tells.
    pub gold: Option<String>,
    /// Columns that are sources, whatever they look like.
    pub sources: Vec<String>,
    /// Sources of a model that is to label the votes: columns of these names are sources too, if they are there.
    pub expected_sources: Vec<String>,
    /// Columns that are neither sources nor anything else of use.
    pub ignore: Vec<String>,
    /// Read no other column than this one, as the only source.
    pub only: Option<String>,
    /// Whether the table is long (one row per vote); without it, its columns tell.
    pub long: Option<bool>,
    /// The column of the sources in a long table.
    pub source_column: Option<String>,
    /// The column of the votes in a long table.
    pub vote_column: Option<String>,
    /// Whether the first line of a text table names the columns; without it, the lines tell.
    pub header: Option<bool>,
    /// The format; without it, the first bytes tell.
    pub format: Option<Format>,
}

impl ReadOptions {
    /// A vocabulary without votes.
    pub(super) fn vocabulary(&self) -> Vocabulary {
        match (&self.classes, &self.known) {
            (Some(classes), _) => Vocabulary::declared(classes, self.abstain.clone()),
            (None, Some(classes)) => Vocabulary::known(classes, self.abstain.clone()),
            (None, None) => Vocabulary::new(self.abstain.clone()),
        }
    }

    /// A vocabulary for gold, which may have classes that nobody votes for.
    pub(super) fn gold_vocabulary(&self) -> Vocabulary {
        match &self.classes {
            Some(classes) => Vocabulary::declared(classes, self.abstain.clone()),
            None => Vocabulary::new(self.abstain.clone()),
        }
    }
}
