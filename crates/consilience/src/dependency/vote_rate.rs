//! The vote rate dependency.

use super::{DependencyError, DependencyType, Shape, indicator};
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
    pub(crate) const SHAPE: Shape = Shape { name: "vote_rate", sources: 1, class: true, ordered: false };

    /// Of source `source` and class `class`.
    pub fn new(source: usize, class: Vote) -> Self {
        Self { sources: [source], class }
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let (sources, class) = Self::SHAPE.check(sources, class)?;
        Ok(Self { sources, class })
    }
}

impl DependencyType for VoteRate {
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
        false
    }

    fn phi(&self, votes: &[Vote], _y: Vote) -> f64 {
        indicator(votes[0] == self.class)
    }
}
