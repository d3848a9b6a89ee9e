//! Tables into files.

mod error;
mod output;

pub use error::{WriteError, WriteProblem};
pub use output::Output;
