//! `consilience label`: what was typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::answers::AnswersArgs;
use super::budget::BudgetArgs;
use super::fit::ModelArgs;
use super::values;
use super::votes::VotesArgs;

const EXAMPLE: &str = "\
Example:
  consilience label votes.csv -o labels.csv
  consilience label new_votes.csv --model model.json -o labels.csv
  consilience label votes.csv --majority -o labels.csv
  consilience label votes.csv --answers to-label.csv -o labels.csv
  consilience label --sources sources.toml mails.parquet -o labels.parquet

The output has the columns item, label, confidence, and p_<class> for each
class, with one row per item in the order of the votes. Without --model, a
model is fitted to these votes first.

A label is left empty if no source votes on the item (its probabilities are then
the class shares of --balance), if the best classes tie, or if the confidence is
below --abstain-below. The last line counts each case; use --ties to label the
first two anyway. If the model labels many items differently than independent
sources would, a note names some of them.

With --count, there is one row per pattern: its votes, the count, and its label,
to be joined to the items by their votes.

With --answers, the columns answer, held_out and held_out_<class> follow: the
answer, and the label and probabilities from a model that has not seen it.
`certify` uses them.";

/// Compute a label and class probabilities for every item
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct LabelArgs {
    /// The table.
    #[command(flatten)]
    pub votes: VotesArgs,
    /// Create the votes from this sources file first; VOTES is then data
    ///
    /// Works like `consilience apply`, whose help describes the file.
    #[cfg(feature = "apply")]
    #[arg(help_heading = "The sources", long, value_name = "FILE")]
    pub sources: Option<std::path::PathBuf>,
    /// How sources may run.
    #[cfg(feature = "apply")]
    #[command(flatten)]
    pub how: super::apply::SourcesArgs,
    /// Write to this file [default: CSV to standard output]
    ///
    /// The file is written completely or not at all. Its extension sets the format: .csv, .tsv, .jsonl, .parquet or .arrow; add
    /// .gz or .zst to compress text.
    #[arg(
        help_heading = "Output",
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    pub output: OsString,
    /// Use this model, which `fit` wrote
    #[arg(help_heading = "The labels", long, value_name = "FILE", conflicts_with_all = ["majority", "structure", "all_pairs", "independent", "dawid_skene"])]
    pub model: Option<OsString>,
    /// Use majority vote
    ///
    /// The probability of a class is its share of the votes on the item.
    #[arg(help_heading = "The labels", long, conflicts_with_all = ["structure", "all_pairs", "independent", "dawid_skene"])]
    pub majority: bool,
    /// What to do if the best classes tie or nobody votes
    #[arg(help_heading = "The labels", long, value_enum, default_value_t = TiesArg::Empty)]
    pub ties: TiesArg,
    /// Optimize a metric: f1=CLASS
    ///
    /// Instead of the likeliest class for each item, choose the number of items labelled CLASS that maximizes the expected
    /// F1 under the model's probabilities. This is only as good as these probabilities: for a rare class they are too high
    /// without --answers or --balance, and far too many items would be chosen. With 25 answers it is the better choice for
    /// rare classes.
    #[arg(help_heading = "The labels", long, value_name = "f1=CLASS", value_parser = values::f1_class, conflicts_with = "abstain_below")]
    pub decide: Option<String>,
    /// Leave the label empty below this confidence
    ///
    /// Probabilities are still written.
    #[arg(help_heading = "The labels", long, value_name = "P", value_parser = values::number, allow_negative_numbers = true)]
    pub abstain_below: Option<f64>,
    /// Answers to some items.
    #[command(flatten)]
    pub answers: AnswersArgs,
    /// What to fit if no model is given.
    #[command(flatten)]
    pub fit: ModelArgs,
    /// Seed of --ties random and --inference gibbs
    ///
    /// The same seed gives the same labels.
    #[arg(help_heading = "Advanced", long, value_name = "S", default_value_t = 0, value_parser = values::seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// How much is held at once.
    #[command(flatten)]
    pub budget: BudgetArgs,
}

/// Which label an item gets when several classes are equally likely, or nobody votes on it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum TiesArg {
    /// Leave the label empty
    Empty,
    /// Use the first of the best classes
    First,
    /// Pick one of the best classes at random
    Random,
}
