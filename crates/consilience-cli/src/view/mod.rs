//! Tables for people.

mod analysis;
mod table;

pub use analysis::analysis;
