//! Probabilistic labels from the votes of noisy sources, without ground truth, and with the dependencies between the
//! sources learned from the votes alone.
//!
//! The way of the data:
//! ```text
//! sources + items --apply--> votes --learn--> structure --fit--> model --infer--> labels --> report
//!                                                       answers --^      answers --certify--> certificate
//! ```
//! Modules stand in the order of that way; each uses only those above it.

pub mod interval;
pub mod num;
pub(crate) mod optim;
pub mod rng;
pub mod watch;

pub mod sources;

pub mod votes;

pub mod answers;

pub mod dependency;

pub mod structure;

pub mod model;

pub mod labels;

pub mod end_model;

pub mod report;

pub mod certificate;
