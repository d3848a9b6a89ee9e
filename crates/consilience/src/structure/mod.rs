//! Which sources depend on each other.

mod candidates;
mod graph;
mod pseudolikelihood;
mod sgd;

pub use candidates::{LinkType, UnknownLinkType, exact_copies};
pub use graph::{LearnedDependency, Structure};
pub use pseudolikelihood::{Conditional, OutsideDomain};
pub use sgd::{
    DEFAULT_EPSILON, OwnRates, Precision, SgdError, SgdFit, SgdOptions, SgdProblem, learn_sgd,
};
