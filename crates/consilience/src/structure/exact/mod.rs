//! The marginal pseudolikelihood of every source maximised to its optimum, with standard errors.

mod context;
mod feature;
mod fit;
mod information;
mod newton;
mod options;
mod pass;
mod rows;
mod scores;

pub(in crate::structure) use feature::Feature;
pub use fit::{ExactFit, SourceFit, fit};
pub use options::{ExactError, ExactOptions};
