//! The accuracy dependency.

use super::{DependencyError, DependencyType, Shape};
use crate::sources::{ABSTAIN, Vote};

/// Source j is right more often than wrong (positive weight), or less often (negative).
///
/// # Formula
/// ```text
/// φ(λ_j, y) = +1 where λ_j = y,  -1 where λ_j ≠ y and λ_j ≠ 0,  0 where λ_j = 0
///          (y λ_j for classes written -1 and +1)
/// ```
/// # Domain
/// -1, 0 or 1.
///
/// # When it holds
/// For every source.
///
/// # Reference
/// Bach et al. (2017), section 2, the accuracy dependency of Eq. (1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accuracy {
    sources: [usize; 1],
}

impl Accuracy {
    pub(crate) const SHAPE: Shape = Shape { name: "accuracy", sources: 1, class: false, ordered: false };

    /// Of source `source`.
    pub fn new(source: usize) -> Self {
        Self { sources: [source] }
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let (sources, _) = Self::SHAPE.check(sources, class)?;
        Ok(Self { sources })
    }
}

impl DependencyType for Accuracy {
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
        signed_match(votes[0], y)
    }
}

/// +1 if `vote` is `y`, -1 if it is another class, 0 if it abstains.
pub(super) fn signed_match(vote: Vote, y: Vote) -> f64 {
    if vote == ABSTAIN {
        0.0
    } else if vote == y {
        1.0
    } else {
        -1.0
    }
}
