//! The conjunction dependency.

use super::indicator;
use super::pair::pair_dependency;

pair_dependency! {
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
    Conjunction, "conjunction", directed: false, reads_class: true,
    |votes, y| indicator(votes[0] == y && votes[1] == y)
}
