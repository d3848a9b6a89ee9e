//! `consilience predict`: what was typed.

use std::ffi::OsString;

use clap::Args;

const EXAMPLE: &str = "\
Example:
  consilience predict end-model.json items.csv -o predictions.csv

The predictions have the columns of labels: item, label, confidence, and
p_<class> for each class; one row an item, in the order of the text.";

/// Apply a trained classifier to text
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct PredictArgs {
    /// End model that `consilience train` wrote
    #[arg(value_name = "MODEL")]
    pub(crate) model: OsString,
    /// Table with the items' text, or - for standard input
    ///
    /// CSV, TSV, JSONL, Parquet or Arrow; text also packed with gzip or Zstandard. It is read as a stream: its length does
    /// not matter.
    #[arg(value_name = "TEXT")]
    pub(crate) text: OsString,
    /// Columns that hold the text [default: those of the training]
    #[arg(long, value_name = "COL,...", value_delimiter = ',')]
    pub(crate) column: Vec<String>,
    /// Column that names the items [default: item, if there]
    #[arg(long, value_name = "COL")]
    pub(crate) item: Option<String>,
    /// Write to this file [default: CSV to standard output]
    ///
    /// The file is written whole or not at all. Its name says the format: .csv, .tsv, .jsonl, .parquet or .arrow; text
    /// also with .gz or .zst.
    #[arg(short, long, value_name = "FILE", default_value = "-", hide_default_value = true)]
    pub(crate) output: OsString,
}
