//! The correlation dependency.

use super::indicator;
use super::pair::pair_dependency;

pair_dependency! {
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
    Correlation, "correlation", directed: false, reads_class: false,
    |votes, _y| indicator(votes[0] == votes[1])
}
