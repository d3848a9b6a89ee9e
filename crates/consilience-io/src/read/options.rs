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
/// let options = ReadOptions::default()
///     .with_item("id")
///     .with_abstain(AbstainMarks::these(["pass"]))
///     .with_ignore(vec!["note".into()]);
/// let table = read_votes(&Input::Path(path), &options)?;
/// assert_eq!(table.votes.sources().names(), ["ann", "bob"]);
/// assert_eq!(table.votes.row_of_item(0).count(), 1); // bob passes
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
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

consilience::option_setters! {
    ReadOptions {
        /// Sets all classes, in order. Default: the classes voted for.
        with_classes(classes: Classes) = Some(classes);
        /// Sets the classes of a model that will label the votes; other classes are an error. Default: none.
        with_known(known: Classes) = Some(known);
        /// Sets the values that mean abstain, in addition to an empty cell. Default: the usual ones.
        with_abstain(abstain: AbstainMarks);
        /// Sets the column with the item names; an empty string selects a column without a name. Default: inferred.
        with_item(item: impl Into<String>) = Some(item.into());
        /// Sets the column with the true classes. Default: a column with a name such as gold or truth.
        with_gold(gold: impl Into<String>) = Some(gold.into());
        /// Sets columns to read as sources, whatever they look like. Default: none.
        with_sources(sources: Vec<String>);
        /// Sets sources of a model that will label the votes: columns with these names are sources, if present. Default: none.
        with_expected_sources(expected_sources: Vec<String>);
        /// Sets columns to ignore. Default: none.
        with_ignore(ignore: Vec<String>);
        /// Reads only this column, as the only source. Default: all sources.
        with_only(only: impl Into<String>) = Some(only.into());
        /// Sets whether the table is long (one row per vote). Default: inferred from the columns.
        with_long(long: bool) = Some(long);
        /// Sets the column with the sources in a long table. Default: inferred.
        with_source_column(source_column: impl Into<String>) = Some(source_column.into());
        /// Sets the column with the votes in a long table. Default: inferred.
        with_vote_column(vote_column: impl Into<String>) = Some(vote_column.into());
        /// Sets whether the first line of a text table is a header. Default: inferred from the lines.
        with_header(header: bool) = Some(header);
        /// Sets the format. Default: detected from the first bytes.
        with_format(format: Format) = Some(format);
    }
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
