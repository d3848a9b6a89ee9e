//! The conjunction dependency.

use super::{DependencyError, DependencyType, Shape, indicator};
use crate::sources::Vote;

/// Sources j and l are right together more often than each of them alone explains.
///
/// # Formula
/// ```text
/// φ(λ_j, λ_l, y) = 1{ λ_j = y and λ_l = y }
/// ```
/// # Domain
/// 0 or 1.
///
/// # When it holds
/// Sources that find the same easy items.
///
/// # Reference
/// Bach et al. (2017), section 3, the And dependency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conjunction {
    sources: [usize; 2],
}

impl Conjunction {
    pub(crate) const SHAPE: Shape = Shape { name: "conjunction", sources: 2, class: false, ordered: false };

    /// Of the different sources `j` and `l`.
    pub fn new(j: usize, l: usize) -> Result<Self, DependencyError> {
        Self::from_parts(&[j, l], None)
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let (sources, _) = Self::SHAPE.check(sources, class)?;
        Ok(Self { sources })
    }
}

impl DependencyType for Conjunction {
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
        indicator(votes[0] == y && votes[1] == y)
    }
}
