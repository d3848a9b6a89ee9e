//! `consilience predict`: what was typed.

use std::ffi::OsString;

use clap::Args;

const EXAMPLE: &str = "\
Example:
  consilience predict end-model.json items.csv -o predictions.csv

The output has the same columns as labels: item, label, confidence, and
p_<class> for each class, with one row per item in the order of the text.";

/// Apply a trained classifier to text
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct PredictArgs {
    /// End model that `consilience train` wrote
    #[arg(value_name = "MODEL")]
    pub model: OsString,
    /// Table with the items' text, or - for standard input
    ///
    /// CSV, TSV, JSONL, Parquet or Arrow; text files may be compressed with gzip or Zstandard. The table is streamed,
    /// so it may be of any length.
    #[arg(value_name = "TEXT")]
    pub text: OsString,
    /// Columns with the text [default: those used in training]
    #[arg(long, value_name = "COL,...", value_delimiter = ',')]
    pub column: Vec<String>,
    /// Column with the item names [default: item, if present]
    #[arg(long, value_name = "COL")]
    pub item: Option<String>,
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
}
