//! `consilience sample`: what was typed.

use std::ffi::OsString;

use clap::Args;

use super::values;
use super::votes::VotesArgs;

const EXAMPLE: &str = "\
Example:
  consilience sample votes.csv -n 50 --text items.csv -o to-label.csv
  consilience label votes.csv --answers to-label.csv -o labels.csv
  consilience sample votes.csv -n 50 --extend to-label.csv -o more.csv

Items are drawn uniformly at random and written with their text and an empty
column \"answer\" for people to fill in. Votes and labels are not shown, so that
they cannot influence the answers. The same seed draws the same items.";

/// Draw a random sample of the items for people to label
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct SampleArgs {
    /// The table.
    #[command(flatten)]
    pub votes: VotesArgs,
    /// Write to this file [default: CSV to standard output]
    #[arg(
        help_heading = "Output",
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    pub output: OsString,
    /// Number of items to draw; with --extend, in addition
    #[arg(help_heading = "The sample", short = 'n', long = "number", value_name = "N", default_value_t = 100, value_parser = values::items)]
    pub number: usize,
    /// Seed of the draw
    #[arg(help_heading = "The sample", long, value_name = "S", default_value_t = 0, value_parser = values::seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// Table with the items' text
    ///
    /// Joined by item name, or by order if the votes have no names.
    #[arg(help_heading = "The sample", long, value_name = "FILE")]
    pub text: Option<OsString>,
    /// Columns with the text, separated by commas [default: all]
    #[arg(
        help_heading = "The sample",
        long,
        value_name = "COL,...",
        value_delimiter = ',',
        requires = "text"
    )]
    pub column: Vec<String>,
    /// Add to an earlier sample, keeping its answers
    #[arg(help_heading = "The sample", long, value_name = "FILE")]
    pub extend: Option<OsString>,
    /// Draw only items on which two models disagree
    ///
    /// The default model and the model of independent sources. This is useful for finding out what is wrong. Such a sample
    /// does not represent all items, so its rows are marked and `certify` rejects them.
    #[arg(help_heading = "The sample", long)]
    pub differ: bool,
}
