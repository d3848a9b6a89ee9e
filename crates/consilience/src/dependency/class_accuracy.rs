//! The class accuracy dependency.

use super::accuracy::signed_match;
use super::{DependencyError, DependencyType, Shape, indicator};
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
    pub(crate) const SHAPE: Shape = Shape { name: "class_accuracy", sources: 1, class: true, ordered: false };

    /// Of source `source` and class `class`.
    pub fn new(source: usize, class: Vote) -> Self {
        Self { sources: [source], class }
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let (sources, class) = Self::SHAPE.check(sources, class)?;
        Ok(Self { sources, class })
    }
}

impl DependencyType for ClassAccuracy {
    fn name(&self) -> &'static str {
        Self::SHAPE.name
    }

    fn sources(&self) -> &[usize] {
        &self.sources
    }

    fn class(&self) -> Option<Vote> {
        Some(self.class)
    }

    fn reads_class(&self) -> bool {
        true
    }

    fn phi(&self, votes: &[Vote], y: Vote) -> f64 {
        indicator(y == self.class) * signed_match(votes[0], y)
    }
}
