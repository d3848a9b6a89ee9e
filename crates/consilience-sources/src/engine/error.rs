//! Why sources cannot be applied.

use super::data::DataError;

/// Why sources cannot be applied.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ApplyError {
    /// The data cannot be read.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The data cannot be part of a query.
    #[error("{data}: {message}")]
    Query {
        /// The data, as it was named.
        data: String,
        /// What is wrong and what to do.
        message: String,
    },
    /// A source cannot be prepared.
    #[error("source {source_name:?} (line {line}): {message}")]
    Source {
        /// The source.
        source_name: String,
        /// Its position in the file.
        line: usize,
        /// What is wrong and what to do.
        message: String,
    },
    /// The file runs programs, which nobody allowed.
    #[error(
        "source {source_name:?} (line {line}): runs the program {program:?}, which must be allowed first; do so only if you trust the file"
    )]
    CommandsNotAllowed {
        /// The source.
        source_name: String,
        /// Its position in the file.
        line: usize,
        /// The program.
        program: String,
    },
    /// A source failed on a row.
    #[error("source {source_name:?} failed on row {row}: {message}")]
    Fault {
        /// The source.
        source_name: String,
        /// The row of the data, from 1, over all files.
        row: u64,
        /// What happened.
        message: String,
    },
    /// The result could not be taken.
    #[error(transparent)]
    Sink(Box<dyn std::error::Error + Send + Sync>),
}
