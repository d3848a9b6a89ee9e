//! Planted-truth worlds, brute-force enumeration, finite differences and contract checks for tests.
//!
//! Nothing here shares code with what it checks beyond φ itself, and φ is checked against the contract's table written
//! out a second time in `tests/it/dependencies.rs` of the core crate.

mod enumeration;
mod finite_difference;
mod panel;
mod planted;
mod random_model;
mod skip;
pub mod tables;

pub use enumeration::Enumeration;
pub use finite_difference::gradient;
pub use panel::repeating_panel;
pub use planted::structure_of;
pub use random_model::{factor_of, random_model};
pub use skip::{real_tables, skip};

/// Whether two numbers agree to `tolerance`, relative to the larger one if that is above 1.
pub fn close(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs()).max(1.0)
}

/// Whether two numbers agree to `tolerance` relative to the larger one; below 1e-15 both are zero.
pub fn close_relative(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * a.abs().max(b.abs()) + 1e-15
}
