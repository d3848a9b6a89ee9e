//! Runs declared sources on a Ballista cluster: the data stays where it is, and votes, patterns or labels come back.
//!
//! The plan is made here ([`Remote`]) and sent to a scheduler as a physical plan. Where all sources are plain expressions of the
//! query engine and the data is Parquet, it holds nothing of ours, and any Ballista 55 can run it. Otherwise its leaves are nodes of
//! ours (`node`), which the scheduler and executors of this crate know ([`scheduler`], [`executor`]).
//!
//! A task is a part of the data (`consilience_sources::Part`): a lost one is run again elsewhere, by the scheduler while the job runs
//! and by the client where results are lost before they are fetched.

mod address;
mod codec;
mod error;
pub mod executor;
mod faults;
mod http;
mod job;
mod labels;
mod node;
mod plans;
mod ports;
mod remote;
pub mod scheduler;
mod session;
mod table;
mod tables;
mod write;

pub use address::Address;
pub use error::ClusterError;
pub use labels::PatternLabels;
pub use remote::{ClusterOptions, Patterns, Remote};
