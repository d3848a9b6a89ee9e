//! Sources that run on a cluster.

use std::ffi::OsStr;
use std::time::Duration;

use consilience::votes::{Votes, VotesBuilder};
use consilience_cluster::{ClusterError, ClusterOptions, Remote};
use consilience_sources::{Applier, SourcesFile, Summary};

use super::sources::{self, Ready};
use consilience_cli::args::SourcesArgs;
use consilience_cli::terminal::Talk;

/// Refuses standard input, before it is waited for: the machines of a cluster cannot read it.
pub(crate) fn keep_off_standard_input(data: &[impl AsRef<OsStr>], how: &SourcesArgs) -> anyhow::Result<()> {
    if how.cluster.is_some() && data.iter().any(|name| name.as_ref() == "-") {
        return Err(ClusterError::Stdin.into());
    }
    Ok(())
}

/// Where sources run, and which they are.
pub(crate) struct Cluster {
    options: ClusterOptions,
    file: SourcesFile,
}

impl Cluster {
    /// The cluster that was named, if one was.
    pub(crate) fn of(file: &SourcesFile, how: &SourcesArgs) -> Option<Self> {
        let address = how.cluster.clone()?;
        let options =
            ClusterOptions { address, wait: Duration::from_secs(how.cluster_wait), rows: how.cluster_rows };
        Some(Self { options, file: file.clone() })
    }

    /// Makes the sources ready there.
    pub(crate) fn remote<'a>(&self, applier: &'a Applier<'a>) -> anyhow::Result<Remote<'a>> {
        Remote::new(&self.options, &self.file, applier).map_err(failed)
    }
}

/// The error, worded as for sources that run on this machine.
pub(crate) fn failed(error: ClusterError) -> anyhow::Error {
    match error {
        ClusterError::Apply(error) => sources::failed(error),
        error => error.into(),
    }
}

/// Patterns that a cluster counted, each once and in canonical order: item `p` of the table has pattern `p`. With their counts.
pub(crate) fn patterns(
    ready: &Ready<'_>,
    remote: &mut Remote<'_>,
    talk: Talk,
) -> anyhow::Result<(Votes, Vec<u64>, Summary)> {
    let wait = talk.wait("counting patterns on the cluster");
    let (found, summary) = remote.patterns().map_err(failed)?;
    drop(wait);
    let once = |order: &[usize]| {
        let mut builder = VotesBuilder::new(ready.applier.sources().clone());
        order.iter().try_for_each(|&i| builder.push_dense(&found.votes[i]))?;
        builder.finish_as(ready.applier.classes().clone())
    };
    let mut order: Vec<usize> = (0..found.votes.len()).collect();
    let first = once(&order)?;
    order.sort_by_key(|&i| first.item_pattern()[i]);
    let votes = once(&order)?;
    let counts = order.iter().map(|&i| found.counts[i]).collect();
    Ok((votes, counts, summary))
}
