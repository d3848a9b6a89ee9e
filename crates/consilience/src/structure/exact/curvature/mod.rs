//! Second derivatives and the outer product of scores, for Newton steps and standard errors.
//!
//! | file | holds |
//! |---|---|
//! | `cooccurrence.rs` | the curvature at the start, from how often votes occur together |
//! | `information.rs` | the information matrix of a batch, by one of the next two |
//! | `dense.rs` | the outer product of scores if most sources vote |
//! | `sparse.rs` | the same if few do |
//! | `expected.rs` | what the model expects of it |
//!
//! Hands on: matrices, to the solver.

pub(crate) mod cooccurrence;
pub(crate) mod dense;
pub(crate) mod expected;
pub(crate) mod information;
pub(crate) mod sparse;
