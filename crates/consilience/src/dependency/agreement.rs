//! The agreement dependency.

use super::indicator;
use super::pair::pair_dependency;
use crate::sources::ABSTAIN;

pair_dependency! {
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
    Agreement, "agreement", directed: false, reads_class: false,
    |votes, _y| indicator(votes[0] == votes[1] && votes[0] != ABSTAIN)
}
