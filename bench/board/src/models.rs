//! The label models on the board. A new one is a variant with its lines in the functions below.

use consilience::labels::{Labels, infer, majority_vote};
use consilience::model::{DawidSkeneOptions, Dependence, FitOptions, Fitted, fit, fit_dawid_skene};
use consilience::structure::{ExactOptions, Select, learn_exact};
use consilience::votes::Votes;

/// A way from votes to labels, with its default settings: one setting for all tables, gold never used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LabelModel {
    Majority,
    /// One confusion matrix per source, as `fit --dawid-skene`.
    DawidSkene,
    /// One accuracy per source, as `fit --independent`.
    Independent,
    /// Repeated votes count once, as `fit`.
    Default,
    /// A weight for each learned dependency, as `learn` and `fit --structure`.
    Structured,
}

impl LabelModel {
    /// All of them, in the order of the columns.
    pub(crate) const ALL: [Self; 5] =
        [Self::Majority, Self::DawidSkene, Self::Independent, Self::Default, Self::Structured];

    /// Its name in tables and pictures.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Majority => "majority vote",
            Self::DawidSkene => "Dawid-Skene",
            Self::Independent => "independent",
            Self::Default => "default",
            Self::Structured => "learned weights",
        }
    }

    /// The model of that name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|model| model.name() == name)
    }

    /// Fits on some votes and labels others, of the same sources and classes; both may be the same.
    pub(crate) fn label(self, fitted_on: &Votes, votes: &Votes) -> anyhow::Result<Labels> {
        match self.fit(fitted_on)? {
            Some(fitted) => Ok(infer(&fitted, votes)?),
            None => Ok(majority_vote(votes)),
        }
    }

    /// The fitted model; majority vote has none.
    fn fit(self, votes: &Votes) -> anyhow::Result<Option<Fitted>> {
        let options = FitOptions::default();
        Ok(Some(match self {
            Self::Majority => return Ok(None),
            Self::DawidSkene => fit_dawid_skene(votes, &DawidSkeneOptions::default(), |_| {})?,
            Self::Independent => fit(votes, Dependence::Independent, &options)?,
            Self::Default => fit(votes, Dependence::Repeats, &options)?,
            Self::Structured => {
                let structure = learn_exact(votes, &ExactOptions::default(), Select::Auto)?;
                fit(votes, Dependence::Linked(&structure), &options)?
            }
        }))
    }
}
