//! Tables into files.

#[cfg(feature = "columnar")]
mod columnar;
mod error;
mod labels;
mod output;
mod packed;
mod table;
mod texts;
mod training;
mod vote_rows;
mod votes;

pub use error::{WriteError, WriteProblem};
pub use labels::{AnsweredLabel, LabelRow, LabelWriter, write_labels};
pub use output::Output;
pub(crate) use packed::Packed;
pub use table::check_format;
pub use texts::TextTableWriter;
pub use training::{TrainingFileWriter, TrainingLayout};
pub use vote_rows::VoteRowWriter;
pub use votes::{VotesLayout, WriteVotes, write_votes};
