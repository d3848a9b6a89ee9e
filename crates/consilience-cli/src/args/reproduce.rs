//! `consilience reproduce`: what was typed.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::values;

const EXAMPLE: &str = "\
Example:
  consilience reproduce --quick -o reproduced
  consilience reproduce fig1 fig4 -o reproduced --trials 50

Each figure is drawn beside the paper's published values (SVG and PNG, with its
data as CSV); index.html tells what was run and what came out. A run that was
stopped goes on where it was: finished points in DIR/points are used again
where the settings agree.";

/// Run the paper's experiments and draw them beside what was published
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub(crate) struct ReproduceArgs {
    /// Which figures [default: all]
    #[arg(value_enum, value_name = "FIGURE")]
    pub(crate) figures: Vec<FigureArg>,
    /// Folder for everything; made where it is missing
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
    /// Tables a point [default: the paper's 100 for most figures]
    #[arg(long, value_name = "N", value_parser = values::trials)]
    pub(crate) trials: Option<usize>,
    /// Fewer points and tables: minutes instead of hours
    #[arg(long)]
    pub(crate) quick: bool,
    /// Seed; the same one gives the same results, but for times
    #[arg(long, value_name = "S", default_value_t = 0)]
    #[arg(value_parser = values::seed, allow_negative_numbers = true)]
    pub(crate) seed: u64,
}

/// A figure of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FigureArg {
    /// Exact recovery, by number of sources
    Fig1,
    /// Exact recovery, by degree
    Fig2,
    /// Time, by number of sources
    Fig3,
    /// Recall and extraneous links, by number of sources
    Fig4,
    /// Rows promised and needed; other types of links; more classes
    Theory,
    /// All of them
    All,
}
