//! `consilience learn`: what was typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use consilience::structure::{LinkType, Select};

use super::budget::BudgetArgs;
use super::values;
use super::votes::VotesArgs;

const EXAMPLE: &str = "\
Example:
  consilience learn votes.csv -o structure.json
  consilience learn votes.csv -o structure.dot
  consilience learn votes.csv --select fdr=0.05 --types correlation,agreement
  consilience learn votes.csv --path path.json
  consilience learn --sources sources.toml mails.parquet

Without -o, the dependencies are printed, strongest first.";

/// Find which sources depend on each other
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct LearnArgs {
    /// The table.
    #[command(flatten)]
    pub votes: VotesArgs,
    /// Create the votes from this sources file first; VOTES is then data
    ///
    /// Works like `consilience apply`, whose help describes the file. Links between a composed source and its parts are learned
    /// like any other and marked in the output.
    #[cfg(feature = "apply")]
    #[arg(help_heading = "The sources", long, value_name = "FILE")]
    pub sources: Option<std::path::PathBuf>,
    /// How sources may run.
    #[cfg(feature = "apply")]
    #[command(flatten)]
    pub how: super::apply::SourcesArgs,
    /// Write the structure to this file
    ///
    /// The file is written completely or not at all. Its extension sets the format: .json, .dot or .gv for Graphviz, .graphml for
    /// Gephi, Cytoscape, yEd, networkx and igraph. - writes JSON to standard output.
    #[arg(help_heading = "Output", short, long, value_name = "FILE")]
    pub output: Option<OsString>,
    /// Print JSON instead of a table
    #[arg(help_heading = "Output", long)]
    pub json: bool,
    /// List all candidates, not only the selected ones
    #[arg(help_heading = "Output", long)]
    pub all: bool,
    /// Write the structures along the l1 path to this file, as JSON
    ///
    /// There are twenty-one penalties, from 0.3, which leaves hardly any dependency, down to 0.003. Weights
    /// above the penalty are selected, as in the paper.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub path: Option<OsString>,
    /// Which dependencies to select
    ///
    /// auto: strong and certain ones (a weight of at least 0.1, and fwer=0.01). fdr=Q: on average, at most a share Q
    /// of the selected is false. fwer=A: none is false, with probability 1 - A. miss=A: none is missed, with probability
    /// 1 - A, if many are about as strong as the certain ones. threshold=E: weights above E, as in the paper. top=N: the
    /// N most certain.
    #[arg(help_heading = "The dependencies", long, value_name = "RULE", default_value_t = Select::Auto)]
    pub select: Select,
    /// Types to search for, separated by commas
    ///
    /// correlation, agreement, conjunction, reinforcing, fixing, exclusive.
    #[arg(
        help_heading = "The dependencies",
        long,
        value_name = "TYPE,...",
        value_delimiter = ',',
        default_value = "correlation"
    )]
    pub types: Vec<LinkType>,
    /// Method for finding dependencies
    #[arg(help_heading = "The dependencies", long, value_enum, default_value_t = MethodArg::Exact)]
    pub method: MethodArg,
    /// Settings of Algorithm 1.
    #[command(flatten)]
    pub sgd: SgdFlags,
    /// How much is held at once.
    #[command(flatten)]
    pub budget: BudgetArgs,
}

/// How the dependencies are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum MethodArg {
    /// The optimum, with standard errors
    Exact,
    /// The paper's Algorithm 1
    Sgd,
}

/// Settings of Algorithm 1, which other methods reject.
#[derive(Debug, Args)]
#[command(next_help_heading = "Algorithm 1 (--method sgd)")]
pub struct SgdFlags {
    /// Penalty on every weight, and selection threshold [default: 0.03]
    #[arg(long, value_name = "E", value_parser = values::number, allow_negative_numbers = true)]
    pub epsilon: Option<f64>,
    /// Passes over the items [default: 10]
    #[arg(long, value_name = "N")]
    pub epochs: Option<usize>,
    /// Items between two truncations [default: 10]
    ///
    /// After every N items, all weights move towards 0 by N x step x epsilon, but not past it.
    #[arg(long, value_name = "N")]
    pub truncation: Option<usize>,
    /// Step size per item [default: 1 / number of items]
    #[arg(long, value_name = "X", value_parser = values::number, allow_negative_numbers = true)]
    pub step: Option<f64>,
    /// Initial value of all accuracies [default: 1]
    #[arg(long, value_name = "W", value_parser = values::number, allow_negative_numbers = true)]
    pub accuracy_start: Option<f64>,
    /// Unpenalized terms for how often a source votes [default: none]
    #[arg(long, value_enum, value_name = "TERMS")]
    pub rates: Option<RatesArg>,
    /// Add an unpenalized class prior
    #[arg(long)]
    pub class_prior: bool,
    /// Precision of the arithmetic [default: auto]
    #[arg(long, value_enum, value_name = "P")]
    pub precision: Option<PrecisionArg>,
}

/// How often a source votes.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum RatesArg {
    /// Not modelled, as in the paper
    None,
    /// One propensity per source: how often it votes at all
    Propensity,
    /// One rate for each class that a source votes for
    VoteRate,
}

/// The precision of the arithmetic.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum PrecisionArg {
    /// single if the step is large enough, otherwise double
    Auto,
    /// 32 bits
    Single,
    /// 64 bits
    Double,
}
