//! The exclusive dependency.

use super::{DependencyError, DependencyType, Shape, indicator};
use crate::sources::{ABSTAIN, Vote};

/// Sources j and l do not vote on the same items (positive weight).
///
/// # Formula
/// ```text
/// φ(λ_j, λ_l) = -1{ λ_j ≠ 0 and λ_l ≠ 0 }
/// ```
/// # Domain
/// -1 or 0.
///
/// # When it holds
/// Rules for different parts of the data, or shifts of annotators.
///
/// # Reference
/// Ratner et al., Data programming (2016), exclusive dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exclusive {
    sources: [usize; 2],
}

impl Exclusive {
    pub(crate) const SHAPE: Shape = Shape { name: "exclusive", sources: 2, class: false, ordered: false };

    /// Of the different sources `j` and `l`.
    pub fn new(j: usize, l: usize) -> Result<Self, DependencyError> {
        Self::from_parts(&[j, l], None)
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let (sources, _) = Self::SHAPE.check(sources, class)?;
        Ok(Self { sources })
    }
}

impl DependencyType for Exclusive {
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
        -indicator(votes[0] != ABSTAIN && votes[1] != ABSTAIN)
    }
}
