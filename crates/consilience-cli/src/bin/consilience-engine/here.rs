//! The work that `consilience` leaves to this program.

#[cfg(feature = "apply")]
use std::path::Path;

#[cfg(feature = "reproduce")]
use consilience_cli::args::ReproduceArgs;
#[cfg(feature = "studio")]
use consilience_cli::args::StudioArgs;
use consilience_cli::args::Verb;
#[cfg(feature = "apply")]
use consilience_cli::args::{ApplyArgs, SourcesArgs, VotesArgs};
#[cfg(feature = "cluster")]
use consilience_cli::args::{ClusterArgs, LabelArgs};
use consilience_cli::commands::Heavy;
#[cfg(feature = "apply")]
use consilience_cli::commands::input::NamedTable;
use consilience_cli::terminal::Talk;
#[cfg(feature = "apply")]
use consilience_io::Output;
#[cfg(feature = "apply")]
use consilience_sources::{ApplyError, FileError};

/// It is done here.
pub(crate) struct Here;

impl Heavy for Here {
    fn enter(&self, _: &Verb) -> anyhow::Result<()> {
        Ok(())
    }

    #[cfg(feature = "apply")]
    fn apply(&self, args: &ApplyArgs, talk: Talk) -> anyhow::Result<()> {
        crate::apply::run(args, talk)
    }

    #[cfg(feature = "apply")]
    fn votes(
        &self,
        sources: &Path,
        args: &VotesArgs,
        how: &SourcesArgs,
        output: &Output,
        talk: Talk,
    ) -> anyhow::Result<NamedTable> {
        crate::apply::votes(sources, args, how, output, talk)
    }

    #[cfg(feature = "studio")]
    fn studio(&self, args: &StudioArgs, talk: Talk) -> anyhow::Result<()> {
        crate::studio::run(args, talk)
    }

    #[cfg(feature = "cluster")]
    fn cluster(&self, args: ClusterArgs, talk: Talk) -> anyhow::Result<()> {
        crate::cluster::run(args, talk)
    }

    #[cfg(feature = "cluster")]
    fn label_on_cluster(&self, args: &LabelArgs, talk: Talk) -> anyhow::Result<()> {
        crate::label_on_cluster::run(args, talk)
    }

    #[cfg(feature = "reproduce")]
    fn reproduce(&self, args: &ReproduceArgs, talk: Talk) -> anyhow::Result<()> {
        crate::reproduce::run(args, talk)
    }

    /// All errors in a sources file are reported at once.
    #[cfg(feature = "apply")]
    fn messages(&self, error: &anyhow::Error) -> Option<Vec<String>> {
        let file = error.downcast_ref::<FileError>()?;
        Some(file.faults.iter().map(|fault| format!("{}, {fault}", file.file)).collect())
    }

    #[cfg(feature = "apply")]
    fn hint(&self, error: &anyhow::Error) -> Option<String> {
        match error.chain().find_map(|cause| cause.downcast_ref::<ApplyError>())? {
            ApplyError::CommandsNotAllowed { .. } => Some("--allow-commands lets it run".to_string()),
            ApplyError::Fault { .. } => {
                Some("--on-error abstain counts such items and continues".to_string())
            }
            _ => None,
        }
    }
}
