//! What was typed: flags and their help, and nothing of what they do.

mod analyze;
mod answers;
#[cfg(feature = "apply")]
mod apply;
mod budget;
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

pub use analyze::AnalyzeArgs;
pub use answers::AnswersArgs;
#[cfg(feature = "apply")]
pub use apply::{ApplyArgs, DialectArg, OnErrorArg, SourcesArgs};
pub use certify::CertifyArgs;
#[cfg(feature = "cluster")]
pub use cluster::{ClusterArgs, ExecutorArgs, Role, SchedulerArgs};
pub use completions::CompletionsArgs;
pub use explain::ExplainArgs;
pub use fit::{FitArgs, InferenceArg, ModelArgs};
pub use label::{LabelArgs, TiesArg};
pub use learn::{LearnArgs, MethodArg, PrecisionArg, RatesArg, SgdFlags};
pub use man::ManArgs;
pub use plan::PlanArgs;
pub use predict::PredictArgs;
pub use report::{ReportArgs, ReportFormat};
#[cfg(feature = "reproduce")]
pub use reproduce::FigureArg;
pub use reproduce::ReproduceArgs;
pub use sample::SampleArgs;
pub use simulate::SimulateArgs;
#[cfg(feature = "studio")]
pub use studio::StudioArgs;
pub use train::{ClassifierArgs, ExportArg, TrainArgs};
pub use values::BalanceArg;
pub use votes::{ColumnRole, FormatArg, TableArgs, VotesArgs};

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
#[command(subcommand_value_name = "COMMAND", subcommand_help_heading = "Commands")]
pub struct Cli {
    /// The verb with its flags.
    #[command(subcommand)]
    pub verb: Verb,
    /// Flags of all verbs.
    #[command(flatten)]
    pub common: CommonArgs,
}

/// Flags that every verb takes.
#[derive(Clone, Copy, Debug, Args)]
#[command(next_help_heading = "Global options")]
pub struct CommonArgs {
    /// Number of threads [default: all cores]
    ///
    /// Results do not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = values::threads)]
    pub threads: Option<usize>,
    /// Print errors only
    #[arg(short, long, global = true)]
    pub quiet: bool,
    /// Print help (--help prints more than -h)
    #[arg(id = "help", short = 'h', long = "help", global = true, action = ArgAction::Help)]
    _help: Option<bool>,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Verb {
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

#[cfg(feature = "engine")]
impl Verb {
    /// Whether it needs a query engine, a web server or plots.
    pub fn needs_engine(&self) -> bool {
        match self {
            #[cfg(feature = "apply")]
            Self::Apply(_) => true,
            #[cfg(feature = "apply")]
            Self::Learn(args) => args.sources.is_some(),
            #[cfg(feature = "apply")]
            Self::Label(args) => {
                #[cfg(feature = "cluster")]
                let clustered = args.how.cluster.is_some();
                #[cfg(not(feature = "cluster"))]
                let clustered = false;
                args.sources.is_some() || clustered
            }
            #[cfg(feature = "apply")]
            Self::Report(args) => args.sources.is_some(),
            #[cfg(feature = "studio")]
            Self::Studio(_) => true,
            #[cfg(feature = "cluster")]
            Self::Cluster(_) => true,
            #[cfg(feature = "reproduce")]
            Self::Reproduce(_) => true,
            _ => false,
        }
    }
}
