//! The propensity dependency.

use super::{DependencyError, DependencyType, Shape, indicator};
use crate::sources::{ABSTAIN, Vote};

/// Source j votes more or less often.
///
/// # Formula
/// ```text
/// φ(λ_j) = 1{ λ_j ≠ 0 }
/// ```
/// # Domain
/// 0 or 1.
///
/// # When it holds
/// For every source whose share of abstains is not what its accuracy alone implies, which is every real one.
///
/// # Reference
/// Ratner et al., Data programming (2016), labeling propensity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Propensity {
    sources: [usize; 1],
}

impl Propensity {
    pub(crate) const SHAPE: Shape = Shape { name: "propensity", sources: 1, class: false, ordered: false };

    /// Of source `source`.
    pub fn new(source: usize) -> Self {
        Self { sources: [source] }
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let (sources, _) = Self::SHAPE.check(sources, class)?;
        Ok(Self { sources })
    }
}

impl DependencyType for Propensity {
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
        indicator(votes[0] != ABSTAIN)
    }
}
