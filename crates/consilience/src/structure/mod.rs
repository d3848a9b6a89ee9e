//! Which sources depend on each other.

mod pseudolikelihood;

pub use pseudolikelihood::{Conditional, OutsideDomain};
