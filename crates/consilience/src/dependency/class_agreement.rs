//! The class agreement dependency.

use super::one_class::one_class_dependency;
use super::{DependencyError, indicator};
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
    /// Of the different sources `j` and `l` and class `class`.
    pub fn new(j: usize, l: usize, class: Vote) -> Result<Self, DependencyError> {
        Self::from_parts(&[j, l], Some(class))
    }
}

one_class_dependency!(ClassAgreement, "class_agreement", sources: 2, reads_class: true, |votes, y, class| {
    indicator(y == class && votes[0] == votes[1] && votes[0] != ABSTAIN)
});
