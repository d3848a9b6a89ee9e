//! `consilience learn`: what was typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use consilience::structure::{LinkType, Select};

use super::values;
use super::votes::VotesArgs;

const EXAMPLE: &str = "\
Example:
  consilience learn votes.csv -o structure.json
  consilience learn votes.csv --select fdr=0.05 --types correlation,agreement

Without -o the dependencies are printed, the most certain first.";

/// Find out which sources depend on each other
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct LearnArgs {
    /// Which dependencies are kept
    ///
    /// auto: strong ones beyond doubt (a weight of 0.1 or more, and fwer=0.01). fdr=Q: on average a share of at most Q is
    /// false. fwer=A: none is false, with probability 1 - A. threshold=E: those with a weight above E, as in the paper. top=N: the N most certain.
    #[arg(long, value_name = "RULE", default_value_t = Select::Auto)]
    pub(crate) select: Select,
    /// How they are found
    #[arg(long, value_enum, default_value_t = MethodArg::Exact)]
    pub(crate) method: MethodArg,
    /// Types to look for, with commas between
    ///
    /// correlation, agreement, conjunction, reinforcing, fixing, exclusive.
    #[arg(long, value_name = "TYPE,...", value_delimiter = ',', default_value = "correlation")]
    pub(crate) types: Vec<LinkType>,
    /// Penalty and cut-off of --method sgd [default: 0.03]
    #[arg(long, value_name = "E", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) epsilon: Option<f64>,
    /// List all candidates, not only those kept
    #[arg(long)]
    pub(crate) all: bool,
    /// Print JSON instead of a table
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the structure to this file, as JSON
    ///
    /// The file is written whole or not at all.
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<OsString>,
    /// The table.
    #[command(flatten)]
    pub(crate) votes: VotesArgs,
}

/// How the dependencies are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MethodArg {
    /// The optimum, with standard errors
    Exact,
    /// The paper's Algorithm 1
    Sgd,
}
