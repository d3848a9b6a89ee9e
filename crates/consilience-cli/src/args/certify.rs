//! `consilience certify`: what was typed.

use std::ffi::OsString;

use clap::Args;

use super::values::{self, ClassesArg};

const EXAMPLE: &str = "\
Example:
  consilience certify labels.csv --answers to-label.csv
  consilience certify labels.csv --answers to-label.csv --within 0.03
  consilience certify vendor.csv --label category --answers to-label.csv --json

The labels may come from any tool: a file with the columns item and label is
enough. The answers must be a random sample of the items, as `sample` draws it.
Intervals are 95% intervals. Labels that `label --answers` wrote are judged by
models that have not seen the answer in question (cross-fitting).";

/// Measure how good labels are, from answers to a random sample of the items
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct CertifyArgs {
    /// Table of labels, or - for standard input
    ///
    /// With the columns item and label, and p_<class> if probabilities are known.
    #[arg(value_name = "LABELS")]
    pub labels: OsString,
    /// Answers: a table with the columns item and answer
    #[arg(long, value_name = "FILE")]
    pub answers: OsString,
    /// Column with the answers
    #[arg(long, value_name = "COL", default_value = "answer")]
    pub answers_column: String,
    /// Column with the labels
    #[arg(long, value_name = "COL", default_value = "label")]
    pub label: String,
    /// Column with the item names, in both tables [default: item, if present]
    #[arg(long, value_name = "COL")]
    pub item: Option<String>,
    /// All classes, in order [default: those of the probabilities or labels]
    #[arg(long, value_name = "A,B,...")]
    pub classes: Option<ClassesArg>,
    /// Also report how many answers intervals of ± this width need
    #[arg(long, value_name = "WIDTH", value_parser = values::number, allow_negative_numbers = true)]
    pub within: Option<f64>,
    /// Print JSON instead of text
    #[arg(help_heading = "Output", long)]
    pub json: bool,
    /// Write to this file [default: standard output]
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
