//! `consilience plan`: what was typed.

use std::ffi::OsString;

use clap::Args;
use consilience::structure::LinkType;

use super::values;
use super::votes::TableArgs;

const EXAMPLE: &str = "\
Example:
  consilience plan --sources 25 --strength 0.25
  consilience plan --sources 25 --rows 5000
  consilience plan --votes votes.csv --gold label

Theorem 1 and Corollary 2 of the paper need a constant c: how much a vote says
about the weights. It is estimated from --votes or set with --curvature. The
rule of thumb, 750 x degree x ln(sources), was found for accuracies of 1 and
links of 0.25.";

/// Estimate how many rows it takes to find dependencies, or what given rows can reveal
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct PlanArgs {
    /// Number of sources [default: those of --votes]
    #[arg(help_heading = "The question", long, value_name = "N", value_parser = values::sources, required_unless_present = "votes")]
    pub sources: Option<usize>,
    /// Weight of the weakest dependency to find
    #[arg(help_heading = "The question", long, value_name = "K", default_value_t = 0.25)]
    #[arg(value_parser = values::number, allow_negative_numbers = true)]
    pub strength: f64,
    /// Number of available rows [default: those of --votes]
    #[arg(help_heading = "The question", long, value_name = "M", value_parser = values::rows)]
    pub rows: Option<u64>,
    /// Maximum number of dependencies per source, including its accuracy
    #[arg(help_heading = "The question", long, value_name = "D", default_value_t = 2)]
    pub degree: usize,
    /// Probability that the whole structure is right
    #[arg(help_heading = "The question", long, value_name = "P", default_value_t = 0.95)]
    #[arg(value_parser = values::number, allow_negative_numbers = true)]
    pub confidence: f64,
    /// Possible types, separated by commas
    ///
    /// correlation, agreement, conjunction, reinforcing, fixing, exclusive.
    #[arg(
        help_heading = "The question",
        long,
        value_name = "TYPE,...",
        value_delimiter = ',',
        default_value = "correlation"
    )]
    pub types: Vec<LinkType>,
    /// The constant c of condition (7), if known
    #[arg(help_heading = "The question", long, value_name = "C", conflicts_with = "votes")]
    #[arg(value_parser = values::number, allow_negative_numbers = true)]
    pub curvature: Option<f64>,
    /// Table of votes to estimate the constant c from
    #[arg(help_heading = "The question", long, value_name = "VOTES")]
    pub votes: Option<OsString>,
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
    /// The table.
    #[command(flatten)]
    pub table: TableArgs,
}
