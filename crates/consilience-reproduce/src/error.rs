//! Why an experiment cannot be run.

use std::path::{Path, PathBuf};

use crate::Figure;

/// Why an experiment cannot be run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReproduceError {
    /// The folder cannot be created.
    #[error("{}: this folder cannot be created or written to ({problem}); name another one", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system says.
        problem: std::io::Error,
    },
    /// A file of finished points that cannot be used.
    #[error("{}: this is not a table of finished points ({problem}); remove it to run them again", path.display())]
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
    /// A figure cannot be described again because a finished point is missing.
    #[error("{figure}: this point is not among the finished ones: {point}; run {figure} again")]
    Missing {
        /// The figure.
        figure: Figure,
        /// The settings of the point.
        point: String,
    },
    /// A table of votes or texts cannot be read.
    #[error(transparent)]
    Read(#[from] consilience_io::ReadError),
    /// A folder of real tables that cannot be used.
    #[error("{}: {problem}", path.display())]
    Data {
        /// The folder or file.
        path: PathBuf,
        /// What is wrong and what to do.
        problem: String,
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
    pub(crate) fn points(path: &Path, problem: &(impl ToString + ?Sized)) -> Self {
        Self::Points { path: path.to_path_buf(), problem: problem.to_string() }
    }

    pub(crate) fn data(path: &Path, problem: &(impl ToString + ?Sized)) -> Self {
        Self::Data { path: path.to_path_buf(), problem: problem.to_string() }
    }

    pub(crate) fn experiment(
        experiment: &(impl ToString + ?Sized),
        problem: &(impl ToString + ?Sized),
    ) -> Self {
        Self::Experiment { experiment: experiment.to_string(), problem: problem.to_string() }
    }
}
