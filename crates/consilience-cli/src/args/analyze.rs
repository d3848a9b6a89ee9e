//! `consilience analyze`: what was typed.

use std::ffi::OsString;
use std::str::FromStr;

use clap::Args;

use super::votes::VotesArgs;

const EXAMPLE: &str = "\
Example:
  consilience analyze votes.csv --item id --gold label

Coverage is the share of items that a source votes on, overlaps the share where
another source votes too, conflicts the share where another source votes for a
different class.";

/// Describe a table of votes: who votes, who agrees, who is right
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct AnalyzeArgs {
    /// The table.
    #[command(flatten)]
    pub votes: VotesArgs,
    /// Write to this file [default: standard output]
    ///
    /// The file is written completely or not at all.
    #[arg(
        help_heading = "Output",
        short,
        long,
        value_name = "FILE",
        default_value = "-",
        hide_default_value = true
    )]
    pub output: OsString,
    /// Write JSON
    #[arg(help_heading = "Output", long)]
    pub json: bool,
    /// Number of pairs of sources to show, or all
    ///
    /// Pairs whose agreement differs most significantly from chance come first; abstaining together counts as agreement.
    #[arg(help_heading = "Output", long, value_name = "N", default_value = "10")]
    pub pairs: Pairs,
}

/// How many pairs of sources to show.
#[derive(Clone, Copy, Debug)]
pub struct Pairs(pub usize);

impl FromStr for Pairs {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "all" {
            return Ok(Self(usize::MAX));
        }
        text.parse().map(Self).map_err(|_| "use a whole number, or all".to_string())
    }
}
