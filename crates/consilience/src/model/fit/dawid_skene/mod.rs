//! The class-conditional model of Dawid and Skene by expectation maximisation.
//!
//! | file | holds |
//! |---|---|
//! | `known_classes.rs` | items whose class is known |
//! | `model.rs` | confusion matrices, one per source |

pub(crate) mod known_classes;
pub(crate) mod model;
