//! Makes declared sources ready, and runs them with progress.

use std::path::PathBuf;

use consilience_io::WriteError;
use consilience_sources::{
    Applier, ApplyError, ApplyOptions, Data, Kind, OnFault, Progress, Rows, SourcesFile, Summary,
};

use consilience_cli::args::{OnErrorArg, SourcesArgs};
use consilience_cli::terminal::{Talk, Wait, counted};

/// Sources that are ready, and the columns that come with their votes.
pub(crate) struct Ready<'a> {
    pub(crate) applier: Applier<'a>,
    /// The item column first, if there is one.
    pub(crate) carried: Vec<String>,
    pub(crate) item: Option<String>,
    /// Where they run, if not here.
    #[cfg(feature = "cluster")]
    pub(crate) cluster: Option<super::cluster::Cluster>,
}

/// Which column names the items.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Item<'a> {
    None,
    Named(&'a str),
    /// One called item or id.
    IfThere,
}

impl<'a> Item<'a> {
    pub(crate) fn of(named: Option<&'a str>) -> Self {
        named.map_or(Self::IfThere, Self::Named)
    }

    pub(super) fn column(self, data: &Data) -> anyhow::Result<Option<String>> {
        Ok(match self {
            Item::None => None,
            Item::Named(item) => Some(item.to_string()),
            Item::IfThere => {
                let columns = data.columns()?;
                let there = |name: &&&str| columns.iter().any(|column| column == **name);
                ["item", "id"].iter().find(there).map(ToString::to_string)
            }
        })
    }
}

impl<'a> Ready<'a> {
    pub(crate) fn new(
        file: &SourcesFile,
        data: &'a Data,
        item: Item<'_>,
        keep: &[String],
        how: &SourcesArgs,
    ) -> anyhow::Result<Self> {
        let item = item.column(data)?;
        let mut carried: Vec<String> = item.iter().cloned().collect();
        carried.extend(keep.iter().filter(|name| Some(*name) != item.as_ref()).cloned());
        Ok(Self {
            applier: Applier::new(file, data, options(file, how, carried.clone()))?,
            carried,
            item,
            #[cfg(feature = "cluster")]
            cluster: super::cluster::Cluster::of(file, how),
        })
    }
}

/// How the sources of `file` are applied; the columns `carried` come with their votes.
pub(crate) fn options(file: &SourcesFile, how: &SourcesArgs, carried: Vec<String>) -> ApplyOptions {
    ApplyOptions {
        carried,
        on_fault: match how.on_error {
            OnErrorArg::Stop => OnFault::Stop,
            OnErrorArg::Abstain => OnFault::Abstain,
        },
        allow_commands: how.allow_commands,
        cache: cache(file, how),
        threads: rayon::current_num_threads(),
    }
}

/// Where programs' answers are kept.
fn cache(file: &SourcesFile, how: &SourcesArgs) -> Option<PathBuf> {
    let asks = file.sources.iter().any(|source| matches!(source.kind, Kind::Command(_)));
    if how.no_answer_cache || !asks {
        return None;
    }
    how.answer_cache.clone().or_else(|| {
        let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
        let folder =
            std::env::var_os("XDG_CACHE_HOME").filter(|folder| !folder.is_empty()).map(PathBuf::from);
        Some(folder.or_else(home)?.join("consilience").join("answers"))
    })
}

/// Applies sources and shows how far it has come.
pub(crate) fn applied(
    ready: &Ready<'_>,
    talk: Talk,
    take: impl FnMut(&Rows) -> Result<(), ApplyError>,
) -> anyhow::Result<Summary> {
    let wait = talk.wait("applying sources");
    let progress = |progress| show(&wait, progress);
    #[cfg(feature = "cluster")]
    if let Some(cluster) = &ready.cluster {
        return cluster.remote(&ready.applier)?.run(take, &progress).map_err(super::cluster::failed);
    }
    ready.applier.run(take, &progress).map_err(failed)
}

/// Shows how far it has come.
pub(super) fn show(wait: &Wait, progress: Progress) {
    let done = counted(progress.rows, "item", "items");
    let rate = counted(progress.rate as u64, "item", "items");
    wait.progress(progress.fraction, &format!("{done}, {rate} per second"));
}

/// Problems with the output are worded as in all other verbs.
pub(crate) fn failed(error: ApplyError) -> anyhow::Error {
    match error {
        ApplyError::Sink(error) => match error.downcast::<WriteError>() {
            Ok(error) => (*error).into(),
            Err(error) => ApplyError::Sink(error).into(),
        },
        error => error.into(),
    }
}
