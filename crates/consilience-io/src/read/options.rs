//! What a user can say about a table that its bytes do not.

use consilience::sources::Classes;
use consilience::votes::{AbstainMarks, Vocabulary};

use crate::format::Format;

/// Options for [`read_votes`](crate::read_votes).
///
/// ```
/// use consilience::votes::AbstainMarks;
/// use consilience_io::{Input, ReadOptions, read_votes};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("votes.tsv");
/// std::fs::write(&path, "id\tann\tbob\tnote\n7\tcat\tpass\tblurred\n8\tdog\tcat\t\n")?;
/// let options = ReadOptions {
///     item: Some("id".into()),
///     abstain: AbstainMarks::these(["pass"]),
///     ignore: vec!["note".into()],
///     ..ReadOptions::default()
/// };
/// let table = read_votes(&Input::Path(path), &options)?;
/// assert_eq!(table.votes.sources().names(), ["ann", "bob"]);
/// assert_eq!(table.votes.row_of_item(0).count(), 1); // bob passes
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// All classes, in order. Default: the classes voted for.
    pub classes: Option<Classes>,
    /// The classes of a model that will label the votes; other classes are an error. Default: none.
    pub known: Option<Classes>,
    /// Values that mean abstain, in addition to an empty cell. Default: the usual ones.
    pub abstain: AbstainMarks,
    /// The column with the item names; an empty string selects a column without a name. Default: inferred from the names and
    /// cells of the columns; if there is none, items are numbered by row.
    pub item: Option<String>,
    /// The column with the true classes, if known. Default: a column with a name such as gold or truth.
    pub gold: Option<String>,
    /// Columns to read as sources, whatever they look like. Default: none.
    pub sources: Vec<String>,
    /// Sources of a model that will label the votes: columns with these names are sources, if present. Default: none.
    pub expected_sources: Vec<String>,
    /// Columns to ignore. Default: none.
    pub ignore: Vec<String>,
    /// Read only this column, as the only source. Default: all sources.
    pub only: Option<String>,
    /// Whether the table is long (one row per vote). Default: inferred from the columns.
    pub long: Option<bool>,
    /// The column with the sources in a long table. Default: inferred.
    pub source_column: Option<String>,
    /// The column with the votes in a long table. Default: inferred.
    pub vote_column: Option<String>,
    /// Whether the first line of a text table is a header. Default: inferred from the lines.
    pub header: Option<bool>,
    /// The format. Default: detected from the first bytes.
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
