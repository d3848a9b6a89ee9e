//! The label models on the board. A new one is a variant with its lines in the three functions below.

use consilience::labels::{Labels, majority_vote};
use consilience::votes::Votes;

/// A way from votes to labels, with its default settings: one setting for all tables, gold never used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelModel {
    Majority,
}

impl LabelModel {
    /// All of them, in the order of the columns.
    pub(crate) const ALL: [Self; 1] = [Self::Majority];

    /// Its name in tables and pictures.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Majority => "majority vote",
        }
    }

    /// Fits on some votes and labels others, of the same sources and classes; both may be the same.
    #[expect(clippy::unnecessary_wraps, reason = "models that are fitted can fail")]
    pub(crate) fn label(self, _fitted_on: &Votes, votes: &Votes) -> anyhow::Result<Labels> {
        Ok(match self {
            Self::Majority => majority_vote(votes),
        })
    }
}
