//! The reinforcing dependency.

use super::{DependencyError, DependencyType, Shape, indicator};
use crate::sources::{ABSTAIN, Vote};

/// Source j backs source l up: where l votes, j tends to vote too, and both are right.
///
/// # Formula
/// ```text
/// φ(λ_j, λ_l, y) = 1{ λ_j = λ_l = y } - 1{ λ_j = 0 and λ_l ≠ 0 }
/// ```
/// # Domain
/// -1, 0 or 1.
///
/// # When it holds
/// A rule (j) that was written to confirm what another one (l) finds. Directed: the first source is j, the second l.
///
/// # Reference
/// Ratner et al., Data programming (2016), reinforcing dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reinforcing {
    sources: [usize; 2],
}

impl Reinforcing {
    pub(crate) const SHAPE: Shape = Shape { name: "reinforcing", sources: 2, class: false, ordered: true };

    /// Of source `j` that backs up source `l`.
    pub fn new(j: usize, l: usize) -> Result<Self, DependencyError> {
        Self::from_parts(&[j, l], None)
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let (sources, _) = Self::SHAPE.check(sources, class)?;
        Ok(Self { sources })
    }
}

impl DependencyType for Reinforcing {
    fn name(&self) -> &'static str {
        Self::SHAPE.name
    }

    fn sources(&self) -> &[usize] {
        &self.sources
    }

    fn reads_class(&self) -> bool {
        true
    }

    fn phi(&self, votes: &[Vote], y: Vote) -> f64 {
        indicator(votes[0] == y && votes[1] == y) - indicator(votes[0] == ABSTAIN && votes[1] != ABSTAIN)
    }
}
