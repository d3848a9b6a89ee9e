//! `consilience label`: what was typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::answers::AnswersArgs;
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

The labels have the columns item, label, confidence, and p_<class> for each
class; one row an item, in the order of the votes. Without a model, one is
fitted to these votes first.

An empty label is the mark of an item that cannot be decided: nobody votes on it
(its probabilities are the shares of the classes, --balance), the best classes
tie, or its confidence is below --abstain-below. The line at the end counts
each kind; --ties gives the first two a label all the same. Where the model
decides many items otherwise than independent sources would, it says on which.

With --count, there is one row per pattern: its votes, the count, and its label,
to be joined to the items by their votes.

With --answers, the columns answer and held_out_<class> follow: the answer of a
person, and the probabilities by a model that has not seen it, for certify.";

/// Give every item a probability for each class
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct LabelArgs {
    /// The table.
    #[command(flatten)]
    pub(crate) votes: VotesArgs,
    /// Make the votes first: VOTES is data, this file declares the sources
    ///
    /// As `consilience apply` does; see there what the file says.
    #[cfg(feature = "apply")]
    #[arg(help_heading = "The sources", long, value_name = "FILE")]
    pub(crate) sources: Option<std::path::PathBuf>,
    /// How sources may run.
    #[cfg(feature = "apply")]
    #[command(flatten)]
    pub(crate) how: super::apply::SourcesArgs,
    /// Write to this file [default: CSV to standard output]
    ///
    /// The file is written whole or not at all. Its name says the format: .csv, .tsv, .jsonl, .parquet or .arrow; text
    /// also with .gz or .zst.
    #[arg(
        help_heading = "Output",
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    pub(crate) output: OsString,
    /// Label with this model, as fit wrote it
    #[arg(help_heading = "The labels", long, value_name = "FILE", conflicts_with_all = ["majority", "structure", "all_pairs", "independent", "dawid_skene"])]
    pub(crate) model: Option<OsString>,
    /// Count every vote the same
    ///
    /// The probability of a class is its share of the item's votes.
    #[arg(help_heading = "The labels", long, conflicts_with_all = ["structure", "all_pairs", "independent", "dawid_skene"])]
    pub(crate) majority: bool,
    /// Label where the best classes tie, or nobody votes
    #[arg(help_heading = "The labels", long, value_enum, default_value_t = TiesArg::Empty)]
    pub(crate) ties: TiesArg,
    /// Decide for a metric: f1=CLASS
    ///
    /// Gives CLASS to so many items that its expected F1 is highest under the model's own probabilities, instead of the likeliest
    /// class to each. It is only as good as these probabilities. Those of a rare class are too high without --answers or
    /// --balance, so that far too many items would be chosen; with 25 answers it is the better choice for rare classes.
    #[arg(help_heading = "The labels", long, value_name = "f1=CLASS", value_parser = values::f1_class, conflicts_with = "abstain_below")]
    pub(crate) decide: Option<String>,
    /// Leave the label empty below this confidence
    ///
    /// The probabilities stay.
    #[arg(help_heading = "The labels", long, value_name = "P", value_parser = values::number, allow_negative_numbers = true)]
    pub(crate) abstain_below: Option<f64>,
    /// What people say of some items.
    #[command(flatten)]
    pub(crate) answers: AnswersArgs,
    /// What is fitted where no model is given.
    #[command(flatten)]
    pub(crate) fit: ModelArgs,
    /// Seed of --ties random and --inference gibbs
    ///
    /// The same seed gives the same labels.
    #[arg(help_heading = "Advanced", long, value_name = "S", default_value_t = 0, value_parser = values::seed, allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

/// Which label an item gets when several classes are equally likely, or nobody votes on it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum TiesArg {
    /// None
    Empty,
    /// The first of the best classes
    First,
    /// One of the best classes, by chance
    Random,
}
