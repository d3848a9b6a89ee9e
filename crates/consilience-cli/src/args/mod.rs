//! What was typed: flags and their help, and nothing of what they do.

mod analyze;
mod answers;
#[cfg(feature = "apply")]
mod apply;
mod certify;
#[cfg(feature = "cluster")]
mod cluster;
mod completions;
mod explain;
mod fit;
mod label;
mod learn;
mod man;
mod plan;
mod predict;
mod report;
#[cfg(feature = "reproduce")]
mod reproduce;
#[cfg(not(feature = "reproduce"))]
#[path = "reproduce_left_out.rs"]
mod reproduce;
mod sample;
mod simulate;
#[cfg(feature = "studio")]
mod studio;
mod train;
mod values;
mod votes;

use clap::{ArgAction, Args, Parser, Subcommand};

pub(crate) use analyze::AnalyzeArgs;
pub(crate) use answers::AnswersArgs;
#[cfg(feature = "apply")]
pub(crate) use apply::{ApplyArgs, DialectArg, OnErrorArg, SourcesArgs};
pub(crate) use certify::CertifyArgs;
#[cfg(feature = "cluster")]
pub(crate) use cluster::{ClusterArgs, ExecutorArgs, Role, SchedulerArgs};
pub(crate) use completions::CompletionsArgs;
pub(crate) use explain::ExplainArgs;
pub(crate) use fit::{FitArgs, InferenceArg, ModelArgs};
pub(crate) use label::{LabelArgs, TiesArg};
pub(crate) use learn::{LearnArgs, MethodArg, PrecisionArg, RatesArg, SgdFlags};
pub(crate) use man::ManArgs;
pub(crate) use plan::PlanArgs;
pub(crate) use predict::PredictArgs;
pub(crate) use report::{ReportArgs, ReportFormat};
#[cfg(feature = "reproduce")]
pub(crate) use reproduce::FigureArg;
pub(crate) use reproduce::ReproduceArgs;
pub(crate) use sample::SampleArgs;
pub(crate) use simulate::SimulateArgs;
#[cfg(feature = "studio")]
pub(crate) use studio::StudioArgs;
pub(crate) use train::{ClassifierArgs, ExportArg, TrainArgs};
pub(crate) use values::BalanceArg;
pub(crate) use votes::{ColumnRole, FormatArg, TableArgs, VotesArgs};

const EXAMPLE: &str = "\
Example:
  consilience simulate --sources 10 --items 1000 --pairs 2 -o votes.csv
  consilience analyze votes.csv
  consilience learn votes.csv -o structure.json
  consilience fit votes.csv -o model.json
  consilience label votes.csv --model model.json -o labels.csv

A table of votes has one row per item and one column per source. A vote is the
name or number of a class; an empty cell abstains.";

/// Turn the votes of noisy sources into probabilistic labels, without ground truth.
#[derive(Debug, Parser)]
#[command(name = "consilience", version, after_help = EXAMPLE)]
#[command(arg_required_else_help = true, disable_help_flag = true, max_term_width = 80)]
#[command(subcommand_value_name = "VERB", subcommand_help_heading = "Verbs")]
pub(crate) struct Cli {
    /// The verb with its flags.
    #[command(subcommand)]
    pub(crate) verb: Verb,
    /// Flags of all verbs.
    #[command(flatten)]
    pub(crate) common: CommonArgs,
}

/// Flags that every verb takes.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Global options")]
pub(crate) struct CommonArgs {
    /// Number of threads [default: all cores]
    ///
    /// Results do not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = values::threads)]
    pub(crate) threads: Option<usize>,
    /// Print errors only
    #[arg(short, long, global = true)]
    pub(crate) quiet: bool,
    /// Print help (--help prints more than -h)
    #[arg(id = "help", short = 'h', long = "help", global = true, action = ArgAction::Help)]
    _help: Option<bool>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    Simulate(SimulateArgs),
    #[cfg(feature = "apply")]
    Apply(ApplyArgs),
    Analyze(AnalyzeArgs),
    Learn(LearnArgs),
    Fit(FitArgs),
    Label(LabelArgs),
    Explain(ExplainArgs),
    Sample(SampleArgs),
    Certify(CertifyArgs),
    Train(TrainArgs),
    Predict(PredictArgs),
    Report(ReportArgs),
    #[cfg(feature = "studio")]
    Studio(StudioArgs),
    #[cfg(feature = "cluster")]
    Cluster(ClusterArgs),
    Plan(PlanArgs),
    Reproduce(ReproduceArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}
