//! The conditional of one vote given the others and its scores, sixteen problems side by side.
//!
//! | file | holds |
//! |---|---|
//! | `kernel.rs` | the conditional, Eq. (4) of the paper, and its scores |
//! | `class_free.rs` | if no link reads the class: the sum over it in closed form |
//! | `class_reading.rs` | if some link does: the table over vote and class |
//! | `many_classes.rs` | classes that nobody votes for in a row, in closed form |
//! | `block.rs` | the scores of a block of rows |
//! | `pass.rs` | one pass over the rows: likelihood and gradient |
//!
//! Hands on: likelihood, gradient and the scores of each row, to the curvature and the solver.

pub(crate) mod block;
pub(crate) mod class_free;
pub(crate) mod class_reading;
pub(crate) mod kernel;
pub(crate) mod many_classes;
pub(crate) mod pass;
