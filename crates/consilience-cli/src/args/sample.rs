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

The items are drawn at random, all with the same chance, and written with their
text and an empty column \"answer\" for people to fill in. Votes and labels are
not shown, so that nobody is led by them. The same seed draws the same items.";

/// Draw a random sample of the items for people to label
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct SampleArgs {
    /// The table.
    #[command(flatten)]
    pub(crate) votes: VotesArgs,
    /// Write to this file [default: CSV to standard output]
    #[arg(
        help_heading = "Output",
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    pub(crate) output: OsString,
    /// How many items to draw; with --extend, how many more
    #[arg(help_heading = "The sample", short = 'n', long = "count", value_name = "N", default_value_t = 100, value_parser = values::items)]
    pub(crate) count: usize,
    /// Seed of the draw
    #[arg(help_heading = "The sample", long, value_name = "S", default_value_t = 0, value_parser = values::seed, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// Table with the items' text
    ///
    /// Joined by the items' names; by order where the votes have none.
    #[arg(help_heading = "The sample", long, value_name = "FILE")]
    pub(crate) text: Option<OsString>,
    /// Columns that hold the text, with commas between [default: all]
    #[arg(
        help_heading = "The sample",
        long,
        value_name = "COL,...",
        value_delimiter = ',',
        requires = "text"
    )]
    pub(crate) column: Vec<String>,
    /// Add to an earlier sample, which is kept with its answers
    #[arg(help_heading = "The sample", long, value_name = "FILE")]
    pub(crate) extend: Option<OsString>,
    /// Draw only items on which two models differ
    ///
    /// The default model and the one of independent sources. Good for finding out what is wrong; such a sample says
    /// nothing about all items, so that its rows are marked and certify refuses them.
    #[arg(help_heading = "The sample", long)]
    pub(crate) differ: bool,
}
