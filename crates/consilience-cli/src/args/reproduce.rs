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

Each figure is drawn next to the paper's published values (SVG and PNG, with its
data as CSV); index.html describes the run and its results. A run that was
interrupted can be resumed: finished points in DIR/points are reused if the
settings and the code that computes them are unchanged. Figures may be run one
at a time, in any order, into the same DIR.";

/// Run the paper's experiments and compare them with the published results
#[derive(Debug, Args)]
#[command(after_help = EXAMPLE)]
pub struct ReproduceArgs {
    /// Which figures [default: all]
    #[arg(value_enum, value_name = "FIGURE")]
    pub figures: Vec<FigureArg>,
    /// Output folder; created if missing
    #[arg(short, long, value_name = "DIR")]
    pub output: PathBuf,
    /// Tables per point [default: 100 for most figures, as in the paper]
    #[arg(long, value_name = "N", value_parser = values::trials)]
    pub trials: Option<usize>,
    /// Use fewer points and tables: minutes instead of hours
    #[arg(long)]
    pub quick: bool,
    /// Table of votes to which fig5 adds copies of a coin [default: simulated]
    #[arg(long, value_name = "VOTES")]
    pub votes: Option<OsString>,
    /// Folder of real tables, for table1, and for fig5 without --votes
    ///
    /// Each subfolder has votes.csv, gold.csv (column gold) and meta.json (classes) and, if texts are known, text.csv and
    /// split.csv (train, valid, test). fig5 uses the paper's task from it: cdr33, or else cdr.
    #[arg(long, value_name = "DIR")]
    pub data: Option<PathBuf>,
    /// Also write the finished run to this documentation folder
    ///
    /// As reproduction.md, with pictures, tables and points in reproduction/.
    #[arg(long, value_name = "DIR")]
    pub docs: Option<PathBuf>,
    /// Seed; the same seed gives the same results, except for times
    #[arg(long, value_name = "S", default_value_t = 0)]
    #[arg(value_parser = values::seed, allow_negative_numbers = true)]
    pub seed: u64,
    /// The table of --votes.
    #[command(flatten)]
    pub table: TableArgs,
}

/// A figure of the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum FigureArg {
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
    /// Real tables, independent versus structured
    Table1,
    /// Rows promised and needed, other link types, more classes
    Theory,
    /// All of them
    All,
}
