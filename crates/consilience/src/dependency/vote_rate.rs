//! The vote rate dependency.

use super::indicator;
use super::one_class::one_class_dependency;
use crate::sources::Vote;

/// Source j votes more or less often for class c, whatever the truth.
///
/// # Formula
/// ```text
/// φ(λ_j) = 1{ λ_j = c }
/// ```
/// # Domain
/// 0 or 1.
///
/// # When it holds
/// For classes that the source ever votes for; a source with all of its vote rates needs no propensity.
///
/// # Reference
/// None: a nuisance term that keeps sparse one-class sources from looking correlated by abstaining together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VoteRate {
    sources: [usize; 1],
    class: Vote,
}

impl VoteRate {
    /// Of source `source` and class `class`.
    pub fn new(source: usize, class: Vote) -> Self {
        Self { sources: [source], class }
    }
}

one_class_dependency!(VoteRate, "vote_rate", sources: 1, reads_class: false, |votes, _, class| indicator(votes[0] == class));
