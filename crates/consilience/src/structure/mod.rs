//! Which sources depend on each other.

mod candidates;
mod curvature;
mod graph;
mod plan;
mod pseudolikelihood;
mod sgd;

pub use candidates::{LinkType, UnknownLinkType, exact_copies};
pub use curvature::Curvature;
pub use graph::{LearnedDependency, Structure};
pub use plan::{
    ByRule, Plan, PlanError, PlanOptions, corollary_rows, possible_dependencies, practice_rows, theorem_rows,
};
pub use pseudolikelihood::{Conditional, OutsideDomain};
pub use sgd::{DEFAULT_EPSILON, OwnRates, Precision, SgdError, SgdFit, SgdOptions, SgdProblem, learn_sgd};
