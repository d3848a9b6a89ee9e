//! The correlation dependency.

use super::{DependencyError, DependencyType, Shape, indicator};
use crate::sources::Vote;

/// Sources j and l say the same more often than their accuracies explain; abstaining together counts.
///
/// # Formula
/// ```text
/// φ(λ_j, λ_l) = 1{ λ_j = λ_l }
/// ```
/// # Domain
/// 0 or 1.
///
/// # When it holds
/// Copied, composed or related sources. It cancels from the posterior of the class given all votes.
///
/// # Reference
/// Bach et al. (2017), section 3, the Cor dependency of Eq. (3).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Correlation {
    sources: [usize; 2],
}

impl Correlation {
    pub(crate) const SHAPE: Shape = Shape { name: "correlation", sources: 2, class: false, ordered: false };

    /// Of the different sources `j` and `l`.
    pub fn new(j: usize, l: usize) -> Result<Self, DependencyError> {
        Self::from_parts(&[j, l], None)
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let (sources, _) = Self::SHAPE.check(sources, class)?;
        Ok(Self { sources })
    }
}

impl DependencyType for Correlation {
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
        indicator(votes[0] == votes[1])
    }
}
