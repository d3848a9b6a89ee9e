//! Runs declared sources over data, on DataFusion.
//!
//! All sources together are one logical plan ([`Plan`]): a scan of the columns that they read, and projections whose
//! expressions are SQL's own or scalar functions of ours. Here the plan's expressions are evaluated batch by batch on all
//! cores, in the order of the input, so that a fault of one source on one row costs that vote only.

mod check;
mod class;
mod columns;
mod command;
mod compose;
mod data;
mod dictionary;
mod error;
mod evaluate;
mod function;
mod growth;
mod items;
mod keywords;
mod layers;
mod many_rows;
mod open;
mod parts;
mod pipeline;
mod plain;
mod plan;
mod print_sql;
mod rerun;
mod run;
mod session;
mod sql;
mod survey;
mod work;

pub use check::{check, read_checked};
pub use data::{Data, DataError};
pub use error::ApplyError;
pub use evaluate::{RowFault, Rows};
pub use parts::Part;
pub use plain::PlainVotes;
pub use plan::Plan;
pub use print_sql::Dialect;
pub use rerun::{Origins, Rerun, rerun};
pub use run::{Applier, ApplyOptions, OnFault, Progress, SourceSummary, Summary};
pub use work::{Work, Worker};
