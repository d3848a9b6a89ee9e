//! The votes as the solver reads them: which sources are solved together, which rows, which parameters.
//!
//! | file | holds |
//! |---|---|
//! | `rows.rs` | the distinct rows of the sources that can be told apart, in blocks |
//! | `lists.rs` | those rows by row and by source |
//! | `contrast.rs` | votes against what most of a row says |
//! | `batch.rs` | the sources whose problems are solved side by side |
//! | `numbering.rs` | how the parameters of a problem are numbered |
//! | `feature.rs` | how a link of each type enters a problem |
//! | `meetings.rs` | how often sources meet |
//! | `context.rs` | what the other sources say about the class |
//! | `span.rs` | which rows a pass goes over |
//! | `view.rs` | what the problems of one batch see of the table |
//!
//! Hands on: rows, batches of sixteen problems and the prior of the class in each row, to the kernels.

pub(crate) mod batch;
pub(crate) mod context;
pub(crate) mod contrast;
pub(crate) mod feature;
pub(crate) mod lists;
pub(crate) mod meetings;
pub(crate) mod numbering;
pub(crate) mod rows;
pub(crate) mod span;
pub(crate) mod view;
