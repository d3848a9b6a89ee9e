//! The agreement dependency.

use super::{DependencyError, DependencyType, Shape, indicator};
use crate::sources::{ABSTAIN, Vote};

/// Sources j and l vote for the same class more often than their accuracies explain; abstaining does not count.
///
/// # Formula
/// ```text
/// φ(λ_j, λ_l) = 1{ λ_j = λ_l ≠ 0 }
/// ```
/// # Domain
/// 0 or 1.
///
/// # When it holds
/// Sparse sources, where both abstaining is the common case and says little.
///
/// # Reference
/// None: the correlation of the paper without the shared abstain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Agreement {
    sources: [usize; 2],
}

impl Agreement {
    pub(crate) const SHAPE: Shape = Shape { name: "agreement", sources: 2, class: false, ordered: false };

    /// Of the different sources `j` and `l`.
    pub fn new(j: usize, l: usize) -> Result<Self, DependencyError> {
        Self::from_parts(&[j, l], None)
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let (sources, _) = Self::SHAPE.check(sources, class)?;
        Ok(Self { sources })
    }
}

impl DependencyType for Agreement {
    fn name(&self) -> &'static str {
        Self::SHAPE.name
    }

    fn sources(&self) -> &[usize] {
        &self.sources
    }

    fn reads_class(&self) -> bool {
        false
    }

    fn phi(&self, votes: &[Vote], _y: Vote) -> f64 {
        indicator(votes[0] == votes[1] && votes[0] != ABSTAIN)
    }
}
