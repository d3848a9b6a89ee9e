//! The class accuracy dependency.

use super::accuracy::signed_match;
use super::indicator;
use super::one_class::one_class_dependency;
use crate::sources::Vote;

/// Source j is right more often than wrong on items of class c.
///
/// # Formula
/// ```text
/// φ(λ_j, y) = 1{ y = c } · accuracy_j(λ_j, y)
/// ```
/// # Domain
/// -1, 0 or 1.
///
/// # When it holds
/// For a source that is good at one class and bad at another.
///
/// # Reference
/// Dawid and Skene (1979), one row of the confusion matrix reduced to right and wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassAccuracy {
    sources: [usize; 1],
    class: Vote,
}

impl ClassAccuracy {
    /// Of source `source` and class `class`.
    pub fn new(source: usize, class: Vote) -> Self {
        Self { sources: [source], class }
    }
}

one_class_dependency!(ClassAccuracy, "class_accuracy", sources: 1, reads_class: true, |votes, y, class| {
    indicator(y == class) * signed_match(votes[0], y)
});
