//! `consilience fit`: what was typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::answers::AnswersArgs;
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

The model holds all that is needed to label new votes. Beside it is said on how
many items the other models (independent, Dawid and Skene's, majority vote)
would decide otherwise.";

/// Estimate what each source is worth
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct FitArgs {
    /// The table.
    #[command(flatten)]
    pub(crate) votes: VotesArgs,
    /// Write the model to this file, as JSON [default: a summary only]
    ///
    /// The file is written whole or not at all; - is standard output. Without it, what the sources are worth is printed, as
    /// explain does.
    #[arg(help_heading = "Output", short, long, value_name = "FILE")]
    pub(crate) output: Option<OsString>,
    /// What people say of some items.
    #[command(flatten)]
    pub(crate) answers: AnswersArgs,
    /// How the sources depend on each other.
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Seed of --inference gibbs
    ///
    /// The same seed gives the same model.
    #[arg(help_heading = "Advanced", long, value_name = "S", default_value_t = 0, value_parser = values::seed, allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

/// What is fitted, and how; shared by all verbs that fit.
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "one a flag")]
#[command(next_help_heading = "The model")]
pub(crate) struct ModelArgs {
    /// Dependencies between sources, as learn wrote them
    ///
    /// Votes that repeat those of another source by it count once. Without this the structure is learned first, so that learn, fit
    /// and label one after the other give the labels that label alone gives.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["independent", "dawid_skene"])]
    pub(crate) structure: Option<OsString>,
    /// Count all votes as if no source repeated another
    #[arg(long, conflicts_with = "dawid_skene")]
    pub(crate) independent: bool,
    /// One confusion matrix per source (Dawid and Skene)
    #[arg(long)]
    pub(crate) dawid_skene: bool,
    /// Shares of the classes: even, estimated, or numbers
    ///
    /// By name (ham=0.9,spam=0.1; classes left out share the rest) or in the order of the classes (0.9,0.1). It is what an
    /// item gets on which nobody votes. True shares are worth much where a class is rare, and next to nothing where classes
    /// are about even; `estimated` often goes wrong. [default: even; with --dawid-skene: estimated]
    #[arg(long, value_name = "SHARES")]
    pub(crate) balance: Option<BalanceArg>,
    /// Give each dependency of --structure a weight of its own
    ///
    /// That is the paper's model. So does --inference with --structure.
    #[arg(help_heading = "Advanced", long, requires = "structure")]
    pub(crate) link_weights: bool,
    /// A correlation between every two sources
    ///
    /// Each with a weight of its own. With --inference gibbs it is maximum likelihood over all pairs, which the paper
    /// compares its method with (section 5.2).
    #[arg(help_heading = "Advanced", long, conflicts_with_all = ["structure", "independent", "dawid_skene"])]
    pub(crate) all_pairs: bool,
    /// How the weights are estimated
    #[arg(help_heading = "Advanced", long, value_enum, default_value_t = InferenceArg::Auto)]
    pub(crate) inference: InferenceArg,
    /// Assumed share of right votes of a source [default: 0.6]
    #[arg(help_heading = "Advanced", long, value_name = "P", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) accuracy: Option<f64>,
    /// The same for sources of one class only [default: 0.7]
    #[arg(help_heading = "Advanced", long, value_name = "P", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) one_class_accuracy: Option<f64>,
    /// How firmly --accuracy is believed [default: 1]
    ///
    /// The precision of the normal prior on a source's log odds of being right. It is 1 / variance: 0 for no opinion.
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "X", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) precision: Option<f64>,
    /// What each vote adds to that precision [default: 0.0025]
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "X", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) vote_precision: Option<f64>,
    /// What each item adds, for sources of one class [default: 0.3]
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "X", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) one_class_precision: Option<f64>,
    /// Let sources be worse than chance
    #[arg(help_heading = "Advanced", long)]
    pub(crate) below_chance: bool,
    /// Take all items to be equally hard
    ///
    /// Otherwise items may differ in difficulty, so that many votes that agree say less than independent ones would.
    #[arg(help_heading = "Advanced", long)]
    pub(crate) no_temper: bool,
    /// Most steps of fitting [default: 1000]
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "N", value_parser = values::steps)]
    pub(crate) steps: Option<usize>,
    /// Table cells that exact inference may fill [default: 262144]
    ///
    /// Dense dependencies need more: time and memory grow with it. Beyond it, --inference auto goes on by pseudolikelihood.
    #[arg(help_heading = "Advanced", long, hide_short_help = true, value_name = "N", value_parser = values::rows)]
    pub(crate) cells: Option<u64>,
}

/// How the weights are estimated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum InferenceArg {
    /// Exactly where that is possible, else pseudo
    Auto,
    /// The marginal likelihood, by elimination
    Exact,
    /// The likelihood of each source given all others
    Pseudo,
    /// The paper's way: stochastic gradients and sampling
    Gibbs,
}
