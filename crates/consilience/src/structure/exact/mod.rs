//! The marginal pseudolikelihood of every source maximised to its optimum, with standard errors.

mod block;
mod context;
mod contrast;
mod cooccurrence;
mod dense;
mod feature;
mod fit;
mod free;
mod group;
mod information;
mod kernel;
mod layout;
mod lists;
mod newton;
mod options;
mod pass;
mod penalised;
mod problem;
mod reading;
mod rows;
mod span;
mod sparse;
mod state;

pub(in crate::structure) use feature::Feature;
pub(in crate::structure) use fit::fit_path;
pub use fit::{ExactFit, SourceFit, fit};
pub use options::{ExactError, ExactOptions};
