//! The fixing dependency.

use super::indicator;
use super::pair::pair_dependency;
use crate::sources::ABSTAIN;

pair_dependency! {
    /// Source j is corrected by source l: where j is wrong, l tends to be right.
    ///
    /// # Formula
    /// ```text
    /// φ(λ_j, λ_l, y) = 1{ λ_j ≠ 0, λ_j ≠ y, λ_l = y } - 1{ λ_j = 0 and λ_l ≠ 0 }
    /// ```
    /// # Domain
    /// -1, 0 or 1.
    ///
    /// # When it holds
    /// An exception (l) written for the mistakes of a broad rule (j). Directed: the first source is j, the second l.
    ///
    /// # Reference
    /// Ratner et al., Data programming (2016), fixing dependency.
    Fixing, "fixing", directed: true, reads_class: true,
    |votes, y| {
        indicator(votes[0] != ABSTAIN && votes[0] != y && votes[1] == y)
            - indicator(votes[0] == ABSTAIN && votes[1] != ABSTAIN)
    }
}
