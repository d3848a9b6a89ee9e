//! Notes on a fit.

use std::fmt;

use crate::sources::listed;

/// A note on a fit. Its text names no options, so that each front end can add its own.
///
/// ```
/// use consilience::model::FitNote;
/// use consilience::pipeline::{Votes, label};
///
/// let votes = Votes::from_text(&["a", "b"], [["yes", "no"], ["no", "no"]].repeat(10))?;
/// let notes = label(&votes)?.model.notes;
/// assert!(notes.contains(&FitNote::TwoSources));
/// println!("{}", notes[0]); // a sentence for the user
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FitNote {
    /// Exact inference was too costly.
    Pseudolikelihood {
        /// How many sources the dependencies join.
        sources: usize,
        /// One of them.
        example: String,
    },
    /// Too many sources for a comparison of every pair.
    TooManyToCompare {
        /// How many there are.
        sources: usize,
    },
    /// Dependencies on copies or on sources that never vote.
    DependenciesLeftOut {
        /// How many.
        count: usize,
    },
    /// Sources that never vote.
    Silent {
        /// Their names.
        sources: Vec<String>,
    },
    /// No source votes.
    NobodyVotes,
    /// One source votes.
    OneSource,
    /// Two sources vote.
    TwoSources,
    /// Classes that no source votes for.
    NoVotesFor {
        /// Their names.
        classes: Vec<String>,
    },
    /// Sources that cast the same votes.
    Copies {
        /// Their names.
        sources: Vec<String>,
    },
    /// The most steps were taken before fitting converged.
    NotConverged {
        /// Steps taken.
        iterations: usize,
        /// The slope that is left, per item.
        slope: f64,
    },
}

impl fmt::Display for FitNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Pseudolikelihood { sources, example } => write!(
                f,
                "fitted by pseudolikelihood (each source given the votes of all others): the dependencies join {sources} \
                 sources around \"{example}\" too densely for exact inference"
            ),
            Self::TooManyToCompare { sources } => {
                write!(f, "{sources} sources are too many to compare pair by pair; all votes count in full")
            }
            Self::DependenciesLeftOut { count } => {
                write!(f, "{count} dependencies on copies or on sources that never vote are left out")
            }
            Self::Silent { sources } if sources.len() == 1 => {
                write!(f, "{} never votes and gets no weight", listed(sources))
            }
            Self::Silent { sources } => {
                write!(f, "{} sources never vote and get no weight: {}", sources.len(), listed(sources))
            }
            Self::NobodyVotes => f.write_str("no source votes, so every item gets the class balance"),
            Self::OneSource => {
                f.write_str("with only one source, accuracy cannot be estimated; it stays at its prior")
            }
            Self::TwoSources => {
                f.write_str("two sources cannot identify separate accuracies; each stays near its prior")
            }
            Self::NoVotesFor { classes } => write!(
                f,
                "nobody votes for {}: its probability depends only on the votes for other classes",
                classes.join(", ")
            ),
            Self::Copies { sources } => {
                write!(f, "{} cast exactly the same votes and count as one source", listed(sources))
            }
            Self::NotConverged { iterations, slope } => write!(
                f,
                "fitting stopped after {iterations} steps, before it converged (slope {slope:.1e} per item)"
            ),
        }
    }
}
