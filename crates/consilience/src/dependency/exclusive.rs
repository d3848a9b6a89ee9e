//! The exclusive dependency.

use super::indicator;
use super::pair::pair_dependency;
use crate::sources::ABSTAIN;

pair_dependency! {
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
    Exclusive, "exclusive", directed: false, reads_class: false,
    |votes, _y| -indicator(votes[0] != ABSTAIN && votes[1] != ABSTAIN)
}
