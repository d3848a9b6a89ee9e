//! Tables for people.

mod analysis;
mod table;

pub(crate) use analysis::analysis;
