//! `consilience train`: what was typed.

use std::ffi::OsString;

use clap::{Args, ValueEnum};
use consilience::end_model::{TextOptions, TrainOptions};

use super::values::{self, LengthsArg};

const EXAMPLE: &str = "\
Example:
  consilience label votes.csv --majority -o labels.csv
  consilience train labels.csv --text items.csv -o end-model.json
  consilience predict end-model.json new-items.csv -o predictions.csv
  consilience train labels.csv --text items.csv --votes votes.csv -o end.json

Items are joined by name if the text has a column item or id, or the column that
--item names; otherwise by order, and a note says so. Items without a label, or
with equal probabilities for all classes, are left out. With --votes, items that
nobody votes on are kept.";

/// Train a classifier of the items' text on their labels
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct TrainArgs {
    /// Labels as `consilience label` writes them, or - for standard input
    ///
    /// The columns item, label and p_<class> are read. The classifier learns from the probabilities (the expected loss),
    /// not from the labels alone.
    #[arg(value_name = "LABELS")]
    pub labels: OsString,
    /// Table with the items' text, or - for standard input
    ///
    /// CSV, TSV, JSONL, Parquet or Arrow; text files may be compressed with gzip or Zstandard.
    #[arg(long, value_name = "FILE")]
    pub text: OsString,
    /// Columns with the text, separated by commas
    ///
    /// The same word in two columns counts as two different words.
    #[arg(long, value_name = "COL,...", value_delimiter = ',', default_value = "text")]
    pub column: Vec<String>,
    /// Column of the text with the item names [default: item or id]
    #[arg(long, value_name = "COL", conflicts_with = "by_order")]
    pub item: Option<String>,
    /// Join by order even if the text names its items
    #[arg(long)]
    pub by_order: bool,
    /// Also learn from items that nobody votes on, using this table of votes
    ///
    /// The table that was labelled. The text of such an item suggests its class; the share of each class follows from how
    /// often the sources miss its items.
    #[arg(long, value_name = "FILE", conflicts_with = "export")]
    pub votes: Option<OsString>,
    /// Column of the votes with the item names [default: item or id]
    #[arg(long, value_name = "COL", requires = "votes")]
    pub votes_item: Option<String>,
    /// Answers to some items, which replace their labels
    ///
    /// A table with the columns item and answer, joined to the labels by item.
    #[arg(long, value_name = "FILE")]
    pub answers: Option<OsString>,
    /// Column with the answers [default: answer]
    #[arg(long, value_name = "COL", requires = "answers")]
    pub answers_column: Option<String>,
    /// Keep items without a label
    #[arg(long)]
    pub all: bool,
    /// Write a training file for other tools instead
    ///
    /// soft: one row per item, with p_<class>. weighted: one row per item and class, with label and weight.
    #[arg(help_heading = "Output", long, value_enum, value_name = "LAYOUT")]
    pub export: Option<ExportArg>,
    /// Write to this file [default: standard output]
    ///
    /// The end model, as JSON; with --export the training file, whose extension sets the format. The file is written
    /// completely or not at all.
    #[arg(
        help_heading = "Output",
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    pub output: OsString,
    /// The classifier.
    #[command(flatten)]
    pub classifier: ClassifierArgs,
}

/// How the classifier reads and learns.
#[derive(Debug, Args)]
#[command(next_help_heading = "The classifier")]
pub struct ClassifierArgs {
    /// L2 penalty on the weights
    ///
    /// In units of the mean loss per item, so that it does not depend on the number of items.
    #[arg(long, value_name = "P", default_value_t = TrainOptions::PENALTY, value_parser = values::number, allow_negative_numbers = true)]
    pub penalty: f64,
    /// Lengths of word n-grams, or none
    #[arg(long, value_name = "A..B", default_value_t = LengthsArg(TextOptions::default().words))]
    pub words: LengthsArg,
    /// Lengths of character n-grams, or none
    #[arg(long, value_name = "A..B", default_value_t = LengthsArg(TextOptions::default().characters))]
    pub characters: LengthsArg,
    /// Minimum number of items that contain an n-gram
    #[arg(long, value_name = "N", default_value_t = TextOptions::default().min_items)]
    pub min_items: u32,
    /// Number of bits that n-grams are hashed to
    #[arg(long, value_name = "N", default_value_t = TextOptions::default().bits)]
    pub bits: u32,
    /// Give rare n-grams more weight
    #[arg(long)]
    pub rarity: bool,
    /// Distinguish upper and lower case
    #[arg(long)]
    pub case: bool,
    /// Maximum number of training steps
    #[arg(long, value_name = "N", default_value_t = TrainOptions::default().max_iterations)]
    pub steps: usize,
}

/// A training file for other trainers.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum ExportArg {
    /// One row per item, with the probability of each class
    Soft,
    /// One row per item and class, with label and weight
    Weighted,
}
