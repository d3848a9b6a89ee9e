//! `consilience fit`: what was typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::answers::AnswersArgs;
use super::budget::BudgetArgs;
use super::values::{self, BalanceArg};
use super::votes::VotesArgs;

const EXAMPLE: &str = "\
Example:
  consilience fit votes.csv
  consilience fit votes.csv -o model.json
  consilience fit votes.csv --structure structure.json -o model.json
  consilience fit votes.csv --all-pairs --inference gibbs -o model.json
  consilience fit votes.csv --answers to-label.csv -o model.json
  consilience label new_votes.csv --model model.json -o labels.csv

The model file holds everything needed to label new votes. The summary also says
how many labels other models would change (independent sources, Dawid and Skene,
majority vote).";

/// Estimate how reliable each source is
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct FitArgs {
    /// The table.
    #[command(flatten)]
    pub votes: VotesArgs,
    /// Write the model to this file, as JSON [default: a summary only]
    ///
    /// The file is written completely or not at all; - is standard output. Without this flag, the sources are described as
    /// `explain` does.
    #[arg(help_heading = "Output", short, long, value_name = "FILE")]
    pub output: Option<OsString>,
    /// Answers to some items.
    #[command(flatten)]
    pub answers: AnswersArgs,
    /// How the sources depend on each other.
    #[command(flatten)]
    pub model: ModelArgs,
    /// Seed of --inference gibbs
    ///
    /// The same seed gives the same model.
    #[arg(help_heading = "Advanced", long, value_name = "S", default_value_t = 0, value_parser = values::seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// How much is held at once.
    #[command(flatten)]
    pub budget: BudgetArgs,
}

/// What is fitted, and how; shared by all verbs that fit.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one per flag")]
#[command(next_help_heading = "The model")]
pub struct ModelArgs {
    /// Dependencies between sources, as `learn` wrote them
    ///
    /// Votes that repeat another source's votes count once. Without this flag the structure is learned first,
    /// so that running `learn`, `fit` and `label` gives the same labels as `label` alone.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["independent", "dawid_skene"])]
    pub structure: Option<OsString>,
    /// Treat all sources as independent
    #[arg(long, conflicts_with = "dawid_skene")]
    pub independent: bool,
    /// One confusion matrix per source (Dawid and Skene)
    #[arg(long)]
    pub dawid_skene: bool,
    /// Shares of the classes: even, estimated, or numbers
    ///
    /// By name (ham=0.9,spam=0.1; classes not named share the rest) or in the order of the classes (0.9,0.1). Items
    /// without votes get these shares as their probabilities. True shares help a lot if a class is rare, and hardly at
    /// all if classes are about even; `estimated` often goes wrong. [default: even; with --dawid-skene: estimated]
    #[arg(long, value_name = "SHARES")]
    pub balance: Option<BalanceArg>,
    /// Fit a separate weight for each dependency of --structure
    ///
    /// This is the paper's model. --inference with --structure implies it.
    #[arg(help_heading = "Advanced", long, requires = "structure")]
    pub link_weights: bool,
    /// Add a correlation between every pair of sources
    ///
    /// Each has its own weight. With --inference gibbs this is maximum likelihood over all pairs, the baseline of the
    /// paper (section 5.2).
    #[arg(help_heading = "Advanced", long, conflicts_with_all = ["structure", "independent", "dawid_skene"])]
    pub all_pairs: bool,
    /// How to estimate the weights
    #[arg(help_heading = "Advanced", long, value_enum, default_value_t = InferenceArg::Auto)]
    pub inference: InferenceArg,
    /// Prior accuracy of a source [default: 0.6; 0.7 in panels of 3 to 5]
    #[arg(help_heading = "Advanced", long, value_name = "P", value_parser = values::number, allow_negative_numbers = true)]
    pub accuracy: Option<f64>,
    /// Prior accuracy of one-class sources [default: 0.7]
    #[arg(help_heading = "Advanced", long, value_name = "P", value_parser = values::number, allow_negative_numbers = true)]
    pub one_class_accuracy: Option<f64>,
    /// Strength of the prior on accuracies [default: 1]
    ///
    /// The precision (1 / variance) of the normal prior on a source's log odds of being right; 0 turns it off.
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "X", value_parser = values::number, allow_negative_numbers = true)]
    pub precision: Option<f64>,
    /// Precision added per vote [default: 0.0025]
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "X", value_parser = values::number, allow_negative_numbers = true)]
    pub vote_precision: Option<f64>,
    /// Precision added per item for one-class sources [default: 0.3]
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "X", value_parser = values::number, allow_negative_numbers = true)]
    pub one_class_precision: Option<f64>,
    /// Allow sources to be worse than chance
    #[arg(help_heading = "Advanced", long)]
    pub below_chance: bool,
    /// Assume that all items are equally hard
    ///
    /// By default items may differ in difficulty, so that agreeing votes count for less than independent ones.
    #[arg(help_heading = "Advanced", long, alias = "no-temper")]
    pub equal_difficulty: bool,
    /// Maximum number of steps [default: 1000]
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "N", value_parser = values::steps)]
    pub steps: Option<usize>,
    /// Table cells that exact inference may fill [default: 262144]
    ///
    /// Dense dependencies need more, at a cost in time and memory. Above the limit, --inference auto uses pseudolikelihood.
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "N", value_parser = values::rows)]
    pub cells: Option<u64>,
}

/// How the weights are estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum InferenceArg {
    /// exact if possible, otherwise pseudo
    Auto,
    /// The marginal likelihood, by elimination
    Exact,
    /// The likelihood of each source given all others
    Pseudo,
    /// Stochastic gradients and Gibbs sampling, as in the paper
    Gibbs,
}
