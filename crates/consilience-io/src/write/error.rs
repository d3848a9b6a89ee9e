//! Why a file cannot be written: which one, what is wrong, what to do about it.

use std::io;

use crate::one_line::one_line;

/// Why a file cannot be written. Its text is one line.
#[derive(Debug, thiserror::Error)]
#[error("{}", one_line(&format!("{file}: {problem}")))]
#[non_exhaustive]
pub struct WriteError {
    /// The file, as the user named it.
    pub file: String,
    /// What is wrong, and what to do.
    pub problem: Box<WriteProblem>,
}

impl WriteError {
    pub(crate) fn new(file: &str, problem: impl Into<WriteProblem>) -> Self {
        Self { file: file.to_string(), problem: Box::new(problem.into()) }
    }

    /// The same, for an output that is written to as it comes if `direct`: part of it may be there.
    pub(crate) fn on(file: &str, direct: bool, problem: impl Into<WriteProblem>) -> Self {
        Self::new(
            file,
            match problem.into() {
                WriteProblem::NoSpace if direct => WriteProblem::NoSpaceLeftOnStream,
                problem => problem,
            },
        )
    }

    /// Whether the reader of a pipe has stopped reading (`consilience ... | head`), which is not an error.
    pub fn is_broken_pipe(&self) -> bool {
        matches!(&*self.problem, WriteProblem::Io(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }
}

/// What is wrong with an output.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteProblem {
    /// The folder is not there.
    #[error("its folder does not exist; create it first")]
    MissingFolder,
    /// The name is a folder's.
    #[error("this is a directory; name a file in it")]
    Directory,
    /// No permission.
    #[error("no permission to write it; check the owner and mode of the file and its folder")]
    Permission,
    /// The file system may only be read.
    #[error("its file system is read-only; write somewhere else")]
    ReadOnly,
    /// No space.
    #[error("no space left on the device; free some space and run again (no partial file was left)")]
    NoSpace,
    /// No space, behind a pipe or another output that is written to as it comes.
    #[error(
        "no space left on the device; what was written so far is incomplete: free some space and run again"
    )]
    NoSpaceLeftOnStream,
    /// The system refused to write.
    #[error("it cannot be written ({0}); check the disk and try again")]
    Io(#[source] io::Error),
    /// The name promises no format.
    #[error(
        "the name does not say which format to write; use the extension .csv, .tsv, .jsonl, .parquet or .arrow (add .gz or .zst to the first three to compress)"
    )]
    NoFormat,
    /// Formats that pack themselves.
    #[error("Parquet and Arrow are already compressed; remove .gz or .zst from the name")]
    Packed,
    /// Parquet or Arrow, which this build leaves out.
    #[error(
        "Parquet and Arrow are left out of this build (cargo feature \"columnar\", on by default); use .csv, .tsv or .jsonl, or build with the feature"
    )]
    LeftOut,
    /// A library refused.
    #[error("it cannot be written as {what} ({detail})")]
    Encode {
        /// The format.
        what: &'static str,
        /// What the encoder says.
        detail: String,
    },
    /// Columns do not fit.
    #[error("the {what} has {found} entries, but there are {expected} items")]
    Lengths {
        /// Which column.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The number of items.
        expected: usize,
    },
    /// A source is called like another column of the file.
    #[error("a source has the name of the {what} column, \"{name}\"; rename one of them")]
    NameTaken {
        /// The name.
        name: String,
        /// The other column.
        what: &'static str,
    },
}

impl From<io::Error> for WriteProblem {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::NotADirectory => Self::MissingFolder,
            io::ErrorKind::IsADirectory => Self::Directory,
            io::ErrorKind::PermissionDenied => Self::Permission,
            io::ErrorKind::ReadOnlyFilesystem => Self::ReadOnly,
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => {
                Self::NoSpace
            }
            _ => Self::Io(error),
        }
    }
}
