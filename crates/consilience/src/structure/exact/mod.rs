//! The marginal pseudolikelihood of every source, maximized exactly, with standard errors.
//!
//! Each layer uses only those above it:
//!
//! | layer | does |
//! |---|---|
//! | `tail.rs`, `options.rs` | tail probabilities of sums; what can be set |
//! | `table/` | the votes as the solver reads them |
//! | `kernels/` | the conditional of one vote and its scores |
//! | `curvature/` | matrices of second derivatives and of scores |
//! | `solver/` | the optimum of every problem, in rounds |
//! | `estimate.rs`, `fit.rs` | how long it will take; from votes to estimates |

mod curvature;
mod estimate;
mod fit;
mod kernels;
mod options;
mod solver;
mod table;
mod tail;

pub use fit::fit;
pub(in crate::structure) use fit::fit_path;
pub use options::{ExactError, ExactOptions};
pub use solver::estimates::{ExactFit, SourceFit};
pub(in crate::structure) use solver::screen::nearer_to_zero;
pub(in crate::structure) use table::feature::Feature;
pub use table::meetings::FEWEST_COMMON_ITEMS;
