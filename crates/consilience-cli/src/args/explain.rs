//! `consilience explain`: what was typed.

use std::ffi::OsString;

use clap::{Arg, Args};

use super::votes::VotesArgs;

const EXAMPLE: &str = "\
Example:
  consilience explain votes.csv --model model.json --row 17
  consilience explain votes.csv --model model.json --source judge_a
  consilience explain votes.csv --model model.json

Without --row, --named or --source, it describes the whole panel of sources.";

/// Explain why an item has its label, or how much a source contributes
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE, mut_arg("source", the_source))]
pub struct ExplainArgs {
    /// The table.
    #[command(flatten)]
    pub votes: VotesArgs,
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
    /// Print JSON instead of a table
    #[arg(help_heading = "Output", long)]
    pub json: bool,
    /// Model that `fit` wrote
    #[arg(help_heading = "What to explain", long, value_name = "FILE")]
    pub model: OsString,
    /// Explain the item in this row, counted from 0
    #[arg(help_heading = "What to explain", long, value_name = "I", conflicts_with_all = ["named", "source"])]
    pub row: Option<usize>,
    /// Explain the item with this name
    ///
    /// Names come from the column that --item selects.
    #[arg(help_heading = "What to explain", long, value_name = "NAME", conflicts_with = "source")]
    pub named: Option<String>,
}

/// `--source` as this command understands it: the other columns are those of the model.
fn the_source(source: Arg) -> Arg {
    source.help("Explain this source").long_help(None).help_heading("What to explain").display_order(LAST)
}

/// The place of an argument that is listed behind the others.
const LAST: usize = 900;
