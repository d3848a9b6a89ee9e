//! Which sources depend on each other.

mod candidates;
mod composition;
mod curvature;
mod exact;
mod graph;
mod graphml;
mod graphviz;
mod learn;
mod left_out;
mod likelihood;
mod mirrors;
mod origin;
mod path;
mod plan;
mod presence;
mod pseudolikelihood;
mod reselect;
mod select;
mod sgd;

pub use candidates::{LinkType, UnknownLinkType, exact_copies};
pub use composition::{Composition, CompositionWay};
pub use curvature::{Curvature, CurvatureError};
pub use exact::{ExactError, ExactFit, ExactOptions, FEWEST_COMMON_ITEMS, SourceFit, fit as fit_exact};
pub use graph::{LearnedDependency, Repetition, Repetitions, Structure, StructureError};
pub use graphml::graphml;
pub use graphviz::graphviz;
pub use learn::learn_exact;
pub use left_out::{LeftOut, Reason};
pub use likelihood::{LikelihoodFit, LikelihoodOptions, learn_likelihood};
pub use mirrors::mirror_images;
pub use origin::Origin;
pub use path::{Path, PathStep, default_epsilons, learn_path, learn_with_path};
pub use plan::{
    ByRule, Plan, PlanError, PlanOptions, corollary_rows, possible_dependencies, practice_rows, theorem_rows,
};
pub use pseudolikelihood::{Conditional, OutsideDomain};
pub use select::{AUTO_ERROR, AUTO_WEIGHT, Select, SelectError};
pub use sgd::{DEFAULT_EPSILON, OwnRates, Precision, SgdError, SgdFit, SgdOptions, SgdProblem, learn_sgd};
