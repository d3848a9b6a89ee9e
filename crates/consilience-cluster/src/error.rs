//! Why a cluster cannot do it.

use std::path::PathBuf;

use consilience_sources::{ApplyError, DataError};

use crate::Address;

/// Why sources cannot be applied on a cluster.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClusterError {
    /// Nobody answers there.
    #[error(
        "cluster {address}: no scheduler answers there ({detail}); check the address, and that `consilience cluster scheduler` runs"
    )]
    NotThere {
        /// The address.
        address: Address,
        /// What happened.
        detail: String,
    },
    /// There is a scheduler, but nobody to work.
    #[error(
        "cluster {address}: the scheduler had no executors for {seconds} seconds; start `consilience cluster executor {address}` on the worker machines"
    )]
    NoExecutors {
        /// The address.
        address: Address,
        /// How long nobody was there.
        seconds: u64,
    },
    /// It was there and is gone.
    #[error("cluster {address}: the connection was lost during the job ({detail}); nothing was written")]
    Gone {
        /// The address.
        address: Address,
        /// What happened.
        detail: String,
    },
    /// A node of ours is not known there.
    #[error(
        "cluster {address}: its scheduler or an executor is not from Consilience, which is needed because {why}; start `consilience cluster scheduler` and `consilience cluster executor`"
    )]
    Stock {
        /// The address.
        address: Address,
        /// Why plain SQL does not do.
        why: String,
    },
    /// The work failed there.
    #[error("cluster {address}: {detail}")]
    Failed {
        /// The address.
        address: Address,
        /// What it says.
        detail: String,
    },
    /// Programs run only here.
    #[error(
        "source {source_name:?} (line {line}): runs a program, and programs do not run on a cluster; apply without a cluster, or keep the program's answers in a column"
    )]
    Command {
        /// The source.
        source_name: String,
        /// Its position in the file.
        line: usize,
    },
    /// Standard input is not on the cluster.
    #[error("standard input is not on the cluster; name files that all its machines can read")]
    Stdin,
    /// A folder of labels cannot be created.
    #[error("{}: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// Why.
        error: std::io::Error,
    },
    /// A folder of labels is not where it seemed.
    #[error(
        "{}: the executors wrote the labels, but this machine cannot see them; name a folder that all machines share, or a file",
        folder.display()
    )]
    NotShared {
        /// The folder.
        folder: PathBuf,
    },
    /// The data is not what it was.
    #[error("the data changed while it was labelled: {detail}; run it again")]
    Changed {
        /// What is different.
        detail: String,
    },
    /// The data cannot be read here.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The sources cannot be applied, or the result not be taken.
    #[error(transparent)]
    Apply(#[from] ApplyError),
    /// The plan cannot be created: a bug.
    #[error("the plan for the cluster cannot be created: {0}")]
    Plan(String),
}

impl From<datafusion::error::DataFusionError> for ClusterError {
    fn from(error: datafusion::error::DataFusionError) -> Self {
        Self::Plan(error.strip_backtrace())
    }
}

/// Markers around our own messages, to find them in the errors of other libraries.
const MARKS: [char; 2] = ['\u{2e22}', '\u{2e23}'];

/// A message that can be found again in what others make of it.
pub(crate) fn marked(message: &str) -> String {
    format!("{}{message}{}", MARKS[0], MARKS[1])
}

/// Longer texts of others are cut.
const MOST: usize = 400;

/// What a failed job says: our own message if there is one, or its line without the names of types.
pub(crate) fn told(error: &str) -> String {
    let ours = error.split_once(MARKS[0]).and_then(|(_, rest)| rest.split_once(MARKS[1]));
    if let Some((message, _)) = ours {
        return message.replace("\\\"", "\"").replace("\\\\", "\\");
    }
    let mut line = error.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(at) = line.find("Job failed due to stage") {
        line.drain(..at);
    }
    if let Some((at, _)) = line.char_indices().nth(MOST) {
        line.truncate(at);
        line.push_str(" ...");
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_messages_are_found_in_those_of_others() {
        let inner = format!("{:?}", marked("source \"a\": cannot be read"));
        let told = told(&format!("Job 1 failed: DataFusionError(Execution({inner}))\n\tat x"));
        assert_eq!(told, "source \"a\": cannot be read");
        assert_eq!(super::told("Execution error:\n  divide by zero"), "Execution error: divide by zero");
    }
}
