//! The reinforcing dependency.

use super::indicator;
use super::pair::pair_dependency;
use crate::sources::ABSTAIN;

pair_dependency! {
    /// Source j backs source l up: where l votes, j tends to vote too, and both are right.
    ///
    /// # Formula
    /// ```text
    /// φ(λ_j, λ_l, y) = 1{ λ_j = λ_l = y } - 1{ λ_j = 0 and λ_l ≠ 0 }
    /// ```
    /// # Domain
    /// -1, 0 or 1.
    ///
    /// # When it holds
    /// A rule (j) that was written to confirm what another one (l) finds. Directed: the first source is j, the second l.
    ///
    /// # Reference
    /// Ratner et al., Data programming (2016), reinforcing dependency.
    Reinforcing, "reinforcing", directed: true, reads_class: true,
    |votes, y| {
        indicator(votes[0] == y && votes[1] == y) - indicator(votes[0] == ABSTAIN && votes[1] != ABSTAIN)
    }
}
