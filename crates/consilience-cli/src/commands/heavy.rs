//! Where the work is done that needs a query engine, a web server or plots.

#[cfg(feature = "apply")]
use std::path::Path;

#[cfg(feature = "apply")]
use consilience_io::Output;

#[cfg(feature = "apply")]
use super::input::NamedTable;
#[cfg(feature = "reproduce")]
use crate::args::ReproduceArgs;
#[cfg(feature = "studio")]
use crate::args::StudioArgs;
use crate::args::Verb;
#[cfg(feature = "apply")]
use crate::args::{ApplyArgs, SourcesArgs, VotesArgs};
#[cfg(feature = "cluster")]
use crate::args::{ClusterArgs, LabelArgs};
#[cfg(feature = "engine")]
use crate::engine;
#[cfg(feature = "engine")]
use crate::terminal::Talk;

/// Does such work.
pub trait Heavy {
    /// Called before a verb does anything.
    fn enter(&self, verb: &Verb) -> anyhow::Result<()>;
    /// `consilience apply`.
    #[cfg(feature = "apply")]
    fn apply(&self, args: &ApplyArgs, talk: Talk) -> anyhow::Result<()>;
    /// The votes of declared sources, for `--sources` of other verbs.
    #[cfg(feature = "apply")]
    fn votes(
        &self,
        sources: &Path,
        args: &VotesArgs,
        how: &SourcesArgs,
        output: &Output,
        talk: Talk,
    ) -> anyhow::Result<NamedTable>;
    /// `consilience studio`.
    #[cfg(feature = "studio")]
    fn studio(&self, args: &StudioArgs, talk: Talk) -> anyhow::Result<()>;
    /// `consilience cluster`.
    #[cfg(feature = "cluster")]
    fn cluster(&self, args: ClusterArgs, talk: Talk) -> anyhow::Result<()>;
    /// `consilience label --cluster`.
    #[cfg(feature = "cluster")]
    fn label_on_cluster(&self, args: &LabelArgs, talk: Talk) -> anyhow::Result<()>;
    /// `consilience reproduce`.
    #[cfg(feature = "reproduce")]
    fn reproduce(&self, args: &ReproduceArgs, talk: Talk) -> anyhow::Result<()>;
    /// The messages of an error that has several.
    fn messages(&self, _error: &anyhow::Error) -> Option<Vec<String>> {
        None
    }
    /// The flag that helps against an error of such work.
    fn hint(&self, _error: &anyhow::Error) -> Option<String> {
        None
    }
}

/// All of it happens in the program beside this one, which reads the arguments again.
pub(crate) struct InEngine;

impl Heavy for InEngine {
    #[cfg(feature = "engine")]
    fn enter(&self, verb: &Verb) -> anyhow::Result<()> {
        if verb.needs_engine() { Err(engine::start()) } else { Ok(()) }
    }

    #[cfg(not(feature = "engine"))]
    fn enter(&self, _: &Verb) -> anyhow::Result<()> {
        Ok(())
    }

    #[cfg(feature = "apply")]
    fn apply(&self, _: &ApplyArgs, _: Talk) -> anyhow::Result<()> {
        Err(engine::start())
    }

    #[cfg(feature = "apply")]
    fn votes(
        &self,
        _: &Path,
        _: &VotesArgs,
        _: &SourcesArgs,
        _: &Output,
        _: Talk,
    ) -> anyhow::Result<NamedTable> {
        Err(engine::start())
    }

    #[cfg(feature = "studio")]
    fn studio(&self, _: &StudioArgs, _: Talk) -> anyhow::Result<()> {
        Err(engine::start())
    }

    #[cfg(feature = "cluster")]
    fn cluster(&self, _: ClusterArgs, _: Talk) -> anyhow::Result<()> {
        Err(engine::start())
    }

    #[cfg(feature = "cluster")]
    fn label_on_cluster(&self, _: &LabelArgs, _: Talk) -> anyhow::Result<()> {
        Err(engine::start())
    }

    #[cfg(feature = "reproduce")]
    fn reproduce(&self, _: &ReproduceArgs, _: Talk) -> anyhow::Result<()> {
        Err(engine::start())
    }
}
