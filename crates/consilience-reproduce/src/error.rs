//! Why an experiment cannot be run.

use std::path::{Path, PathBuf};

/// Why an experiment cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// The folder cannot be made.
    #[error("{}: this folder cannot be made ({problem}); name another one", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        problem: std::io::Error,
    },
    /// A file of finished points that cannot be used.
    #[error("{}: this is no table of finished points ({problem}); remove it to run them again", path.display())]
    Points {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] consilience_io::WriteError),
    /// The number of trials.
    #[error("trials must be between 1 and {most}, but is {value}")]
    Trials {
        /// What was asked for.
        value: usize,
        /// The most there may be.
        most: usize,
    },
    /// Something in an experiment itself went wrong.
    #[error("{experiment}: {problem}")]
    Experiment {
        /// Which one.
        experiment: String,
        /// What is wrong.
        problem: String,
    },
}

impl ReproduceError {
    pub(crate) fn points(path: &Path, problem: &impl ToString) -> Self {
        Self::Points { path: path.to_path_buf(), problem: problem.to_string() }
    }

    pub(crate) fn experiment(
        experiment: &(impl ToString + ?Sized),
        problem: &(impl ToString + ?Sized),
    ) -> Self {
        Self::Experiment { experiment: experiment.to_string(), problem: problem.to_string() }
    }
}
