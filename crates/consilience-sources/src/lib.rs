//! Declared sources: from a file that says how sources vote, and data, to votes.
//!
//! ```
//! use std::path::Path;
//! use consilience_sources::{Applier, ApplyOptions, Data, SourcesFile};
//!
//! # let folder = tempfile::tempdir()?;
//! # let (sources, data) = (folder.path().join("sources.toml"), folder.path().join("data.csv"));
//! # std::fs::write(&data, "text\nfree money\nsee you soon\n")?;
//! std::fs::write(&sources, r#"
//! classes = ["ham", "spam"]
//! text = "text"
//!
//! [[source]]
//! name = "free"
//! vote = "spam"
//! keywords = ["free", "win"]
//!
//! [[source]]
//! name = "short"
//! vote = "ham"
//! sql = "length(text) > 10"
//! "#)?;
//! let file = SourcesFile::read(&sources)?;
//! let data = Data::find(&[data], None)?;
//! let applier = Applier::new(&file, &data, ApplyOptions::default())?;
//! let mut votes = Vec::new();
//! applier.run(|rows| { votes.extend_from_slice(&rows.votes); Ok(()) }, &|_| ())?;
//! assert_eq!(votes, [2, 0, 0, 1]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Voter`] runs sources over cells in memory, without SQL and programs, and [`rules`] has the rules themselves, for one text at a
//! time.

mod below;
#[cfg(feature = "engine")]
mod engine;
mod file;
pub mod rules;
#[cfg(feature = "files")]
mod voter;

#[cfg(feature = "engine")]
pub use engine::{
    Applier, ApplyError, ApplyOptions, Data, DataError, Dialect, OnFault, Origins, Part, PlainVotes, Plan,
    Progress, Rerun, RowFault, Rows, SourceSummary, Summary, Work, Worker, check, read_checked, rerun,
};
pub use file::{
    Block, Command, Declared, Fault, FileError, Keywords, Kind, Reading, Side, SourcesFile, Threshold,
};
#[cfg(feature = "files")]
pub use voter::{Cell, Entry, Needed, Scratch, Tables, Voter, VoterError};
