//! Which sources depend on each other.

mod candidates;
mod exact;
mod graph;
mod learn;
mod pseudolikelihood;
mod select;

pub use candidates::{LinkType, UnknownLinkType, exact_copies};
pub use exact::{ExactError, ExactFit, ExactOptions, SourceFit, fit as fit_exact};
pub use graph::{LearnedDependency, Structure};
pub use learn::learn_exact;
pub use pseudolikelihood::{Conditional, OutsideDomain};
pub use select::{AUTO_ERROR, AUTO_WEIGHT, Select, SelectError};
