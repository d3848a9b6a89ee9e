//! `consilience reproduce`: what was typed.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{TableArgs, values};

const EXAMPLE: &str = "\
Example:
  consilience reproduce --quick -o reproduced
  consilience reproduce fig1 fig4 -o reproduced --trials 50
  consilience reproduce fig5 -o reproduced --votes votes.csv --gold truth
  consilience reproduce table1 -o reproduced --data tables

Each figure is drawn beside the paper's published values (SVG and PNG, with its
data as CSV); index.html tells what was run and what came out. A run that was
stopped goes on where it was: finished points in DIR/points are used again
where the settings and the code that computes them are the same. Figures may
be run one by one, in any order, into the same DIR.";

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
    /// Table of votes that fig5 adds copies of a coin to [default: a simulated one]
    #[arg(long, value_name = "VOTES")]
    pub(crate) votes: Option<OsString>,
    /// Folder of real tables, for table1, and for fig5 without --votes
    ///
    /// Each folder in it has votes.csv, gold.csv (column gold) and meta.json (classes), and where texts are known
    /// text.csv and split.csv (train, valid, test). fig5 takes the paper's task from it: cdr33, else cdr.
    #[arg(long, value_name = "DIR")]
    pub(crate) data: Option<PathBuf>,
    /// Write the finished run into a folder of documents too
    ///
    /// As reproduction.md, with its pictures, tables and points in reproduction/.
    #[arg(long, value_name = "DIR")]
    pub(crate) docs: Option<PathBuf>,
    /// Seed; the same one gives the same results, but for times
    #[arg(long, value_name = "S", default_value_t = 0)]
    #[arg(value_parser = values::seed, allow_negative_numbers = true)]
    pub(crate) seed: u64,
    /// The table of --votes.
    #[command(flatten)]
    pub(crate) table: TableArgs,
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
    /// Copies of a coin among the sources
    Fig5,
    /// Real tables, independent against structured
    Table1,
    /// Rows promised and needed; other types of links; more classes
    Theory,
    /// All of them
    All,
}
