//! A change of the file of the sources, what it would do, and why it may do nothing.

use axum::http::StatusCode;
use consilience::findings::Moved;
use consilience_io::WriteError;
use consilience_sources::Fault;

/// Longer texts are not edited in a page.
pub(crate) const LONGEST_TEXT: usize = 512 << 10;

/// Why a change has no outcome.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EditError {
    /// The file cannot be read.
    #[error("{0} cannot be read: {1}")]
    Read(String, std::io::Error),
    /// The file is not text.
    #[error("{0} is not UTF-8 text; save it as UTF-8")]
    NotText(String),
    /// The file is not the one that the page knows.
    #[error("{0} was changed by another program; nothing was saved")]
    Changed(String),
    /// The source is not in the file.
    #[error("{0} has no source \"{1}\" to edit")]
    NoSource(String, String),
    /// The text is too long.
    #[error("this text is longer than {most} KB; edit the file itself", most = LONGEST_TEXT >> 10)]
    TooLong,
    /// The data is not what it was.
    #[error("the data changed since the studio started; restart the studio")]
    OtherData,
    /// The sources cannot be run.
    #[error("{0}")]
    Apply(String),
    /// The votes cannot be counted.
    #[error(transparent)]
    Votes(#[from] consilience::votes::VotesError),
    /// The file cannot be written.
    #[error("nothing was saved: {0}")]
    Write(#[from] WriteError),
    /// The sources have no labels.
    #[error("nothing was saved, because these sources produce no labels: {0}")]
    NoLabels(String),
}

impl EditError {
    pub(crate) fn status(&self) -> StatusCode {
        match self {
            Self::Changed(_) => StatusCode::CONFLICT,
            Self::NoSource(..) => StatusCode::NOT_FOUND,
            Self::Read(..) | Self::Write(_) => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }
}

/// A change: the text of one source, or of the whole file.
#[derive(Clone, Debug)]
pub(crate) struct Change<'a> {
    /// The state of the file that the text belongs to.
    pub(crate) base: &'a str,
    /// The source; the whole file without it.
    pub(crate) source: Option<&'a str>,
    /// The new text.
    pub(crate) text: &'a str,
}

/// What a change would do.
pub(crate) enum Outcome {
    /// A newer request came, or the studio was busy with one.
    Stopped,
    /// The file would have errors.
    Faults(Vec<Fault>),
    /// It would move this.
    Moves(Box<Moves>),
}

/// What a change would move.
pub(crate) struct Moves {
    /// How many sources were run again.
    pub(crate) rerun: usize,
    pub(crate) moved: Moved,
    /// Why there are no labels, if there are none.
    pub(crate) problem: Option<String>,
}

/// What became of saving.
pub(crate) enum Saved {
    /// The file would have errors and was not written.
    Faults(Vec<Fault>),
    /// The file was written, and its sources are shown.
    Done,
}
