//! How a table of votes is named and described; shared by all verbs that read one.

use std::ffi::OsString;

use clap::{Args, ValueEnum};

use super::values::ClassesArg;

/// The table of votes and what its bytes do not say.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "The table")]
pub(crate) struct VotesArgs {
    /// Table of votes, or - for standard input
    ///
    /// CSV, TSV, JSONL, Parquet or Arrow; text also packed with gzip or Zstandard. One row an item and one column a
    /// source, or one row a vote with the columns item, source and vote.
    #[arg(value_name = "VOTES", help_heading = None::<&str>)]
    pub(crate) votes: OsString,
    /// Its columns.
    #[command(flatten)]
    pub(crate) table: TableArgs,
}

/// What the bytes of a table do not say.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "The table")]
pub(crate) struct TableArgs {
    /// Column that names the items [default: item, if there]
    #[arg(long, value_name = "COL")]
    pub(crate) item: Option<String>,
    /// Column with the true classes, where known
    ///
    /// Gold is for scoring only and changes no label. With --gold-file, this is a column of that file.
    #[arg(long, value_name = "COL")]
    pub(crate) gold: Option<String>,
    /// File with the true classes, one row an item
    ///
    /// Its rows are in the order of the votes. The column is called gold, or as --gold says.
    #[arg(long, value_name = "FILE")]
    pub(crate) gold_file: Option<OsString>,
    /// Columns that are no sources, with commas between
    #[arg(long, value_name = "COL", value_delimiter = ',')]
    pub(crate) ignore: Vec<String>,
    /// All classes, in order [default: those voted for]
    #[arg(long, value_name = "A,B,...")]
    pub(crate) classes: Option<ClassesArg>,
    /// How abstaining is written
    ///
    /// An empty cell always abstains.
    #[arg(long, value_name = "MARK", default_value = "-1", allow_hyphen_values = true)]
    pub(crate) abstain: String,
    /// One row is one vote [default: the header tells]
    #[arg(long)]
    pub(crate) long: bool,
    /// One row is one item [default: the header tells]
    #[arg(long, conflicts_with = "long")]
    pub(crate) wide: bool,
    /// Format of the table [default: its first bytes tell]
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) format: Option<FormatArg>,
}

/// A file format for tables.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum FormatArg {
    Csv,
    Tsv,
    Jsonl,
    Parquet,
    Arrow,
}
