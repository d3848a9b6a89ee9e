//! The class agreement dependency.

use super::{DependencyError, DependencyType, Shape, indicator};
use crate::sources::{ABSTAIN, Vote};

/// Sources j and l vote for the same class, right or wrong, more often on items of class c.
///
/// # Formula
/// ```text
/// φ(λ_j, λ_l, y) = 1{ y = c } · 1{ λ_j = λ_l ≠ 0 }
/// ```
/// # Domain
/// 0 or 1.
///
/// # When it holds
/// Judges that fail together on one class. It stays in the posterior, which becomes quadratic in the votes.
///
/// # Reference
/// arXiv 2601.22336, class-dependent couplings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClassAgreement {
    sources: [usize; 2],
    class: Vote,
}

impl ClassAgreement {
    pub(crate) const SHAPE: Shape =
        Shape { name: "class_agreement", sources: 2, class: true, ordered: false };

    /// Of the different sources `j` and `l` and class `class`.
    pub fn new(j: usize, l: usize, class: Vote) -> Result<Self, DependencyError> {
        Self::from_parts(&[j, l], Some(class))
    }

    pub(crate) fn from_parts(sources: &[usize], class: Option<Vote>) -> Result<Self, DependencyError> {
        let (sources, class) = Self::SHAPE.check(sources, class)?;
        Ok(Self { sources, class })
    }
}

impl DependencyType for ClassAgreement {
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
        indicator(y == self.class && votes[0] == votes[1] && votes[0] != ABSTAIN)
    }
}
