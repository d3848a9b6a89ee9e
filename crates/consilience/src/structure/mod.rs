//! Which sources depend on each other.

mod candidates;
mod graph;
mod pseudolikelihood;

pub use candidates::{LinkType, UnknownLinkType, exact_copies};
pub use graph::{LearnedDependency, Structure};
pub use pseudolikelihood::{Conditional, OutsideDomain};
